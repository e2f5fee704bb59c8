"""The tests of the arithmetic of money: amounts, lists of prizes, and the division of a pot."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.cash import (
    AmountError,
    Division,
    Prize,
    PrizeListError,
    RankedPerson,
    divide_pot,
    read_amount,
    read_prizes,
)

WORDS = {"junior": "j", "moins de 18 ans": "y"}


def test_nothing_divided_is_due_to_nobody():
    assert Division() == Division((), Fraction(0), {}) != Division((), Fraction(1), {})
    assert divide_pot([], [], pot=0, one_each=False) == Division([], Fraction(0), {})


@pytest.mark.parametrize(
    ("text", "cents"),
    [("12,50", 1250), ("12.5 €", 1250), ("€ 12", 1200), ("1 250", 125000), ("0", 0), ("7,5 euros", 750), (" 8 ", 800)],
)
def test_typed_amounts(text, cents):
    assert read_amount(text) == cents


@pytest.mark.parametrize("text", ["", "-3", "12,505", "1e3", "1,250.00", "abc", "١٢", "123456", "5 € €", "+5", "12,"])
def test_no_amount(text):
    with pytest.raises(AmountError):
        read_amount(text)


def test_a_list_of_prizes():
    assert read_prizes("1: 40 %\n\n 2 : 15,50 €\n4-5: 5\nJunior 1: 2,5%\nmoins de 18 ans 2: 3", WORDS) == [
        Prize("", 1, None, Fraction(2, 5)),
        Prize("", 2, 1550),
        Prize("", 4, 500),
        Prize("", 5, 500),
        Prize("j", 1, None, Fraction(1, 40)),
        Prize("y", 2, 300),
    ]


@pytest.mark.parametrize(
    ("text", "prizes"),
    [
        ("1er : 40 %\n2e : 25 %", [("", 1), ("", 2)]),
        ("4 à 8 : 5", [("", place) for place in range(4, 9)]),
        ("du 2e au 3ème : 1 050", [("", 2), ("", 3)]),
        ("juniors 1: 10", [("j", 1)]),
        ("JUNIOR 1er: 10", [("j", 1)]),
        ("1er junior : 10\n2e Juniors: 5", [("j", 1), ("j", 2)]),
        ("1er moins de 18 ans : 10", [("y", 1)]),
    ],
)
def test_ranks_and_categories_are_read_as_clubs_write_them(text, prizes):
    assert [(each.category, each.place) for each in read_prizes(text, WORDS)] == prizes


@pytest.mark.parametrize("text", ["1: 100 %", "1: 60 %\n2: 40 %", "1-200: 0,5 %"])
def test_shares_may_be_the_whole_pot(text):
    assert sum(each.share for each in read_prizes(text, {})) == 1


@pytest.mark.parametrize(("prize", "cents"), [(Prize("", 1, 0), 0), (Prize("", 1, 99), 99), (Prize("", 1), 0)])
def test_prize_of_an_amount_does_not_depend_on_the_pot(prize, cents):
    assert prize.count_cents(10_000) == cents


@pytest.mark.parametrize("ranks", [(1,), (1, 1)])
def test_place_without_a_prize_adds_nothing_to_what_equals_share(ranks):
    """Check sums that one cent more would round up to the next euro."""
    ranked = [RankedPerson(number, rank) for number, rank in enumerate(ranks)]
    division = divide_pot(ranked, [Prize("", 1, 10_000 * len(ranks) - 1)], pot=0, one_each=True)
    assert division.due == dict.fromkeys(range(len(ranks)), 9_900)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1 40", 1, "line"),
        ("1: 5\n1: 6", 2, "twice"),
        ("3-1: 5", 1, "places"),
        ("0: 5", 1, "places"),
        ("seniors 1: 5", 1, "category"),
        ("1er senior : 5", 1, "category"),
        ("junior 1 junior: 5", 1, "line"),
        ("1: -5", 1, "amount"),
        ("1: 60 %\n2: 50 %", 0, "shares"),
        ("1: 101 %", 1, "shares"),
        ("1-201: 1", 1, "places"),
        ("1-200: 1\n201: 1", 2, "many"),
    ],
)
def test_a_wrong_list_of_prizes(text, line, reason):
    with pytest.raises(PrizeListError) as caught:
        read_prizes(text, WORDS)
    assert (caught.value.line, caught.value.reason) == (line, reason)


def test_equals_share_the_sum_of_their_places_in_whole_euros():
    prizes = [Prize("", 1, 5000), Prize("", 2, 2500), Prize("", 3, 1000)]
    ranked = [RankedPerson(10, 1), RankedPerson(11, 2), RankedPerson(12, 2), RankedPerson(13, 2), RankedPerson(14, 5)]
    division = divide_pot(ranked, prizes, pot=0, one_each=True)
    assert division.due == {10: 5000, 11: 1100, 12: 1100, 13: 1100}
    assert division.rest == 200
    assert [(each.place, each.sharers) for each in division.won] == [(1, 1), (2, 3), (2, 3), (2, 3)]


@pytest.mark.parametrize(("one_each", "due"), [(True, {1: 4000, 3: 1000}), (False, {1: 5000})])
def test_one_prize_a_person(one_each, due):
    ranked = [RankedPerson(1, 1, ["j"]), RankedPerson(2, 2), RankedPerson(3, 3, ["j"])]
    prizes = [Prize("j", 1, 1000), Prize("", 1, None, Fraction(2, 5))]
    assert divide_pot(ranked, prizes, pot=10000, one_each=one_each).due == due


@given(
    st.lists(st.integers(1, 8), max_size=12),
    st.lists(st.integers(0, 9000), max_size=8),
    st.booleans(),
)
def test_nothing_is_lost_or_made(groups, amounts, one_each):
    ranks, place = [], 1
    for size in groups:
        ranks += [place] * size
        place += size
    ranked = [RankedPerson(number, rank) for number, rank in enumerate(ranks)]
    prizes = [Prize("", place, cents) for place, cents in enumerate(amounts, 1)]
    division = divide_pot(ranked, prizes, pot=0, one_each=one_each)
    assert division.total + division.rest == sum(amounts)
    assert division.rest >= 0
    assert all(cents % 100 == 0 and cents > 0 for cents in division.due.values())
    assert len({(each.place, each.cents) for each in division.won}) == len({each.place for each in division.won})
