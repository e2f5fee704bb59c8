"""All games of an evening of free deals, known beforehand."""

from collections import Counter
from itertools import chain, combinations

import pytest

from movements import OddTables, compute_figures, read_plan, write_plan
from movements.games import plan_games, search_fields, split_people
from movements.games.known import read_field
from movements.games.search_fields import list_fields, search_field
from movements.games.small_fields import FIELDS
from movements.plan.bounds import PlanError
from movements.plan.notation import is_games
from tests.movements.games.fields import VARIED, refused_as
from tests.movements.recount import check_plan

LEAST_WITH_THREES = {6: 15, 7: 24, 8: 32, 9: 9, 10: 15, 11: 20, 12: 24, 13: 3, 14: 2} | dict.fromkeys(range(15, 131), 0)
LEAST_WITH_FIVES = {9: 44, 14: 39, 17: 4, 18: 11} | dict.fromkeys((16, *range(20, 131)), 0)


@pytest.mark.parametrize(("people", "repeated"), LEAST_WITH_THREES.items())
def test_five_games_with_tables_of_three_have_the_least_repeated_meetings(people, repeated):
    games = plan_games(people, 5, 4)
    figures = compute_figures(games)
    assert (figures.repeated, check_plan(games, figures)) == (repeated, [])
    if people >= 16:
        assert figures.most_odd <= (3 if people < 36 else 2)


@pytest.mark.parametrize("odd", [OddTables.FIVE, OddTables.MORT, OddTables.FIVES])
@pytest.mark.parametrize("people", range(5, 131))
def test_five_games_with_tables_of_five_are_right(people, odd):
    if people in (6, 7, 11):
        with refused_as("no_fives"):
            plan_games(people, 5, 4, odd)
        return
    games = plan_games(people, 5, 4, odd)
    figures = compute_figures(games)
    assert check_plan(games, figures) == []
    if odd is not OddTables.FIVES and people in LEAST_WITH_FIVES:
        assert figures.repeated == LEAST_WITH_FIVES[people]
    if people >= 21:
        assert figures.repeated == 0
    if odd is OddTables.MORT and people % 4:
        assert figures.most_exempt > 0


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(
    ("people", "games"), [(20, 7), (16, 7), (13, 4), (12, 8), (24, 10), (23, 3), (61, 12), (30, 30)]
)
def test_other_numbers_of_games_are_right(people, games):
    for odd in VARIED:
        found = plan_games(people, games, 4, odd)
        assert (found.seated, check_plan(found, compute_figures(found))) == (games, [])


@pytest.mark.nightly("statistics")
def test_the_same_wish_gives_the_same_games():
    assert plan_games(37, 5, 4, OddTables.MORT) == plan_games(37, 5, 4, OddTables.MORT)


@pytest.mark.parametrize(
    ("people", "odd", "sizes"),
    [
        (61, OddTables.THREES, (4,) * 13 + (3,) * 3),
        (62, OddTables.THREES, (4,) * 14 + (3,) * 2),
        (63, OddTables.THREES, (4,) * 15 + (3,)),
        (61, OddTables.MORT, (5,) + (4,) * 14),
        (62, OddTables.FIVE, (5,) * 2 + (4,) * 13),
        (63, OddTables.FIVE, (5,) * 3 + (4,) * 12),
        (63, OddTables.FIVES, (5,) * 11 + (4,) * 2),
        (11, OddTables.THREES, (4, 4, 3)),
        (7, OddTables.THREES, (4, 3)),
        (5, OddTables.THREES, (5,)),
        (5, OddTables.MORT, (5,)),
        (3, OddTables.FIVE, (3,)),
    ],
)
def test_people_are_divided_into_tables(people, odd, sizes):
    assert split_people(people, odd) == sizes


@pytest.mark.parametrize("people", [6, 7, 11])
def test_few_people_cannot_sit_in_fours_and_fives(people):
    for odd in (OddTables.FIVE, OddTables.MORT, OddTables.FIVES):
        with refused_as("no_fives"):
            split_people(people, odd)


def test_with_a_mort_everybody_plays_the_deals_of_the_game():
    for part in plan_games(61, 5, 4, OddTables.MORT).stops:
        if len(part.people) == 5:
            assert (part.end, sorted(part.rests)) == (5, sorted(part.people))
        else:
            assert (part.end, part.rests) == (4, ())


def test_every_small_field_is_stored():
    assert set(FIELDS) == set(list_fields())


@pytest.mark.nightly("statistics")
def test_a_small_field_can_be_searched_again():
    repeated, seated = search_field(6, (3, 3), 4, seeds=1)
    assert (repeated, len(seated), len(read_field(FIELDS[3, 3]))) == (15, 5, 5)


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(("people", "team"), [(61, 2), (60, 4), (488, 4), (20, 2), (36, 4), (16, 2), (23, 2)])
def test_members_of_one_team_never_meet(people, team):
    games = plan_games(people, 5, 4, teams=[team] * (people // team))
    assert sorted(map(len, games.mates)) == [team] * (people // team)
    figures = compute_figures(games)
    assert (figures.mates, check_plan(games, figures)) == (0, [])


@pytest.mark.parametrize(("people", "teams"), [(8, [4, 4]), (12, [4, 4, 4]), (5, [2, 2])])
def test_teams_that_must_meet_are_refused(people, teams):
    with refused_as("mates_meet"):
        plan_games(people, 5, 4, teams=teams)


def test_more_members_than_people_are_refused():
    with refused_as("mates_people"):
        plan_games(8, 5, 4, teams=[5, 5])


@pytest.mark.parametrize(("people", "games", "deals"), [(2, 5, 4), (601, 5, 4), (20, 0, 4), (20, 31, 4), (20, 5, 13)])
def test_figures_out_of_range_are_refused(people, games, deals):
    with pytest.raises(PlanError):
        plan_games(people, games, deals)


@pytest.mark.nightly("statistics")
def test_the_data_of_games_give_the_games_again():
    games = plan_games(23, 5, 4, OddTables.MORT, teams=[2] * 11)
    assert read_plan(write_plan(games)) == games
    assert is_games(write_plan(games))
    assert not is_games({"plays": []})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("odd", "sixes"),
        ("competitors", "many"),
        ("competitors", 0),
        ("stops", {}),
        ("stops", [7]),
        ("stops", [{"position": 1, "table": 1, "seats": ["A"], "etuis": [1]}]),
        ("stays", [[1, 2]]),
        ("mates", [3]),
        ("positions", True),
    ],
)
def test_wrong_data_are_refused_with_their_field(field, value):
    data = write_plan(plan_games(8, 2, 4)) | {field: value}
    with refused_as("data"):
        read_plan(data)


def test_search_seats_everybody_once_in_each_game(monkeypatch):
    monkeypatch.setattr(search_fields, "STEPS", 300)
    repeated, games = search_field(7, [4, 3], 4, seeds=2)
    assert [sorted(chain(*game)) for game in games] == [[1, 2, 3, 4, 5, 6, 7]] * 5
    assert [sorted(map(len, game)) for game in games] == [[3, 4]] * 5
    met = Counter(pair for game in games for table in game for pair in combinations(sorted(table), 2))
    assert repeated == sum(times - 1 for times in met.values())
