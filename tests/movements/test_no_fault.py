"""The proposals of all formats: the verifier finds no fault in a plan that a director may choose."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

import movements.proposals
import movements.teams.proposals
from evenings.plans.by_format import find_odd_tables, wants_even_attacks
from evenings.plans.teams.choosing import PROPOSERS
from movements import ALIKE, OddTables, Plan, PlanError, compute_figures, propose_plans
from movements.games import NextGame, plan_games, seat_next_game, start_games, turn_seats
from movements.teams import propose_triplettes
from scoring.formats import FORMATS, Format
from tests.movements.recount import check_plan

Faults = Iterable[list[object]]


def check_lines(format: Format, players: int, positions: int, etuis: int) -> Faults:
    for barometer in (False, True):
        found = propose_plans(players, positions, etuis, barometer=barometer, imposed=wants_even_attacks(format))
        yield from (check_plan(each.plan, each.figures) for each in found)


def check_teams(format: Format, teams: int, positions: int, etuis: int) -> Faults:
    found = PROPOSERS[format.name](teams, positions, etuis)
    yield from (check_plan(each.plan, each.figures) for each in found)


def check_games(format: Format, people: int, games: int, deals: int) -> Faults:
    odds = OddTables if format.has_free_deals else [find_odd_tables(format, "")]
    for odd in odds:
        teams = [[], [2] * (people // 2), [2, 3]][people % 3] if format.has_free_deals else []
        for found in seat_in_every_way(people, games, deals, odd, teams):
            yield check_plan(found, compute_figures(found))


def seat_in_every_way(people: int, games: int, deals: int, odd: OddTables, teams: list[int]) -> Iterator[Plan[int]]:
    """Yield the games that are known beforehand, and those in which each game follows a ranking or a lot."""
    try:
        first = plan_games(people, 1, deals, odd, teams=teams)
        yield turn_seats(plan_games(people, games, deals, odd)) if odd in ALIKE else first
    except PlanError:
        return  # such people cannot be divided so
    with suppress(PlanError):
        yield plan_games(people, games, deals, odd, teams=teams)
    for way in NextGame:
        found, chance = start_games(people, games, deals, odd, mates=first.mates), Random(people)
        for game in range(1, games + 1):
            try:
                found = seat_next_game(found, chance.sample(range(1, people + 1), people), way, seed=game)
            except PlanError:
                break
        yield found


def find_checks(format: Format) -> Callable[[Format, int, int, int], Faults]:
    if format.is_for_teams:
        return check_teams
    return check_games if format.has_games else check_lines


def assert_no_fault(name: str, competitors: int, positions: int, etuis: int) -> int:
    """Check every proposal for this field, and return how many there are."""
    format, found = FORMATS[name], list[list[object]]()
    with suppress(PlanError):  # no plan fits: the page says why
        found += find_checks(format)(format, competitors, positions, etuis)
    assert not any(found)
    return len(found)


@pytest.mark.parametrize("name", FORMATS)
def test_no_proposal_of_a_format_has_a_fault(name):
    assert sum(assert_no_fault(name, competitors, 2, 4) for competitors in (4, 60)) >= 2


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("competitors", [*range(1, 12), 14, 17, 22, 27])
@pytest.mark.parametrize("name", FORMATS)
def test_no_proposal_for_a_small_or_odd_field_has_a_fault(name, competitors):
    for positions, etuis in ((1, 4), (3, 3), (5, 1)):
        assert_no_fault(name, competitors, positions, etuis)


def test_plan_with_a_fault_is_not_proposed(monkeypatch):
    """Let the makers of two plans forget the first table: the other proposals stay."""
    lined = movements.teams.proposals.two_lines

    def forget(make):
        def made(*args, **options):
            plan = make(*args, **options)
            return replace(plan, stops=plan.stops[1:])

        return made

    assert "two_lines" in {each.code for each in propose_triplettes(17, 5)}
    monkeypatch.setattr(movements.teams.proposals, "two_lines", forget(lined))
    assert "two_lines" not in {each.code for each in propose_triplettes(17, 5)}
    full = [each.code for each in propose_plans(28, 5)]
    monkeypatch.setattr(
        movements.proposals,
        "with_even_attacks",
        lambda plan: plan if plan.barometer else replace(plan, stops=plan.stops[1:]),
    )
    assert "tables" in full
    assert [each.code for each in propose_plans(28, 5)] == ["barometer"]
