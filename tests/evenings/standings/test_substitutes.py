"""The substitutes: people who take over a player's seat, with percentages of their own, at any moment.

The tests compare the ranking with the changes that the director made. These name who took over from whom.
"""

import random

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.plans.starting import start_session
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.running import call_position
from evenings.standings import computing
from scoring.ties import UnrankedReason
from tests.examples import draw_seeds
from tests.factories import draft_session, enter_all, make_director
from tests.worlds import kept_world
from tournaments.errors import ActionRefused
from tournaments.models import PlanVersion, Session, SessionStandings
from tournaments.rules.operations import Arrive, Leave, Operation, Return, Substitute, Swap

pytestmark = pytest.mark.django_db


@kept_world
def start_evening(tables: int = 5, positions: int = 4) -> Session:
    session = draft_session(tables=tables, positions=positions, etuis_per_position=2)
    return start_session(session_id=session.pk, now=timezone.now())


def change(session: Session, operation: Operation, director) -> PlanVersion:
    seen = number_of_plan(session)
    return change_session(
        session_id=session.pk, operation=operation, choice=0, seen=seen, by=director, now=timezone.now()
    )


def add_newcomer(session: Session, name: str) -> int:
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine(name, "")])
    return player.pk


def enter_first_etui(session: Session, position: int, director, *, tables: int = 99) -> None:
    """Enter the first étui of the position at the first tables: one étui of two."""
    plays = session.plays.filter(position=position, table__number__lte=tables, is_replay=False, entries=None)
    first = {play.table_id: play for play in plays.select_related("etui").order_by("-etui__number")}
    enter_all(session, by=director, plays=first.values())


def enter_the_rest(session: Session, director) -> None:
    plays = session.plays.filter(entries=None, is_replay=False)
    enter_all(session, by=director, plays=plays.select_related("etui"))


def standings_players(session: Session) -> list[dict[str, object]]:
    computing.refresh(session.pk, now=timezone.now())
    return SessionStandings.objects.get(pk=session.pk).data["players"]


def unranked_substitutes(session: Session, director) -> set[int]:
    change_rules(tournament_id=session.tournament_id, by=director, now=timezone.now(), substitutes_ranked=False)
    return {player["id"] for player in standings_players(session) if player["unranked"] == UnrankedReason.SUBSTITUTE}


def added_as_substitutes(session: Session) -> set[int]:
    operations = PlanVersion.objects.filter(session=session, undone_at=None).values_list("operation", flat=True)
    own = [done for done in operations if done["kind"] == "substitute" and done["own"]]
    return {pk for done in own for pk in done["added"]}


@pytest.mark.nightly("story")
def test_substitute_within_a_position_is_not_ranked():
    session = start_evening()
    director = make_director(session.tournament.club)
    left = session.entrants.get(line="N", number=2)
    enter_first_etui(session, 1, director)
    change(session, Substitute(left.pk, add_newcomer(session, "Zoé"), position=1), director)
    enter_the_rest(session, director)
    substitute = session.entrants.get(player__last_name="Zoé")
    left.refresh_from_db()
    assert left.last_position == substitute.first_position == 1
    assert unranked_substitutes(session, director) == {substitute.pk}


@pytest.mark.nightly("story")
def test_player_who_was_there_from_the_start_is_no_substitute_of_a_substitute():
    session = start_evening()
    director = make_director(session.tournament.club)
    left = session.entrants.get(line="E", number=1)
    enter_first_etui(session, 1, director)
    change(session, Substitute(left.pk, add_newcomer(session, "Zoé"), position=1), director)
    second = session.entrants.get(player__last_name="Zoé")
    change(session, Substitute(second.pk, add_newcomer(session, "Yann"), position=1), director)
    enter_the_rest(session, director)
    assert left.pk not in unranked_substitutes(session, director)
    assert session.entrants.get(player__last_name="Yann").pk in unranked_substitutes(session, director)


def test_exchange_of_seats_in_position_1_makes_no_substitute():
    session = start_evening()
    director = make_director(session.tournament.club)
    one, other = session.entrants.get(line="N", number=1), session.entrants.get(line="N", number=3)
    change(session, Swap(1, one.pk, other.pk), director)
    enter_the_rest(session, director)
    assert unranked_substitutes(session, director) == set()


def draw_operation(session: Session, chance: random.Random, number: int) -> Operation:
    there = list(session.entrants.filter(last_position=None).values_list("pk", flat=True))
    gone = list(session.entrants.exclude(last_position=None).values_list("pk", flat=True))
    now, last = max(1, session.position), session.positions
    newcomer = add_newcomer(session, f"Nouveau{number}")
    draws = [
        Substitute(chance.choice(there), newcomer, chance.choice((now, now, chance.randint(1, last)))),
        Substitute(chance.choice(there), newcomer, now),
        Substitute(chance.choice(there), newcomer, now, own=False),
        Swap(chance.randint(1, now), *chance.sample(there, 2)),
        Arrive((newcomer,), after=chance.randint(0, last - 1)),
        Leave((chance.choice(there),), after=chance.randint(0, last - 1)),
    ]
    return chance.choice([*draws, *(Return((pk,), now) for pk in gone[:1])])


@pytest.mark.nightly("story")
@pytest.mark.parametrize("seed", draw_seeds(40, fewest=8))
def test_substitutes_are_those_whom_the_changes_name(seed):
    chance = random.Random(seed)
    session = start_evening(positions=3)
    director = make_director(session.tournament.club)
    for number in range(8):
        try:
            version = change(session, draw_operation(session, chance, number), director)
        except ActionRefused:
            continue
        finally:
            session.refresh_from_db()
        if chance.random() < 0.2:
            undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
        enter_first_etui(session, max(1, session.position), director, tables=chance.randint(0, 5))
        if chance.random() < 0.4 and session.position < session.positions:
            call_position(session_id=session.pk, position=session.position + 1, by=director, now=timezone.now())
        session.refresh_from_db()
    enter_the_rest(session, director)
    with_results = {player["id"] for player in standings_players(session)}
    assert unranked_substitutes(session, director) == added_as_substitutes(session) & with_results
