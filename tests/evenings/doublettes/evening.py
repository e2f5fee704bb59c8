"""An evening of doublettes: twenty players in ten teams of two, seated and started by the services of a club."""

from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_set_dealt_at_table
from evenings.plans.starting import start_session
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_session, create_tournament, use_deal_set
from evenings.teams.making import WantedTeam, make_teams
from tests.factories import DATE, make_club, make_director


def make_doublettes(teams=10):
    """Return a tournament of doublettes with teams of two, and its director. The players of team 3 are 5 and 6."""
    now, club = timezone.now(), make_club()
    by = make_director(club)
    tournament = create_tournament(club=club, name="Doublettes d’été", format="doublettes", now=now)
    names = [RosterLine(f"Nom{number:03}", "Zoé") for number in range(1, 2 * teams + 1)]
    players = [player.pk for player in add_players(club=club, lines=names)]
    pairs = zip(players[::2], players[1::2], strict=True)
    wanted = [WantedTeam(pair, "" if place else "Les As") for place, pair in enumerate(pairs)]
    make_teams(tournament_id=tournament.pk, wanted=wanted, by=by, now=now)
    return tournament, by


def draft_doublettes(tournament, *, positions=4, players=(), **more):
    """Return a session in preparation with all players of the tournament's teams, or these (ids), and with étuis."""
    session = create_session(tournament=tournament, date=DATE, positions=positions, etuis_per_position=2, **more)
    everybody = tournament.team_members.filter(ended_at=None).order_by("team", "place").values_list("player", flat=True)
    seat_players(session_id=session.pk, player_ids=[*(players or everybody)])
    deal_set = create_set_dealt_at_table(club=tournament.club, name="étuis", count=20, by=None, now=timezone.now())
    return use_deal_set(session_id=session.pk, deal_set=deal_set)


def start_doublettes(tournament, **shape):
    session = draft_doublettes(tournament, **shape)
    return start_session(session_id=session.pk, now=timezone.now())
