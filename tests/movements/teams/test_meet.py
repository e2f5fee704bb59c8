"""The plans of triplettes in which everybody meets everybody, and Emmanuel 16."""

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movements import PlanError, compute_figures
from movements.teams import all_meet, emmanuel
from movements.teams.circle import _Sides, pair_all
from movements.teams.tables import STARTERS
from movements.teams.triplettes import can_move
from tests.movements.recount import check_plan
from tests.movements.teams.judge import count_alike, count_copies, count_rests, judge_sides
from tests.scoring.results import GOLDEN

TEAMS = range(4, 42)
MOVING = [teams for teams in TEAMS if teams > 6]


def rounds_of(teams):
    return teams if teams % 2 else teams - 1


@pytest.mark.parametrize("teams", TEAMS)
def test_round_robin_has_every_pair_once_and_no_etui_twice(teams):
    plan = all_meet(teams, rounds_of(teams), 2)
    figures = compute_figures(plan)
    assert judge_sides(plan) == {}
    assert check_plan(plan, figures) == []
    assert sum(len(stop.people) == 2 for stop in plan.stops) == teams * (teams - 1) // 2
    assert {*count_rests(plan).values()} == {teams % 2}
    assert figures.copies == count_copies(plan) == -(-(teams // 2) // 2)
    assert (figures.repeated, figures.bound, figures.rests_bound) == (0, 0, teams % 2)


@pytest.mark.parametrize("teams", MOVING)
def test_etuis_move_from_seven_teams_on_so_that_each_team_plays_each_set_once(teams):
    plan = all_meet(teams, rounds_of(teams), 2, moving=True)
    assert judge_sides(plan) == {}
    assert check_plan(plan, compute_figures(plan)) == []
    played = Counter((team, etui) for stop in plan.stops for team in stop.people for etui in stop.etuis)
    etuis = 2 * rounds_of(teams)
    missing = 2 * (teams % 2)  # who rests does not play the set of that position
    assert {*played.values()} == {1}
    assert {*Counter(team for team, _ in played).values()} == {etuis - missing}
    assert compute_figures(plan).copies == 1


@pytest.mark.parametrize("teams", MOVING)
def test_balance_of_sides_is_high_with_moving_etuis_too(teams):
    assert compute_figures(all_meet(teams, rounds_of(teams), moving=True)).balance >= 95


@pytest.mark.parametrize("teams", TEAMS)
def test_balance_of_sides_is_85_for_six_teams_and_95_from_eight(teams):
    plan = all_meet(teams, rounds_of(teams))
    alike = count_alike(plan).values()
    exact = Fraction(100 * sum(alike) ** 2, len(alike) * sum(count * count for count in alike))
    figures = compute_figures(plan)
    assert figures.balance == round(exact)
    assert exact >= {4: 100, 5: 71, 6: 85}.get(teams, 95)


@pytest.mark.parametrize(("teams", "least"), [(5, 14), (6, 70)])
def test_no_choice_of_sides_is_more_even_for_five_and_six_teams(teams, least):
    """Try every choice of sides: the sum of squares of 5 and of 6 teams cannot be lower than in the plans."""
    rounds = pair_all(teams)
    spots = [(turn, pair) for turn, pairs in enumerate(rounds) for pair in pairs]
    found = []
    for choice in range(2 ** (len(spots) - 1)):  # the last pair may keep its sides, because all can be exchanged
        ways = [[0] * (teams + 1), [0] * (teams + 1)]
        for place, (turn, (one, other)) in enumerate(spots):
            exchanged = choice >> place & 1
            ways[exchanged][one] |= 1 << turn
            ways[1 - exchanged][other] |= 1 << turn
        found.append(
            sum(
                sum((way[one] & way[other]).bit_count() for way in ways) ** 2
                for one, other in combinations(range(1, teams + 1), 2)
            )
        )
    assert min(found) == least
    plan = all_meet(teams, rounds_of(teams))
    assert sum(count * count for count in count_alike(plan).values()) == least


@given(st.integers(4, 9), st.data())
def test_gain_of_an_exchange_is_the_change_of_the_sum_of_squares(teams, data):
    search = _Sides(pair_all(teams), teams)
    for turn, place in data.draw(st.lists(st.sampled_from(search.spots), min_size=1, max_size=6)):
        before = sum(count * count for row in search.alike for count in row) // 2
        gain = search.gain(turn, place)
        search.exchange(turn, place)
        assert sum(count * count for row in search.alike for count in row) // 2 == before + gain
        rows = search.sides
        assert search.alike == [
            [0 if a == b else sum(row[a] == row[b] != 0 for row in rows) for b in range(teams + 1)]
            for a in range(teams + 1)
        ]


@pytest.mark.parametrize("places", STARTERS)
def test_starter_and_adder_give_every_place_once(places):
    pairs = [((x, (x + d) % places), a) for d, (x, a) in enumerate(STARTERS[places], start=1)]
    assert sorted(place for pair, _ in pairs for place in pair) == [*range(1, places)]
    assert sorted((place + adder) % places for pair, adder in pairs for place in pair) == [*range(1, places)]
    assert len({adder for _, adder in pairs}) == len(pairs) == (places - 1) // 2
    assert 0 not in {adder for _, adder in pairs}


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(("teams", "expected"), [(3, True), (4, False), (6, False)])
def test_four_and_six_teams_have_no_moving_etuis(teams, expected):
    """Try every way to give each match of a round robin one of as many étui sets as rounds.

    Four and six teams have only one round robin, but for the names of the teams. Two teams have one round.
    """
    rounds = pair_all(teams)
    sets = range(len(rounds))

    def lay(turn, played):
        if turn == len(rounds):
            return True
        for laid in permutations(sets, len(rounds[turn])):
            now = {(team, index) for pair, index in zip(rounds[turn], laid, strict=True) for team in pair}
            if not now & played and lay(turn + 1, played | now):
                return True
        return False

    assert lay(0, frozenset()) == expected


@pytest.mark.parametrize(("teams", "positions"), [(4, 3), (5, 5), (6, 5), (8, 8), (44, 5)])
def test_moving_etuis_that_do_not_exist_are_refused(teams, positions):
    assert not can_move(teams, positions)
    with pytest.raises(PlanError) as caught:
        all_meet(teams, positions, moving=True)
    assert caught.value.code == "moving_etuis"


@pytest.mark.parametrize(("teams", "positions"), [(8, 4), (9, 5), (16, 5), (7, 3)])
@pytest.mark.parametrize("moving", [False, True])
def test_shorter_evening_plays_the_first_rounds(teams, positions, moving):
    short, whole = (all_meet(teams, count, moving=moving) for count in (positions, rounds_of(teams)))
    assert judge_sides(short) == {}
    pairs = [[frozenset(stop.people) for stop in plan.stops if stop.position <= positions] for plan in (short, whole)]
    assert pairs[0] == pairs[1]
    assert max(count_rests(short).values()) <= 1


@pytest.mark.parametrize(("teams", "positions"), [(4, 6), (4, 5), (5, 8), (6, 10), (3, 5)])
def test_longer_evening_begins_again_and_repeats_only_what_counting_forces(teams, positions):
    plan = all_meet(teams, positions)
    figures = compute_figures(plan)
    assert check_plan(plan, figures) == []
    assert figures.repeated == plan.positions * (teams // 2) - teams * (teams - 1) // 2
    assert figures.repeated - figures.bound <= teams % 2  # teams that rest once more meet others once less
    assert figures.most_exempt == figures.rests_bound


def test_plans_are_the_same_on_every_machine():
    told = [(stop.first, stop.second) for stop in all_meet(6, 5).stops]
    assert told == [(stop.first, stop.second) for stop in all_meet(6, 5).stops]
    assert all_meet(12, 11) == all_meet(12, 11)


def test_emmanuel_is_the_movement_of_the_vectors():
    golden = json.loads((GOLDEN / "emmanuel16.json").read_text())
    plan = emmanuel()
    assert [
        [stop.position, stop.table, stop.first, "BWR"[stop.badge - 1], stop.second] for stop in plan.stops
    ] == golden
    assert check_plan(plan, compute_figures(plan)) == []


def test_each_team_of_emmanuel_attacks_each_other_once_and_defends_as_often():
    plan = emmanuel()
    attacks = Counter((stop.first, stop.second) for stop in plan.stops)
    assert attacks == Counter((one, other) for one in range(1, 17) for other in range(1, 17) if one != other)
    figures = compute_figures(plan)
    assert (figures.least_attacks, figures.most_attacks, figures.attack_gap) == (60, 60, 0)
    assert (figures.repeated, figures.most_exempt, figures.etuis, figures.copies) == (0, 0, 80, 3)


def test_any_two_teams_of_emmanuel_attack_together_once():
    plan = emmanuel()
    attacking = [sorted({stop.first for stop in plan.at(position)}) for position in range(1, 21)]
    assert Counter(pair for teams in attacking for pair in combinations(teams, 2)) == Counter(
        combinations(range(1, 17), 2)
    )
    for first in range(0, 20, 4):
        assert sorted(team for teams in attacking[first : first + 4] for team in teams) == [*range(1, 17)]


def test_emmanuel_is_in_barometer_and_a_player_sits_at_one_table():
    plan = emmanuel(8)
    assert plan.positions == 8
    for position in range(1, 9):
        stops = [*plan.at(position)]
        assert plan.in_barometer(position)
        assert Counter((stop.first, stop.badge) for stop in stops) == Counter(
            (team, badge) for team in {stop.first for stop in stops} for badge in (1, 2, 3)
        )


@pytest.mark.parametrize("positions", [0, 3, 5, 21, 24])
def test_emmanuel_of_another_length_is_refused(positions):
    with pytest.raises(PlanError) as caught:
        emmanuel(positions)
    assert caught.value.code == ("positions" if positions == 0 else "emmanuel_positions")
