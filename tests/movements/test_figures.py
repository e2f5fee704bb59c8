"""The figures of a plan, counted by hand: attacks, copies, étuis, and repeated meetings that cannot be avoided."""

from dataclasses import replace

import pytest

from movements import Member, Stay, attack_range, attacks, compute_figures, plan_tables, propose_plans
from movements.games import plan_games
from movements.plan.measures import pair
from movements.teams import emmanuel, plan_quadrettes
from tests.movements.judge import judge, numbered_from
from tests.movements.recount import check_plan


@pytest.mark.parametrize(
    ("tables", "positions", "bound"),
    [(6, 6, 0), (6, 7, 36), (10, 10, 0), (4, 5, 24), (2, 4, 24), (3, 6, 54), (7, 5, 0), (1, 3, 12)],
)
def test_meetings_that_counting_makes_repeat(tables, positions, bound):
    """Check the bound: two lines have tables² pairs for positions × tables meetings, and lines form six pairs."""
    assert bound == 6 * max(0, tables * positions - tables**2)
    plan = plan_tables(tables, positions)
    assert compute_figures(plan).bound == bound <= judge(plan)["meetings"]


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("players", [9, 13, 15, 17, 18, 23])
def test_no_plan_is_better_than_counting_allows(players):
    for proposal in propose_plans(players, 6):
        assert proposal.figures.bound <= judge(proposal.plan)["meetings"]


@pytest.mark.parametrize(
    ("tables", "etuis", "barometer", "copies"),
    [(7, 4, False, 1), (7, 4, True, 2), (8, 4, True, 2), (9, 4, True, 3), (7, 1, True, 7), (25, 4, True, 7)],
)
def test_copies_let_no_table_wait(tables, etuis, barometer, copies):
    found = compute_figures(plan_tables(tables, 5, etuis, barometer=barometer))
    assert (found.copies, found.etuis) == (copies, etuis * (5 if barometer else tables))


def test_copies_of_one_position_are_counted_again():
    plan = plan_tables(7, 1, barometer=True)
    assert compute_figures(plan).copies == 2
    assert check_plan(plan, compute_figures(plan)) == []


def test_everybody_plays_so_many_étuis_of_all():
    found = compute_figures(plan_tables(7, 5))
    assert (found.least_played, found.most_played, found.etuis, found.missing) == (20, 20, 28, 8)
    phantom = next(one.figures for one in propose_plans(27, 5) if one.code == "phantom")
    assert (phantom.least_played, phantom.most_played) == (16, 20)


def test_four_étuis_a_position_let_everybody_attack_in_each():
    plan = plan_tables(7, 5)
    assert (compute_figures(plan).least_attacks, compute_figures(plan).most_attacks) == (5, 5)
    assert set(attacks(plan, takers=numbered_from(5, 28)).values()) == {5}


def test_attacks_follow_the_numbers_of_the_étuis():
    """Check étuis 1 to 5, taken by W, S, E, N and S: in barometer all players of a line attack alike."""
    plan = plan_tables(5, 5, 1, barometer=True)
    assert {member.line: count for member, count in attacks(plan).items()} == {0: 1, 1: 1, 2: 2, 3: 1}
    assert (compute_figures(plan).least_attacks, compute_figures(plan).most_attacks) == (1, 2)
    assert attacks(plan, takers=numbered_from(2, 5))[Member(3, 1)] == 0  # étuis 2 to 6: S, E, N, S, E


def test_who_was_not_there_all_through_has_no_part_in_the_least_and_most():
    phantom = next(one for one in propose_plans(27, 5) if one.code == "phantom")
    assert phantom.plan.stays == ()
    assert (phantom.figures.least_attacks, phantom.figures.most_attacks) == (4, 5)


def test_range_of_attacks_is_that_of_the_figures():
    plan = plan_tables(5, 5, 1, barometer=True)
    assert attack_range(plan) == (1, 2)
    assert attack_range(plan, takers=numbered_from(2, 5)) == (0, 2)


@pytest.mark.parametrize("plan", [plan_quadrettes(4, 3), emmanuel(4)])
def test_first_team_of_a_table_attacks_all_its_étuis(plan):
    stop = plan.stops[0]
    assert attacks(replace(plan, stops=(stop,))) == {stop.first: len(stop.etuis)}


@pytest.mark.parametrize("turned", [False, True])
def test_meetings_of_mates_are_counted_whatever_their_order(turned):
    games = plan_games(12, 4, 4)
    one, two = pair(*games.stops[0].people[:2])
    met = sum({one, two} <= {*part.people} for part in games.stops)
    assert pair(two, one) == (one, two) == (min(one, two), max(one, two))
    assert compute_figures(replace(games, mates=((two, one) if turned else (one, two),))).mates == met > 0


def test_players_who_share_no_étui_are_not_compared_at_all():
    plan = plan_tables(7, 1)
    assert compute_figures(plan).balance == 0
    assert check_plan(plan, compute_figures(plan)) == []


@pytest.mark.parametrize("plan", [plan_tables(5, 3), plan_games(12, 3, 4)])
def test_figures_of_a_plan_in_which_nobody_stays_all_the_time(plan):
    stays = tuple(Stay(who, 1, plan.positions) for who in plan.everybody())
    found = compute_figures(replace(plan, stays=stays))
    assert (found.least_attacks, found.most_attacks, found.least_played, found.most_played) == (0, 0, 0, 0)
    assert (found.missing, found.least_odd, found.most_odd, found.least_exempt, found.most_exempt) == (0, 0, 0, 0, 0)
    assert check_plan(replace(plan, stays=stays), found) == []
