"""The number of an étui: it gives the taker, the dealer and the leader. Also ranges of numbers typed by people."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import Seat
from deals.domain.etui import EtuiError, etui_ranges, leader, taker_and_dealer, to_the_right

LINES = tuple(Seat)[:4]


@given(st.integers(0, 10_000))
def test_four_etuis_have_every_taker_and_every_dealer_once(group):
    takers, dealers = zip(*(taker_and_dealer(4 * group + i) for i in range(1, 5)), strict=True)
    assert sorted(takers) == sorted(dealers) == sorted(LINES)


@given(st.integers(0, 10_000))
def test_sixteen_etuis_have_every_taker_and_dealer_together_once(group):
    pairs = [taker_and_dealer(16 * group + i) for i in range(1, 17)]
    assert sorted(pairs) == sorted(product(LINES, LINES))


@given(st.integers(1, 100))
def test_pairs_come_as_evenly_as_any_count_of_etuis_allows(count):
    seen = Counter(taker_and_dealer(number) for number in range(1, count + 1))
    assert {seen[pair] for pair in product(LINES, LINES)} <= {count // 16, count // 16 + 1}


@given(st.integers(0, 100))
def test_four_etuis_put_every_line_before_the_same_task(group):
    """Check that the four takers of a group sit at the same distance to the right of their dealers."""
    etuis = [taker_and_dealer(4 * group + i) for i in range(1, 5)]
    steps = {next(n for n in range(4) if to_the_right(dealer, n) == taker) for taker, dealer in etuis}
    assert steps == {(group % 4 + 1) % 4}


def test_first_etuis():
    assert [taker_and_dealer(number) for number in (1, 2, 5, 13, 17)] == [
        (Seat.W, Seat.N),
        (Seat.S, Seat.W),
        (Seat.S, Seat.N),
        (Seat.N, Seat.N),
        (Seat.W, Seat.N),
    ]


def test_leader_sits_at_the_dealers_right():
    """Check the leaders. Seen from above with North at the top, a player facing South has West at their right hand."""
    assert [leader(dealer) for dealer in LINES] == [Seat.W, Seat.N, Seat.E, Seat.S]


def test_leader_of_three_and_of_five_players():
    assert [leader(dealer, 3) for dealer in LINES[:3]] == [Seat.S, Seat.N, Seat.E]
    assert [leader(dealer, 5) for dealer in Seat] == [Seat.F, Seat.N, Seat.E, Seat.S, Seat.W]


def test_play_goes_north_west_south_east():
    assert [to_the_right(Seat.N, steps) for steps in range(5)] == [Seat.N, Seat.W, Seat.S, Seat.E, Seat.N]


@pytest.mark.parametrize("number", [0, -3, 2**32])
def test_etui_number_out_of_range_is_refused(number):
    with pytest.raises(EtuiError) as caught:
        taker_and_dealer(number)
    assert (caught.value.code, caught.value.params) == ("board", {"found": number})


@pytest.mark.parametrize(
    ("text", "etuis"),
    [("7", [7]), ("1-4", [1, 2, 3, 4]), ("1-3,9", [1, 2, 3, 9]), (" 9 , 2 - 3 ", [9, 2, 3]), ("5-5", [5])],
)
def test_etui_ranges(text, etuis):
    assert [number for part in etui_ranges(text) for number in part] == etuis


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
def test_etui_ranges_refuse_what_names_no_etui(text, code, found):
    with pytest.raises(EtuiError) as caught:
        etui_ranges(text)
    assert (caught.value.code, caught.value.params) == (code, {"found": found})
