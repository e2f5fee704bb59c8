"""The seating of the next game of free deals: by ranking, in strict order, by lot."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements import OddTables, compute_figures, find_faults
from movements.games import NextGame, seat_next_game, split_people, start_games
from movements.plan.measures import count_odd_tables
from tests.movements.games.fields import VARIED, refused_as, seat_all_by_ranking
from tests.movements.recount import check_plan

NOBODY_MEETS_AGAIN = [61, 62, 63, 122, 28, 40]


@pytest.mark.parametrize("people", NOBODY_MEETS_AGAIN)
def test_five_games_by_ranking_repeat_no_meeting(people):
    for odd in (OddTables.THREES, OddTables.FIVE, OddTables.MORT):
        games = seat_all_by_ranking(people, 5, odd)
        figures = compute_figures(games)
        assert (figures.repeated, check_plan(games, figures)) == (0, [])


def test_five_hundred_people_play_ten_games_and_nobody_meets_again():
    games = seat_all_by_ranking(500, 10)
    figures = compute_figures(games)
    assert (figures.repeated, figures.sizes, check_plan(games, figures)) == (0, ((4, 1250),), [])


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("people", range(3, 41))
def test_every_number_of_people_is_seated_by_ranking(people):
    games = seat_all_by_ranking(people, 4)
    assert check_plan(games, compute_figures(games)) == []


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("people", range(20, 28))
def test_small_fields_repeat_at_most_four_meetings(people):
    assert compute_figures(seat_all_by_ranking(people, 5)).repeated <= 4


def test_first_game_seats_the_first_four_together():
    games = seat_next_game(start_games(40, 5, 4), list(range(1, 41)))
    assert games.at(1)[0].people == (1, 2, 3, 4)


@pytest.mark.nightly("statistics")
@given(st.integers(20, 90), st.sampled_from(VARIED))
@settings(max_examples=20, deadline=None)
def test_odd_tables_go_to_those_who_had_fewest(people, odd):
    games = seat_all_by_ranking(people, 6, odd)
    times = count_odd_tables(games)
    counts = [times[number] for number in range(1, people + 1)]
    slots = sum(size for size in split_people(people, odd) if size != games.usual) * 6
    assert max(counts) <= -(-slots // people) + 1


def test_lowest_ranks_sit_at_the_first_odd_tables():
    games = seat_next_game(start_games(62, 5, 4), list(range(1, 63)))
    odd = {number for part in games.stops if len(part.people) == 3 for number in part.people}
    assert odd == set(range(57, 63))


def test_strict_order_seats_neighbours_even_if_they_have_met():
    games = start_games(8, 5, 4)
    order = [8, 7, 6, 5, 4, 3, 2, 1]
    for game in (1, 2):
        games = seat_next_game(games, order, NextGame.STRICT)
        assert [part.people for part in games.at(game)] == [(8, 7, 6, 5), (4, 3, 2, 1)]


def test_strict_order_moves_the_odd_tables_from_game_to_game():
    games = start_games(11, 3, 4)
    for _ in range(3):
        games = seat_next_game(games, list(range(1, 12)), NextGame.STRICT)
    threes = [part.people for part in games.stops if len(part.people) == 3]
    assert threes == [(9, 10, 11), (5, 6, 7), (1, 2, 3)]
    assert find_faults(games) == []


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(("people", "size"), [(8, 2), (16, 2), (28, 2), (28, 4), (61, 2), (120, 4)])
def test_strict_order_never_seats_mates_together(people, size):
    mates = group_mates(people, size)
    for seed in range(60):
        chance, games = Random(seed), start_games(people, 3, 4, mates=mates)
        for _ in range(3):
            order = list(range(1, people + 1))
            chance.shuffle(order)
            games = seat_next_game(games, order, NextGame.STRICT)
        assert find_faults(games) == []


def group_mates(people, size):
    return tuple(tuple(range(first, first + size)) for first in range(1, people - size + 2, size))


def test_strict_order_leaves_tables_without_mates_as_slices():
    order = [*range(1, 61, 2), *range(2, 61, 2)]
    games = start_games(60, 5, 4, mates=group_mates(60, 2))
    slices = [tuple(order[start : start + 4]) for start in range(0, 60, 4)]
    assert [part.people for part in seat_next_game(games, order, NextGame.STRICT).stops] == slices
    order[3], order[30] = order[30], order[3]  # number 2 comes to the table of its mate
    tables = [part.people for part in seat_next_game(games, order, NextGame.STRICT).stops]
    assert tables[:2] == [(1, 3, 5, 9), (2, 11, 13, 15)]
    assert tables[2:] == [*slices[2:7], (57, 59, 7, 4), *slices[8:]]


def test_a_draw_depends_on_its_seed_alone():
    games = start_games(40, 5, 4)
    one = seat_next_game(games, list(range(1, 41)), NextGame.DRAW, seed=5)
    assert one == seat_next_game(games, list(range(40, 0, -1)), NextGame.DRAW, seed=5)
    assert one != seat_next_game(games, list(range(1, 41)), NextGame.DRAW, seed=6)


def test_members_of_one_team_are_kept_apart_by_ranking():
    mates = tuple((number, number + 1) for number in range(1, 61, 2))
    games = start_games(61, 5, 4, mates=mates)
    for _ in range(5):
        games = seat_next_game(games, list(range(1, 62)))
    figures = compute_figures(games)
    assert (figures.mates, figures.repeated, check_plan(games, figures)) == (0, 0, [])
    assert all(len(set(team) & set(part.people)) < 2 for part in games.stops for team in mates)


def test_two_teams_of_four_cannot_be_kept_apart():
    games = start_games(8, 5, 4, mates=((1, 2, 3, 4), (5, 6, 7, 8)))
    with refused_as("mates_meet"):
        seat_next_game(games, list(range(1, 9)))


@pytest.mark.guard("a plan of an evening")
def test_a_game_after_the_last_is_refused():
    games = seat_all_by_ranking(8, 2)
    with refused_as("games"):
        seat_next_game(games, list(range(1, 9)))


@pytest.mark.parametrize("order", [[1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 7], [1, 2, 3, 4, 5, 6, 7, 9]])
def test_an_order_of_other_people_is_refused(order):
    with refused_as("game_order"):
        seat_next_game(start_games(8, 2, 4), order)


def test_tables_hold_each_person_once():
    games = seat_all_by_ranking(61, 3, OddTables.MORT, NextGame.DRAW)
    for game in (1, 2, 3):
        tables = [set(part.people) for part in games.at(game)]
        assert all(one.isdisjoint(two) for one, two in combinations(tables, 2))
        assert set().union(*tables) == set(range(1, 62))
