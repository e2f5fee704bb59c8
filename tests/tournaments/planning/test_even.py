"""With one, two or three étuis a position the numbers are laid so that everybody attacks about as often."""

from collections import Counter

import pytest

from tests.tournaments.planning.judge import judge
from tournaments.domain.planning import attacks, figures, plan_tables, proposals, verify, with_even_attacks


def told(plan):
    """How many players attack how often."""
    taken = attacks(plan)
    return dict(sorted(Counter(taken[member] for member in plan.members() if member not in plan.fillers).items()))


@pytest.mark.parametrize(
    ("tables", "positions", "etuis", "before", "after"),
    [
        (8, 5, 1, {0: 2, 1: 20, 2: 10}, {1: 24, 2: 8}),
        (10, 5, 1, {0: 4, 1: 22, 2: 14}, {1: 30, 2: 10}),
        (25, 5, 1, {0: 19, 1: 47, 2: 28, 3: 2, 4: 4}, {1: 75, 2: 25}),
        (25, 5, 2, {1: 11, 2: 38, 3: 44, 4: 4, 5: 3}, {2: 50, 3: 50}),
        (15, 5, 2, {1: 5, 2: 21, 3: 33, 4: 1}, {2: 30, 3: 30}),
    ],
)
def test_few_étuis_a_position_are_laid_so_that_attacks_are_even(tables, positions, etuis, before, after):
    plain = plan_tables(tables, positions, etuis)
    plan = proposals(4 * tables, positions, etuis)[0].plan
    assert (told(plain), told(plan)) == (before, after)
    assert (figures(plan).least_attacks, figures(plan).most_attacks) == (min(after), max(after))
    assert judge(plan) == {}
    assert verify(plan, figures(plan)) == []
    numbers = {etui for play in plan.plays for etui in play.etuis}
    assert numbers == set(range(1, tables * etuis + 1))  # a set needs no étui more than before
    assert plan.shifts == plain.shifts


def test_seven_étuis_name_one_line_once_so_that_two_of_it_never_attack():
    plan = proposals(28, 5, 1)[0].plan
    assert told(plan) == {0: 2, 1: 17, 2: 9}


@pytest.mark.parametrize("players", [27, 29, 30])
def test_fillers_rovers_and_phantoms_too(players):
    for proposal in proposals(players, 5, 1):
        plain = next(one for one in proposals(players, 5, 1, imposed=False) if one.code == proposal.code)
        assert told(proposal.plan).get(0, 0) <= told(plain.plan).get(0, 0)
        assert verify(proposal.plan, proposal.figures) == []


@pytest.mark.parametrize("plan", [plan_tables(7, 5, 4), plan_tables(5, 5, 1), plan_tables(7, 5, 1, barometer=True)])
def test_what_is_even_stays_as_it_is(plan):
    assert with_even_attacks(plan) is plan


def test_a_free_auction_names_no_taker_and_changes_nothing():
    assert proposals(32, 5, 1, imposed=False)[0].plan == plan_tables(8, 5, 1)


def test_the_same_étuis_every_time():
    assert with_even_attacks(plan_tables(25, 5, 1)) == with_even_attacks(plan_tables(25, 5, 1))
