"""The plans of triplettes on two lines, for 4 to 40 teams: nobody meets twice, plays an étui twice or rests twice."""

import pytest

from movements import PlanError, compute_figures
from movements.teams import two_lines
from movements.teams.triplettes import moving_positions
from tests.movements.recount import check_plan
from tests.movements.teams.judge import count_attacks, count_rests, judge_sides

TEAMS = range(4, 42)


@pytest.mark.parametrize(("tables", "positions"), [(2, 1), (3, 3), (4, 3), (5, 5), (8, 7), (20, 19)])
def test_etuis_move_for_as_many_positions_as_tables_or_one_less(tables, positions):
    assert moving_positions(tables) == positions


@pytest.mark.parametrize("teams", TEAMS)
def test_plan_is_perfect_as_long_as_the_etuis_can_move(teams):
    tables = (teams + 1) // 2
    plan = two_lines(teams, moving_positions(tables))
    assert judge_sides(plan) == {}
    assert check_plan(plan, compute_figures(plan)) == []
    assert (plan.tables, plan.lines, plan.rule) == (tables, (tables, teams - tables), "two_lines")
    assert not any(plan.in_barometer(position) for position in range(1, plan.positions + 1))


@pytest.mark.parametrize("teams", TEAMS)
def test_plan_in_barometer_is_perfect_for_as_many_positions_as_tables(teams):
    tables = (teams + 1) // 2
    plan = two_lines(teams, tables, barometer=True)
    assert judge_sides(plan) == {}
    assert check_plan(plan, compute_figures(plan)) == []
    assert all(plan.in_barometer(position) for position in range(1, plan.positions + 1))
    assert compute_figures(plan).copies == -(-tables // 4)


@pytest.mark.parametrize("teams", TEAMS)
def test_north_south_stay_and_east_west_go_up_and_etuis_down_one_table(teams):
    tables = (teams + 1) // 2
    plan = two_lines(teams, moving_positions(tables))
    at = {(stop.position, stop.table): stop for stop in plan.stops}
    for (position, table), stop in at.items():
        if position == plan.positions:
            continue
        skips = tables % 2 == 0 and position == tables // 2
        assert at[position + 1, table].first == stop.first
        assert at[position + 1, (table + skips) % tables + 1].second == stop.second
        assert at[position + 1, (table - 2) % tables + 1].etuis == stop.etuis


@pytest.mark.parametrize("teams", [each for each in TEAMS if each % 2])
def test_odd_number_rests_one_of_the_longer_line_in_each_position(teams):
    plan = two_lines(teams, moving_positions((teams + 1) // 2))
    rests, figures = count_rests(plan), compute_figures(plan)
    assert {*map(len, plan.list_resting())} == {1}
    assert {team for team, times in rests.items() if times} <= {*range(1, plan.lines[0] + 1)}
    # counting: the rests of the evening have to be shared by the teams of one line, each of which has one at most
    assert max(rests.values()) == figures.rests_bound == 1
    assert (figures.least_exempt, figures.most_exempt) == (0, 1)


@pytest.mark.parametrize("teams", TEAMS)
def test_even_number_of_etuis_lets_everybody_attack_as_often_as_defend(teams):
    for etuis in (2, 4, 6):
        plan = two_lines(teams, moving_positions((teams + 1) // 2), etuis)
        attacks, defences = count_attacks(plan)
        assert attacks == defences
        assert compute_figures(plan).attack_gap == 0


@pytest.mark.parametrize("teams", [5, 8, 13, 14])
def test_odd_number_of_etuis_leaves_a_gap_that_the_figures_tell(teams):
    plan = two_lines(teams, 3, 3)
    attacks, defences = count_attacks(plan)
    figures = compute_figures(plan)
    gaps = [abs(attacks[team] - defences[team]) for team in range(1, teams + 1)]
    assert figures.attack_gap == max(gaps) >= figures.gap_bound == 1  # 9 étuis, or 6 for who rests
    assert (figures.least_attacks, figures.most_attacks) == (min(attacks.values()), max(attacks.values()))


@pytest.mark.parametrize(("teams", "positions"), [(4, 2), (8, 4), (8, 6), (10, 7), (12, 9)])
def test_longer_evening_is_in_barometer_and_repeats_only_what_counting_forces(teams, positions):
    plan = two_lines(teams, positions)
    figures = compute_figures(plan)
    assert plan.rule == "two_lines_barometer"
    assert check_plan(plan, figures) == []
    assert figures.repeated == figures.bound == teams // 2 * max(0, positions - teams // 2)


@pytest.mark.parametrize(
    ("teams", "positions", "code"), [(3, 1, "teams"), (301, 1, "teams"), (8, 0, "positions"), (8, 151, "positions")]
)
def test_count_out_of_range_is_refused(teams, positions, code):
    with pytest.raises(PlanError) as caught:
        two_lines(teams, positions)
    assert caught.value.code == code


def test_three_hundred_teams_are_planned():
    plan = two_lines(300, 5)
    assert (plan.tables, judge_sides(plan)) == (150, {})
