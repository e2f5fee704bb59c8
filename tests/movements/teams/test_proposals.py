"""The plans that are proposed for teams, and what is told about each."""

import pytest

from movements import PlanError
from movements.teams import propose_matches, propose_quadrettes, propose_triplettes
from tests.movements.recount import check_plan


def told(proposals):
    return {each.code: each.params for each in proposals}


@pytest.mark.parametrize(
    ("teams", "positions", "first"),
    [(4, 3, "all_meet"), (16, 5, "all_meet"), (17, 5, "two_lines"), (40, 5, "two_lines")],
)
def test_small_fields_are_offered_a_round_robin_first_and_large_ones_two_lines(teams, positions, first):
    assert propose_triplettes(teams, positions)[0].code == first


@pytest.mark.parametrize("teams", [*range(4, 42), 100])
def test_every_proposal_is_without_fault_and_its_figures_are_true(teams):
    for proposal in propose_triplettes(teams, 5) + propose_quadrettes(teams, 4):
        assert check_plan(proposal.plan, proposal.figures) == []


def test_four_and_six_teams_are_offered_no_moving_round_robin():
    assert "all_meet_moving" not in told(propose_triplettes(4, 3)) | told(propose_triplettes(6, 5))
    assert "all_meet_moving" in told(propose_triplettes(8, 7))


@pytest.mark.nightly("statistics")
def test_emmanuel_is_offered_to_sixteen_teams_alone_in_whole_rounds():
    found = {each.code: each for each in propose_triplettes(16, 6)}
    assert (found["emmanuel16"].plan.positions, found["emmanuel16"].params) == (4, {"copies": 3, "positions": 4})
    assert "emmanuel16" not in told(propose_triplettes(15, 6)) | told(propose_triplettes(17, 6))
    assert {each.code: each.plan.positions for each in propose_triplettes(16, 25)}["emmanuel16"] == 20


def test_odd_number_of_etuis_is_told_with_the_largest_difference():
    for proposal in propose_triplettes(8, 3, 3):
        assert proposal.params["odd_etuis"] == proposal.figures.attack_gap >= proposal.figures.gap_bound == 1
    assert all("odd_etuis" not in each.params for each in propose_triplettes(8, 3, 4))


def test_rests_and_copies_and_repeated_meetings_are_told():
    assert told(propose_triplettes(5, 5))["all_meet"] == {"rests": 1}
    assert told(propose_triplettes(12, 5))["all_meet"] == {"copies": 2}
    assert told(propose_triplettes(4, 4))["all_meet"] == {"repeated": 2}


def test_quadrettes_say_how_many_copies_each_way_needs():
    assert told(propose_quadrettes(6, 5)) == {"at_once": {"copies": 2}, "halves": {"copies": 2}, "apart": {}}
    assert told(propose_quadrettes(10, 9)) == {"at_once": {"copies": 4}, "halves": {"copies": 3}, "apart": {}}
    assert told(propose_quadrettes(10, 9, 1)) == {"at_once": {"copies": 10}, "apart": {"copies": 2}}


def test_odd_number_of_teams_goes_there_and_back_in_an_even_number_of_positions():
    assert told(propose_quadrettes(5, 3)) == {
        "there_and_back": {"positions": 2},
        "apart": {"positions": 2},
    }
    assert [each.plan.positions for each in propose_quadrettes(5, 1)] == [2, 2]
    assert told(propose_quadrettes(41, 4)) == {"there_and_back": {"copies": 5}, "apart": {}}


@pytest.mark.parametrize(
    ("propose", "teams"), [(propose_triplettes, 3), (propose_triplettes, 301), (propose_quadrettes, 1)]
)
def test_number_of_teams_out_of_range_is_refused(propose, teams):
    with pytest.raises(PlanError) as caught:
        propose(teams, 4)
    assert caught.value.code == "teams"


@pytest.mark.parametrize("teams", [2, 4, 10, 40])
@pytest.mark.parametrize("etuis", [4, 5, 6])
def test_matches_are_offered_in_four_quarters_without_fault(teams, etuis):
    found = {each.code: each for each in propose_matches(teams, 4, etuis)}
    assert [*found] == ["match_at_once", "match_halves", "match_apart"][: 2 if teams == 2 else 3]
    for each in found.values():
        assert check_plan(each.plan, each.figures) == []
        assert (each.plan.positions, each.plan.tables) == (4, teams)
        assert {frozenset(stop.people) for stop in each.plan.stops} == {
            frozenset((team, team + 1)) for team in range(1, teams, 2)
        }


def test_matches_say_how_many_copies_each_way_needs():
    assert told(propose_matches(2, 4)) == {"match_at_once": {"copies": 2}, "match_halves": {}}
    assert told(propose_matches(8, 5)) == {
        "match_at_once": {"copies": 2, "positions": 4},
        "match_halves": {"copies": 2, "positions": 4},
        "match_apart": {"positions": 4},
    }


@pytest.mark.parametrize(("teams", "etuis", "code"), [(3, 4, "match_pairs"), (4, 3, "quarter_etuis"), (0, 4, "teams")])
def test_matches_of_an_odd_number_of_teams_or_with_short_quarters_are_refused(teams, etuis, code):
    with pytest.raises(PlanError) as caught:
        propose_matches(teams, 4, etuis)
    assert caught.value.code == code
