"""The taker profile `garde-1`: its evaluation by hand and by a second implementation, and its frozen deals."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import Seat
from deals.domain.deal import dumps
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import (
    PROFILES,
    Evaluation,
    ProfileError,
    accepts_etui,
    evaluate_1,
    find_profiled_hand,
    get_profile,
    name_profile_seats,
)

SEED = bytes(range(32))
hands = st.permutations(range(78)).map(lambda cards: tuple(cards[:18]))


def cards(text):
    """Return the cards of the text of a hand of any size."""
    *suits, trumps = text.split(".")
    found = [
        14 * number + "123456789TVCDR".index(letter)
        for number, suit in enumerate(suits)
        for letter in suit
        if letter != "-"
    ]
    return [*found, *(55 + int(trump) for trump in trumps.strip("*").split("-") if trump), *([77] * ("*" in trumps))]


def plain_total(hand):
    """Return the total of a hand by the table of docs/dealing.md, line by line."""
    trumps = sorted(card - 55 for card in hand if 56 <= card <= 76)
    total = 11 * (21 in trumps) + 11 * (77 in hand) + 3 * len(trumps) + sum(trump >= 15 for trump in trumps)
    if 1 in trumps:
        total += 8 if len(trumps) >= 7 else {6: 7, 5: 5}.get(len(trumps), 2)
    for suit in range(4):
        ranks = {card % 14 + 1 for card in hand if card // 14 == suit}
        if {14, 13} <= ranks:
            total += 7
        elif 14 in ranks:
            total += 5
        elif 13 in ranks:
            total += 2
        total += 12 in ranks
        total += {0: 2, 1: 1, 5: 1, 6: 2}.get(len(ranks), 3 if len(ranks) >= 7 else 0)
    return total


@pytest.mark.parametrize(
    ("text", "evaluation"),
    [
        # 21 and Excuse; seven trumps, three from 15 up; marriage, a Cavalier and two lone Dames; seven spades, a void
        ("RDC5432.D2.D.-.21-18-15-8-6-3-2*", (22, 24, 12, 3, 3)),
        # the Petit with six other trumps: eight units; five spades and a singleton
        ("R9765.432.T98.8.17-16-14-10-9-4-1", (8, 23, 5, 1, 1)),
        # the Petit with three other trumps, not protected: two units
        ("97654.V32.T98.V832.17-14-2-1", (2, 13, 0, 1, 0)),
        # the Excuse protects nothing
        ("9765.V32.T98.V832.17-14-2-1*", (13, 13, 0, 0, 0)),
    ],
)
def test_evaluation_of_a_hand(text, evaluation):
    assert evaluate_1(cards(text)) == Evaluation(*evaluation)
    assert evaluate_1(cards(text)).total == sum(evaluation)


@given(hands)
def test_evaluation_agrees_with_the_documented_table(hand):
    assert evaluate_1(hand).total == plain_total(hand)


@given(hands)
def test_range_includes_both_ends(hand):
    assert get_profile("garde-1").accepts(hand) == (48 <= plain_total(hand) <= 58)


@given(hands, st.data())
def test_a_trump_for_a_small_card_never_lowers_the_part_of_trumps_and_bouts(hand, data):
    small = [card for card in hand if card < 56 and card % 14 < 10]
    missing = sorted(set(range(56, 78)) - set(hand))
    if small:
        better = set(hand) - {data.draw(st.sampled_from(small))} | {data.draw(st.sampled_from(missing))}
        old, new = evaluate_1(hand), evaluate_1(better)
        assert new.bouts + new.trumps > old.bouts + old.trumps


def test_profiles_are_frozen():
    """Check that no profile changes. Published sets depend on them, so a changed profile needs a new name."""
    told = [(p.name, p.evaluate, p.minimum, p.maximum, p.taker, p.for_auction) for p in PROFILES.values()]
    assert told == [
        ("garde-1", evaluate_1, 48, 58, None, False),
        ("garde-1-south", evaluate_1, 48, 58, Seat.S, False),
        ("auction-1", evaluate_1, 43, 1000, None, True),
    ]


def test_etuis_1_to_36_of_garde_1_are_frozen():
    lines = "".join(f"{n} {dumps(etui(n).deal)}\n" for n in range(1, 37))
    expected = "c6b18ef710703e5844a1cbf3e41df0a5b01c8aaa3095e91621845b9e9f627a81"
    assert hashlib.sha256(lines.encode()).hexdigest() == expected


def test_etuis_1_to_36_of_garde_1_south_are_frozen():
    dealt = [deal_etui(SEED, n, accept=accepts_etui("garde-1-south", n)).deal for n in range(1, 37)]
    lines = "".join(f"{number} {dumps(deal)}\n" for number, deal in enumerate(dealt, start=1))
    expected = "2de34b0bf9197c1f80ee6a60bb7654ff7e0838038dde10b3188aa8f46f54f84a"
    assert hashlib.sha256(lines.encode()).hexdigest() == expected
    assert all(48 <= plain_total(deal.hand(Seat.S)) <= 58 for deal in dealt)


def test_etuis_1_to_36_of_auction_1_are_frozen_and_have_a_hand_to_bid_on():
    dealt = [deal_etui(SEED, n, accept=accepts_etui("auction-1", n)).deal for n in range(1, 37)]
    lines = "".join(f"{number} {dumps(deal)}\n" for number, deal in enumerate(dealt, start=1))
    expected = "8f2d33e92724ddfd010befdf46bac2514223172fb6b79cc2dfc1f40cdea2a314"
    assert hashlib.sha256(lines.encode()).hexdigest() == expected
    best = [max(map(plain_total, deal.hands)) for deal in dealt]
    assert min(best) >= 43
    assert [evaluate_1(find_profiled_hand("auction-1", n, deal)).total for n, deal in enumerate(dealt, 1)] == best


def test_seats_of_an_etui_follow_its_number_unless_the_profile_names_the_taker():
    for number in range(1, 17):
        taker, dealer = taker_and_dealer(number)
        assert name_profile_seats("", number) == name_profile_seats("garde-1", number) == (taker, dealer)
        assert name_profile_seats("garde-1-south", number) == (Seat.S, dealer)
        assert name_profile_seats("garde-1-south", number, 5)[0] is None
    with pytest.raises(ProfileError):
        name_profile_seats("garde-9", 1)


def etui(number):
    return deal_etui(SEED, number, accept=accepts_etui("garde-1", number))


def test_garde_1_takes_the_first_attempt_whose_taker_is_in_the_range():
    for number in range(1, 65):
        taker, _ = taker_and_dealer(number)
        seen = []

        def in_range(deal, taker=taker, seen=seen):
            seen.append(48 <= plain_total(deal.hand(taker)) <= 58)
            return seen[-1]

        assert deal_etui(SEED, number, accept=in_range) == etui(number)
        assert seen == [False] * (len(seen) - 1) + [True]


@pytest.mark.nightly("statistics")
def test_takers_of_garde_1_have_bouts_and_trumps_within_twenty_attempts_an_etui():
    """Check the distribution over 1000 étuis, within wide bounds. docs/dealing.md has figures of many more."""
    dealt = [(taker_and_dealer(number)[0], *etui(number)) for number in range(1, 1001)]
    takers = [deal.hand(taker) for taker, deal, _ in dealt]
    bouts = Counter(len({56, 76, 77}.intersection(hand)) for hand in takers)
    trumps = sum(56 <= card < 77 for hand in takers for card in hand) / 1000
    attempts = sum(attempt + 1 for *_, attempt in dealt) / 1000
    assert bouts[0] < 10
    assert bouts[1] + bouts[2] > 850
    assert 6.3 < trumps < 7
    assert 14 < attempts < 20


def test_unknown_profile_is_an_error_that_names_the_known_ones():
    for call in (get_profile, lambda name: accepts_etui(name, 1)):
        with pytest.raises(ProfileError) as caught:
            call("garde-9")
        assert (caught.value.code, caught.value.params) == (
            "unknown",
            {
                "found": "garde-9",
                "known": "garde-1, garde-1-south, auction-1",
            },
        )


@pytest.mark.parametrize("players", [3, 5])
def test_profile_of_a_deal_that_is_not_for_four_is_an_error(players):
    with pytest.raises(ProfileError) as caught:
        deal_etui(SEED, 1, players, accepts_etui("garde-1", 1))
    assert (caught.value.code, caught.value.params) == ("profile_players", {"found": players})


def test_profile_looks_at_the_hand_of_the_etuis_taker_alone():
    deal = deal_etui(
        SEED, 1, accept=lambda deal: [get_profile("garde-1").accepts(hand) for hand in deal.hands].count(True) == 1
    ).deal
    takers = [taker_and_dealer(number)[0] for number in range(1, 5) if accepts_etui("garde-1", number)(deal)]
    assert takers == [seat for seat in Seat if seat != Seat.F and get_profile("garde-1").accepts(deal.hand(seat))]
