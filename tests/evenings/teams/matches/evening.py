"""A session of team matches for tests: teams of five, line-ups for the quarters, results that differ."""

from collections.abc import Iterable

from django.utils import timezone

from clubs.models import User
from deals.sets import create_set_dealt_at_table
from evenings.changes.quarters import hand_in_quarter
from evenings.plans.starting import start_session
from evenings.plans.teams.seating import seat_teams
from evenings.sessions.setup import create_session, create_tournament, use_deal_set
from scoring.contract import Contract, DealResult
from scoring.plays import Line
from tests.evenings.teams.evening import make_teams
from tests.evenings.teams.playing import refresh
from tests.factories import DATE, enter, make_club
from tests.worlds import kept_world
from tournaments.models import LineUp, Play, Session, TeamMember, Tournament
from tournaments.rules.entry import Facts

CONTRACTS = (Contract.GARDE, Contract.GARDE_SANS, Contract.GARDE_CONTRE)


@kept_world
def make_matches(teams: int = 4, name: str = "Matchs d’hiver") -> Tournament:
    tournament = create_tournament(club=make_club(), name=name, format="team_match", now=timezone.now())
    make_teams(tournament, teams, places=(1, 2, 3, 4, 5))
    return tournament


def prepare_match(tournament: Tournament, teams: Iterable[int] | None = None, *, etuis: int = 4) -> Session:
    """Return a session in preparation. `teams` are the numbers of those that play: the first meets the second."""
    now, club = timezone.now(), tournament.club
    session = create_session(tournament=tournament, date=DATE, etuis_per_position=etuis)
    deal_set = create_set_dealt_at_table(club=club, name="Étuis", count=8 * etuis, by=None, now=now)
    use_deal_set(session_id=session.pk, deal_set=deal_set)
    ids = None if teams is None else [tournament.teams.get(number=number).pk for number in teams]
    seat_teams(session_id=session.pk, teams=ids, now=now)
    return session


def start(session: Session) -> Session:
    return start_session(session_id=session.pk, now=timezone.now())


def find_member(team: int, place: int) -> TeamMember:
    return TeamMember.objects.get(team__number=team, place=place, ended_at=None)


def hand_in(session: Session, team: int, quarter: int, places: str = "2134", **said) -> LineUp:
    """Hand in the line-up of a team. `places` has the places of the members South, North, East and West."""
    members = {seat: find_member(team, int(place)).pk for seat, place in zip("SNEW", places, strict=True)}
    told = {"by": None, "now": timezone.now()} | said
    pk = session.tournament.teams.get(number=team).pk
    return hand_in_quarter(session_id=session.pk, team_id=pk, quarter=quarter, members=members, **told)


def list_badges(session: Session, quarter: int) -> dict[int, set[int]]:
    """Return the places that attack in the quarter, by the team's number."""
    found: dict[int, set[int]] = {}
    for play in session.plays.filter(position=quarter).select_related("south__team"):
        found.setdefault(play.south.team.number, set()).add(play.badge)
    return found


def attack(play: Play, points: int = 49, contract: Contract = Contract.GARDE, attacker: int | None = None) -> Facts:
    return Facts(Line.S, DealResult(4, contract, 2, 2 * points), attacker=attacker)


def plausible_attack(play: Play) -> Facts:
    """Return a result that differs from play to play and is the same in every run, with each of the three contracts."""
    etui, table = play.etui.number, play.table.number
    contract = CONTRACTS[(etui + 2 * table) % len(CONTRACTS)]
    return attack(play, 30 + (7 * etui + 11 * table + 5 * play.position) % 31, contract)


def play_matches(session: Session, *, by: User, missing: int = 0) -> Session:
    """Enter all results of the session but the last few, and compute its standings."""
    plays = list(session.plays.select_related("etui", "table").order_by("position", "table__number", "etui__number"))
    for play in plays[: len(plays) - missing]:
        enter(play, plausible_attack(play), by=by)
    return refresh(session)
