"""The evenings of a free auction with étuis for three or five players that tests prepare, start and play."""

from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.starting import start_session
from evenings.plays.state import WAITED_FOR, with_states
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_session, create_tournament, prepare_deals
from evenings.standings.computing import refresh
from scoring.formats import find_format
from scoring.plays import SEATS
from tests.factories import DATE, enter, make_club, make_director, publish
from tests.worlds import kept_world
from tournaments.models import Session
from tournaments.rules.entry import AllPassed, Fiche


def make_etui_tournament(size, club=None, name="Étuis"):
    return create_tournament(club=club or make_club(), name=name, format=f"free_auction_{size}", now=timezone.now())


def draft_etui_session(
    size, tables, *, positions=2, etuis=2, by=None, tournament=None, people=None, name="Nom", **settings
):
    """Return a session in preparation with players for this number of tables, and étuis if there is an author."""
    tournament = tournament or make_etui_tournament(size)
    session = create_session(
        tournament=tournament, date=DATE, positions=positions, etuis_per_position=etuis, **settings
    )
    count = people or tables * size
    names = [RosterLine(f"{name}{place:03}", "Zoé") for place in range(1, count + 1)]
    players = add_players(club=tournament.club, lines=names)
    seat_players(session_id=session.pk, player_ids=[player.pk for player in players])
    if by is not None:
        prepare_deals(session_id=session.pk, with_cards=True, count=positions * etuis, by=by, now=timezone.now())
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


def start_etui_session(size, tables, *, by, **shape):
    session = draft_etui_session(size, tables, by=by, **shape)
    start_session(session_id=session.pk, by=by, now=timezone.now())
    return Session.objects.select_related("tournament__club", "deal_set").get(pk=session.pk)


@kept_world
def start_evening(size, etuis=2):
    """Return a session of two tables that has started, and its director."""
    club = make_club()
    by = make_director(club)
    return start_etui_session(size, 2, by=by, etuis=etuis, tournament=make_etui_tournament(size, club)), by


@kept_world
def publish_evening(size, etuis=2):
    """Return a published session of two tables, and its director."""
    session, by = start_evening(size, etuis)
    play_etuis(session, by)
    publish(session, by=by)
    return session, by


def choose_entry(play):
    """Return an entry that differs from table to table: every fifth deal is passed by everybody."""
    seats, turn = play.playing_seats, play.etui.number + 2 * play.table.number
    if turn % 5 == 0:
        return AllPassed()
    taker = seats[turn % len(seats)]
    partner = seats[(turn * 3) % len(seats)] if len(seats) == len(SEATS) else None
    return Fiche(taker, (40 + 2 * play.table.number) * (-1) ** play.etui.number, partner=partner)


def play_etuis(session, by, *, most=None):
    """Enter a result for each étui that waits for one, or for the first `most` of them."""
    waiting = with_states(session.plays.select_related("etui", "table")).filter(state__in=WAITED_FOR)
    for play in list(waiting.order_by("position", "etui__number", "table__number"))[:most]:
        enter(play, choose_entry(play), by=by)
    refresh(session.pk, now=timezone.now())


def count_players(session):
    return find_format(session.tournament.format).size
