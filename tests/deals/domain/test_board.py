"""What a board's number says: taker, dealer, leader; and the ranges that a command line or a page names."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.board import BoardError, board_ranges, leader, taker_and_dealer, to_the_right
from deals.domain.cards import Seat

LINES = tuple(Seat)[:4]


@given(st.integers(0, 10_000))
def test_four_boards_have_every_taker_and_every_dealer_once(group):
    takers, dealers = zip(*(taker_and_dealer(4 * group + i) for i in range(1, 5)), strict=True)
    assert sorted(takers) == sorted(dealers) == sorted(LINES)


@given(st.integers(0, 10_000))
def test_sixteen_boards_have_every_taker_and_dealer_together_once(group):
    pairs = [taker_and_dealer(16 * group + i) for i in range(1, 17)]
    assert sorted(pairs) == sorted(product(LINES, LINES))


@given(st.integers(1, 100))
def test_pairs_come_as_evenly_as_any_count_of_boards_allows(count):
    seen = Counter(taker_and_dealer(number) for number in range(1, count + 1))
    assert {seen[pair] for pair in product(LINES, LINES)} <= {count // 16, count // 16 + 1}


@given(st.integers(0, 100))
def test_four_boards_put_every_line_before_the_same_task(group):
    """All four takers of a group sit as many places to the dealer's right."""
    boards = [taker_and_dealer(4 * group + i) for i in range(1, 5)]
    steps = {next(n for n in range(4) if to_the_right(dealer, n) == taker) for taker, dealer in boards}
    assert steps == {(group % 4 + 1) % 4}


def test_first_boards():
    assert [taker_and_dealer(number) for number in (1, 2, 5, 13, 17)] == [
        (Seat.W, Seat.N),
        (Seat.S, Seat.W),
        (Seat.S, Seat.N),
        (Seat.N, Seat.N),
        (Seat.W, Seat.N),
    ]


def test_leader_sits_at_the_dealers_right():
    """Seen from above with North at the top, a player facing South has West at his right hand."""
    assert [leader(dealer) for dealer in LINES] == [Seat.W, Seat.N, Seat.E, Seat.S]


def test_leader_of_three_and_of_five_players():
    assert [leader(dealer, 3) for dealer in LINES[:3]] == [Seat.S, Seat.N, Seat.E]
    assert [leader(dealer, 5) for dealer in Seat] == [Seat.F, Seat.N, Seat.E, Seat.S, Seat.W]


def test_play_goes_north_west_south_east():
    assert [to_the_right(Seat.N, steps) for steps in range(5)] == [Seat.N, Seat.W, Seat.S, Seat.E, Seat.N]


@pytest.mark.parametrize("number", [0, -3, 2**32])
def test_board_number_out_of_range_is_refused(number):
    with pytest.raises(BoardError) as caught:
        taker_and_dealer(number)
    assert (caught.value.code, caught.value.params) == ("board", {"found": number})


@pytest.mark.parametrize(
    ("text", "boards"),
    [("7", [7]), ("1-4", [1, 2, 3, 4]), ("1-3,9", [1, 2, 3, 9]), (" 9 , 2 - 3 ", [9, 2, 3]), ("5-5", [5])],
)
def test_board_ranges(text, boards):
    assert [number for part in board_ranges(text) for number in part] == boards


@pytest.mark.parametrize(
    ("text", "code", "found"),
    [
        ("", "range", ""),
        ("1,,2", "range", ""),
        ("1-2-3", "range", "1-2-3"),
        ("one", "range", "one"),
        ("9-7", "range", "9-7"),
        ("-3", "range", "-3"),
        ("0-4", "board", 0),
        ("1-4294967296", "board", 2**32),
    ],
)
def test_board_ranges_refuse_what_names_no_board(text, code, found):
    with pytest.raises(BoardError) as caught:
        board_ranges(text)
    assert (caught.value.code, caught.value.params) == (code, {"found": found})
