"""The cut between two rounds: equal players at the last place, withdrawals, and 488 → 244 → 104."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tournament import Result, Round, TournamentRules, rank_tournament
from tournaments.rules.cut import CutRules, CutState, CutTies, PlacedPlayer, make_cut

ON = (CutState.IN, CutState.MOVED_UP)


def ranked(*ranks):
    return [PlacedPlayer(player, rank) for player, rank in enumerate(ranks, 1)]


def go_on(rows, places, withdrawn=(), **how):
    return [line.player for line in make_cut(rows, CutRules(places, **how), withdrawn) if line.state in ON]


@st.composite
def fields(draw):
    marks = draw(st.lists(st.integers(-20, 20), min_size=1, max_size=40))
    lasts = draw(st.lists(st.integers(-3, 3), min_size=len(marks), max_size=len(marks)))
    ranks = [1 + sum(other > mark for other in marks) for mark in marks]
    rows = [
        PlacedPlayer(player, rank, Fraction(last)) for player, (rank, last) in enumerate(zip(ranks, lasts, strict=True))
    ]
    gone = draw(st.sets(st.sampled_from(range(len(rows)))))
    rules = CutRules(draw(st.integers(1, 45)), draw(st.sampled_from(CutTies)), draw(st.text(max_size=4)))
    return rows, rules, gone, draw(st.permutations(rows))


@given(fields())
def test_cut_does_not_depend_on_the_order_of_rows(field):
    rows, rules, gone, mixed = field
    assert make_cut(mixed, rules, gone) == make_cut(rows, rules, gone)


@given(fields())
def test_cut_gives_each_place_and_lets_only_equal_players_in_beyond_it(field):
    rows, rules, gone, _mixed = field
    lines = make_cut(rows, rules, gone)
    there = [line for line in lines if line.player not in gone]
    on = [line for line in there if line.state in ON]
    assert there[: len(on)] == on
    assert len(on) >= min(rules.places, len(there))
    if rules.ties is CutTies.DRAW:
        assert len(on) == min(rules.places, len(there))
    assert {line.rank for line in on[rules.places :]} <= {line.rank for line in on[rules.places - 1 : rules.places]}


@given(fields())
def test_withdrawal_moves_nobody_down(field):
    rows, rules, gone, _mixed = field
    before = {line.player for line in make_cut(rows, rules) if line.state in ON}
    lines = make_cut(rows, rules, gone)
    assert before - gone <= {line.player for line in lines if line.state is CutState.IN}
    assert {line.player for line in lines if line.state is CutState.WITHDRAWN} == gone
    assert {line.player for line in lines if line.state is CutState.MOVED_UP}.isdisjoint(before)


def test_all_equal_players_around_the_last_place_go_on():
    assert go_on(ranked(1, 2, 3, 3, 3, 6), 4) == [1, 2, 3, 4, 5]
    lines = make_cut(ranked(1, 2, 3, 3, 3, 6), CutRules(4))
    assert [line.is_equal for line in lines] == [False, False, True, True, True, False]
    assert CutRules(4) == CutRules(4, CutTies.ALL)


def test_next_moves_up_only_once_the_equal_players_have_left_a_place():
    rows = ranked(1, 2, 3, 3, 3, 6)
    assert go_on(rows, 4, {1}) == [2, 3, 4, 5]
    assert go_on(rows, 4, {1, 2}) == [3, 4, 5, 6]


def test_better_last_result_goes_on_and_missing_one_comes_last():
    rows = [PlacedPlayer(1, 1, Fraction(5)), PlacedPlayer(2, 1), PlacedPlayer(3, 1, Fraction(7, 2))]
    assert go_on(rows, 2, ties=CutTies.LAST) == [1, 3]
    assert go_on(rows, 1, ties=CutTies.LAST) == [1]


def test_lots_choose_the_number_of_places_and_stay_the_same():
    rows = ranked(*[1] * 9)
    first = go_on(rows, 4, ties=CutTies.DRAW, lot="a")
    assert len(first) == 4
    assert go_on(rows, 4, ties=CutTies.DRAW, lot="a") == first
    assert go_on(rows, 4, ties=CutTies.DRAW, lot="b") != first


def test_more_places_than_players_lets_all_go_on():
    assert go_on(ranked(1, 2, 2), 9) == [1, 2, 3]
    assert go_on([], 9) == []
    assert go_on(ranked(1, 2), 2, {1, 2}) == []


@pytest.mark.parametrize(
    ("ranks", "places", "equal"),
    [
        ((1, 2, 3), 2, []),
        ((1, 2, 2, 4), 2, [2, 3]),
        ((1, 1, 3), 2, [1, 2]),
        ((1, 1, 3), 3, []),
        ((1, 1, 1), 1, [1, 2, 3]),
    ],
)
def test_players_are_equal_at_the_line_if_they_share_the_last_rank(ranks, places, equal):
    lines = make_cut(ranked(*ranks), CutRules(places, CutTies.DRAW))
    assert sorted(line.player for line in lines if line.is_equal) == equal
    states = [CutState.IN] * places + [CutState.OUT] * (len(ranks) - places)
    assert [line.state for line in lines] == states


def test_player_without_a_last_result_comes_after_a_last_result_below_zero():
    rows = [PlacedPlayer(1, 1), PlacedPlayer(2, 1, Fraction(-3)), PlacedPlayer(3, 1, Fraction(0))]
    assert [line.player for line in make_cut(rows, CutRules(1, CutTies.LAST))] == [3, 2, 1]


def test_no_place_and_two_ranks_of_one_player_are_refused():
    with pytest.raises(ValueError, match="one place"):
        make_cut(ranked(1), CutRules(0))
    with pytest.raises(ValueError, match="one rank"):
        make_cut([PlacedPlayer(1, 1), PlacedPlayer(1, 2)], CutRules(1))


def rank_by_hand(marks, deepest):
    """Return the players by deepest round and total, computed without `scoring`."""
    totals = {player: sum(own) for player, own in marks.items()}
    return sorted(totals, key=lambda player: (-deepest[player], -totals[player], player))


@pytest.mark.nightly("statistics")
def test_488_players_244_and_104_equal_an_independent_computation():
    chance = random.Random(488)
    players = list(range(1, 489))
    marks, deepest = {player: [] for player in players}, dict.fromkeys(players, 0)
    rounds, there = [], players
    for level, places in enumerate((244, 104, None)):
        played = {player: chance.randint(-900, 900) for player in there}
        rounds.append(Round({player: Result(Fraction(mark)) for player, mark in played.items()}, level=level))
        for player, mark in played.items():
            marks[player].append(mark)
            deepest[player] = level
        standings = rank_tournament(rounds)
        order = rank_by_hand(marks, deepest)
        key = {player: (deepest[player], sum(marks[player])) for player in order}
        expected = {player: 1 + sum(key[other] > key[player] for other in order) for player in order}
        assert {each.player: each.rank for each in standings} == expected
        if places is None:
            break
        rows = [PlacedPlayer(each.player, each.rank) for each in standings if each.player in set(there)]
        last = key[[player for player in order if player in set(there)][places - 1]]
        there = [player for player in order if key[player] >= last]
        assert sorted(go_on(rows, places)) == sorted(there)
        assert len(there) >= places


def test_carry_over_is_taken_at_each_cut():
    rounds = [
        Round({1: Result(Fraction(80)), 2: Result(Fraction(60)), 3: Result(Fraction(40))}),
        Round({1: Result(Fraction(20)), 2: Result(Fraction(30))}, level=1),
        Round({2: Result(Fraction(7))}, level=2),
    ]
    standings = rank_tournament(rounds, TournamentRules(carry_over=Fraction(1, 2)))
    assert [(each.player, each.total, each.rank) for each in standings] == [
        (2, Fraction(60, 4) + Fraction(30, 2) + 7, 1),
        (1, Fraction(80, 2) + 20, 2),
        (3, Fraction(40), 3),
    ]
    alone = rank_tournament(rounds, TournamentRules(carry_over=Fraction(0)))
    assert [(each.player, each.total) for each in alone] == [(2, 7), (1, 20), (3, 40)]
