"""The evenings of donnes libres that tests start and play."""

from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from scoring.plays import SEATS
from tests.factories import DATE
from tests.free_evenings import make_free_tournament
from tournaments.models import Session
from tournaments.plans.free.settings import edit_free_deals
from tournaments.plans.starting import start_session
from tournaments.plays.entering import enter_result
from tournaments.rules.entry import GameSheet
from tournaments.sessions.seating import seat_players
from tournaments.sessions.setup import create_session


def draft_free_session(people, *, games=3, deals=4, tournament=None, **settings):
    """Return a session in preparation with this number of players. `settings`: those of free deals."""
    tournament = tournament or make_free_tournament()
    session = create_session(tournament=tournament, date=DATE, positions=games, etuis_per_position=deals)
    edit_free_deals(session_id=session.pk, now=timezone.now(), **settings)
    names = [RosterLine(f"Nom{place:03}", "Zoé") for place in range(1, people + 1)]
    players = add_players(club=tournament.club, lines=names)
    seat_players(session_id=session.pk, player_ids=[player.pk for player in players])
    return Session.objects.get(pk=session.pk)


def start_free_session(people, **shape):
    session = draft_free_session(people, **shape)
    start_session(session_id=session.pk, by=None, now=timezone.now())
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


def seats_in(session, game):
    """Return the starting numbers at each table of a game, by the table's number."""
    numbers = dict(session.entrants.values_list("pk", "number"))
    plays = session.plays.filter(position=game).select_related("table")
    return {play.table.number: tuple(numbers[pk] for pk in play.seat_ids.values()) for play in plays}


def enter_sheets(session, game, by):
    """Enter the sheet of each table of a game: at each table, the lowest starting number has won."""
    numbers = dict(session.entrants.values_list("pk", "number"))
    first = {}
    for play in session.plays.filter(position=game).order_by("etui__number"):
        first.setdefault(play.table_id, play)
    for play in first.values():
        best = min(play.seat_ids, key=lambda seat: numbers[play.seat_ids[seat]])
        others = len(play.seat_ids) - 1
        marks = tuple((seat, 10 * others if seat == best else -10) for seat in SEATS if seat in play.seat_ids)
        enter_result(play_id=play.pk, entry=GameSheet(marks), by=by, now=timezone.now())
