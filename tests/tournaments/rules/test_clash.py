"""The results that an étui's cards forbid: each impossible one is found, and nothing that can be played is refused."""

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import CARDS, EXCUSE, HAND, PETIT, TRUMP_21
from deals.domain.deal import Deal
from scoring.contract import Chelem, Contract, DealResult, Poignee, Side, check_cards, score_deal
from scoring.ranking import Line
from tests.examples import draw_examples
from tests.tournaments.rules.refereed import Table, dealt
from tournaments.rules.clash import Clash, clashes, unlikely
from tournaments.rules.entry import AllPassed, Bout, Facts, Fiche

GARDE, SANS, CONTRE = Contract.GARDE, Contract.GARDE_SANS, Contract.GARDE_CONTRE
SIMPLE, DOUBLE, TRIPLE = Poignee
B21, BP, BX = Bout
PLAIN_TRUMPS = list(range(PETIT + 1, TRUMP_21))  # trumps 2 to 20


@draw_examples(300)
@given(st.integers(0, 2**32), st.sampled_from(Line), st.sampled_from(Contract), st.booleans())
def test_whatever_is_played_by_the_rules_clashes_with_nothing(seed, taker, contract, defence_may_end_on_the_excuse):
    rng = random.Random(seed)
    deal = dealt(rng, taker)
    facts = Table(deal, taker, contract, rng, defence_may_end_on_the_excuse).play()
    assert score_deal(facts.result).base_score
    check_cards(facts.result)
    assert clashes(facts, deal) == ()


def deal(**held: list[int]) -> Deal:
    """Return a deal with the named cards in their places (N, E, S, W, chien).

    The other cards are dealt in order, suits first and then low trumps, to the chien first.
    """
    named = {card for cards in held.values() for card in cards}
    rest = [card for card in range(CARDS) if card not in named]
    piles = {}
    for place in ("chien", *Line):
        cards = held.get(str(place), [])
        missing = (6 if place == "chien" else HAND[4]) - len(cards)
        piles[place], rest = [*cards, *rest[:missing]], rest[missing:]
    return Deal([piles[line] for line in Line], piles["chien"])


def codes(deal: Deal, bouts: int, half_points: int = 90, contract: Contract = GARDE, **rest: Any) -> list[str]:
    """Return the fields that clash when North takes: the codes without their prefix."""
    facts = Facts(Line.N, DealResult(4, contract, bouts, half_points, **rest))
    assert score_deal(facts.result)  # the arithmetic alone allows this result
    return [clash.code.removeprefix("clash_") for clash in clashes(facts, deal)]


def bouts_allowed(deal: Deal, contract: Contract = GARDE, half_points: int = 90, **rest: Any) -> list[int]:
    return [bouts for bouts in range(4) if "bouts" not in codes(deal, bouts, half_points, contract, **rest)]


ALL_WITH_TAKER = deal(N=[TRUMP_21, PETIT, EXCUSE])
ALL_WITH_EAST = deal(E=[TRUMP_21, PETIT, EXCUSE])
APART = deal(N=[TRUMP_21], E=[PETIT], S=[EXCUSE])
IN_CHIEN = deal(chien=[TRUMP_21, PETIT, EXCUSE])


def test_21_never_changes_sides_while_petit_and_excuse_may():
    assert bouts_allowed(ALL_WITH_TAKER) == [1, 2, 3]
    assert bouts_allowed(ALL_WITH_EAST) == [0, 1, 2]
    assert bouts_allowed(APART) == [1, 2, 3]


def test_chien_that_is_taken_in_counts_as_the_takers_hand():
    assert bouts_allowed(IN_CHIEN) == bouts_allowed(IN_CHIEN, Contract.PRISE) == [1, 2, 3]


def test_chien_that_lies_aside_is_won_by_nobody():
    assert bouts_allowed(IN_CHIEN, SANS) == [3]
    assert bouts_allowed(IN_CHIEN, CONTRE) == [0]
    assert bouts_allowed(deal(chien=[PETIT], N=[TRUMP_21, EXCUSE]), SANS) == [2, 3]
    assert bouts_allowed(deal(chien=[EXCUSE], E=[TRUMP_21], N=[PETIT]), CONTRE) == [0, 1]


@pytest.mark.parametrize(
    ("cards", "winner", "allowed"),
    [
        (ALL_WITH_TAKER, Side.ATTACK, [3]),  # the Excuse was not the last card of the hand that had the Petit too
        (ALL_WITH_TAKER, Side.DEFENCE, [2]),
        (ALL_WITH_EAST, Side.ATTACK, [1]),
        (ALL_WITH_EAST, Side.DEFENCE, [0]),
        (APART, Side.ATTACK, [2, 3]),  # South may have played the Excuse in this trick
        (APART, Side.DEFENCE, [1, 2]),
    ],
)
def test_petit_au_bout_says_who_has_the_petit(cards, winner, allowed):
    assert bouts_allowed(cards, petit_au_bout=winner) == allowed


def test_petit_that_lies_aside_is_in_no_trick():
    aside = deal(chien=[PETIT], N=[TRUMP_21])
    assert codes(aside, 2, contract=SANS, petit_au_bout=Side.ATTACK) == ["petit_au_bout"]
    assert codes(aside, 1, contract=CONTRE, petit_au_bout=Side.DEFENCE) == ["petit_au_bout"]
    assert codes(aside, 2, contract=GARDE, petit_au_bout=Side.ATTACK) == []


def test_takers_poignee_is_read_from_hand_and_chien_where_he_takes_it_in():
    nine_and_one = deal(N=PLAIN_TRUMPS[:9], chien=PLAIN_TRUMPS[9:10], E=PLAIN_TRUMPS[10:], S=[TRUMP_21])
    assert codes(nine_and_one, 1, poignees_attack=(SIMPLE,)) == []
    assert codes(nine_and_one, 1, contract=SANS, poignees_attack=(SIMPLE,)) == ["poignee"]
    assert codes(nine_and_one, 1, poignees_attack=(DOUBLE,)) == ["poignee"]


def test_excuse_stands_in_for_a_trump():
    fourteen = PLAIN_TRUMPS[:14]
    assert codes(deal(N=[*fourteen, EXCUSE]), 1, poignees_attack=(TRIPLE,)) == []
    assert codes(deal(N=fourteen, E=[EXCUSE]), 1, poignees_attack=(TRIPLE,)) == ["poignee"]


def test_trump_that_must_be_discarded_still_counts():
    rois = [13, 27, 41, 55]
    fifteen = deal(N=[*rois, *PLAIN_TRUMPS[:14]], chien=[*PLAIN_TRUMPS[14:15], 0, 1, 2, 3, 4], E=PLAIN_TRUMPS[15:])
    assert codes(fifteen, 1, poignees_attack=(TRIPLE,)) == []


def test_defences_poignees_need_a_hand_each():
    one_hand = deal(E=PLAIN_TRUMPS[:18], N=[TRUMP_21])
    two_hands = deal(E=PLAIN_TRUMPS[:10], W=[*PLAIN_TRUMPS[10:], EXCUSE], N=[TRUMP_21, PETIT])
    assert codes(one_hand, 1, poignees_defence=(TRIPLE,)) == []
    assert codes(one_hand, 1, poignees_defence=(SIMPLE, SIMPLE)) == ["poignee"]
    assert codes(two_hands, 2, poignees_defence=(SIMPLE, SIMPLE)) == []
    assert codes(two_hands, 2, poignees_defence=(DOUBLE,)) == ["poignee"]


def test_no_chelem_is_won_against_the_21():
    assert codes(APART, 2, 174, chelem=Chelem.ANNOUNCED_MADE) == []
    assert codes(ALL_WITH_EAST, 3, 182, chelem=Chelem.UNANNOUNCED_MADE) == ["bouts", "chelem"]
    assert codes(ALL_WITH_TAKER, 1, 20, chelem=Chelem.SUFFERED) == ["chelem"]
    assert codes(IN_CHIEN, 0, 60 * 2, contract=CONTRE, chelem=Chelem.UNANNOUNCED_MADE) == []


def test_defence_chelem_that_may_end_on_the_excuse_is_left_to_the_arbiter():
    assert codes(APART, 0, 12, chelem=Chelem.SUFFERED) == []
    assert codes(APART, 1, 20, chelem=Chelem.ANNOUNCED_SUFFERED) == []
    petit_and_excuse = deal(N=[TRUMP_21], E=[PETIT, EXCUSE])
    suffered = DealResult(4, GARDE, 1, 20, Side.DEFENCE, chelem=Chelem.SUFFERED)
    assert clashes(Facts(Line.N, suffered, frozenset({BX})), petit_and_excuse) == ()


def test_excuse_of_a_side_that_wins_every_trick_stays_with_it():
    excuse_with_taker = deal(N=[TRUMP_21, EXCUSE], E=[PETIT])
    assert codes(excuse_with_taker, 2, 174, chelem=Chelem.UNANNOUNCED_MADE) == ["bouts"]
    assert codes(excuse_with_taker, 3, 182, chelem=Chelem.UNANNOUNCED_MADE) == []
    assert codes(APART, 3, 182, chelem=Chelem.UNANNOUNCED_MADE) == []  # the Excuse is played last, so the taker wins it


RICH = [13, 27, 41, 55, 12, 26]  # four Rois and two Dames: 25 points


@pytest.mark.parametrize(
    ("bouts", "half_points", "contract", "expected"),
    [
        (1, 58, SANS, []),  # the chien, and a bout that may be the Excuse kept by its side: 29 points
        (1, 56, SANS, ["points"]),
        (2, 66, SANS, []),
        (2, 64, SANS, ["points"]),
        (2, 182 - 58, CONTRE, []),
        (2, 182 - 56, CONTRE, ["points"]),
        (1, 10, GARDE, []),  # the taker chooses the écart
    ],
)
def test_side_has_at_least_the_chien_that_lies_aside_for_it(bouts, half_points, contract, expected):
    assert codes(deal(chien=RICH, N=[TRUMP_21], E=[PETIT, EXCUSE]), bouts, half_points, contract) == expected


def test_bouts_of_a_chien_that_lies_aside_are_counted_once():
    assert codes(deal(chien=[PETIT, 0, 1, 2, 3, 4], E=[TRUMP_21]), 1, 14, SANS) == []
    assert codes(deal(chien=[PETIT, 0, 1, 2, 3, 4], E=[TRUMP_21]), 1, 12, SANS) == ["points"]


def of_bouts(*named: Bout, **rest: Any) -> Facts:
    return Facts(Line.N, DealResult(4, GARDE, len(named), 90, **rest), frozenset(named))


def test_bouts_that_are_named_clash_each_by_itself():
    """Check that a taker with the 21 and the Excuse may have two bouts, but not Petit and Excuse without the 21."""
    cards = deal(N=[TRUMP_21, EXCUSE], E=[PETIT])
    assert codes(cards, 2) == []
    named = {bouts: bool(clashes(of_bouts(*bouts), cards)) for bouts in combinations(Bout, 2)}
    assert named == {(B21, BP): False, (B21, BX): False, (BP, BX): True}


def test_bouts_that_only_a_lost_excuse_allows_are_unlikely_and_no_clash():
    cards = deal(N=[TRUMP_21], E=[PETIT, EXCUSE])
    for bouts, expected in (((B21,), False), ((B21, BP), False), ((B21, BX), True), ((B21, BP, BX), True)):
        facts = of_bouts(*bouts)
        assert (clashes(facts, cards), unlikely(facts, cards)) == ((), expected)
    counted = [Facts(Line.N, DealResult(4, GARDE, bouts, 90)) for bouts in (1, 2, 3)]
    assert [unlikely(facts, cards) for facts in counted] == [False, False, True]
    assert not unlikely(Fiche(Line.N, 106), cards)


def test_excuse_of_a_chelem_is_not_called_unlikely():
    cards = deal(N=[TRUMP_21, PETIT], E=[EXCUSE])
    made = DealResult(4, GARDE, 3, 182, chelem=Chelem.UNANNOUNCED_MADE)
    assert not unlikely(Facts(Line.N, made), cards)


def test_fiche_and_four_passes_never_clash():
    assert clashes(Fiche(Line.N, 318), ALL_WITH_EAST) == clashes(AllPassed(), ALL_WITH_EAST) == ()


def test_clash_repeats_the_report_and_shows_no_card():
    facts = Facts(Line.N, DealResult(4, GARDE, 3, 90, poignees_attack=(TRIPLE,)))
    assert clashes(facts, ALL_WITH_EAST) == (
        Clash("clash_bouts", "bouts", {"value": 3}),
        Clash("clash_poignee", "poignees_attack", {"side": Side.ATTACK}),
    )


@given(st.integers(0, 2**32), st.sampled_from(Line))
def test_clash_follows_the_taker_round_the_table(seed, taker):
    rng = random.Random(seed)
    cards = dealt(rng, taker)
    result = DealResult(4, GARDE, 0, 90)
    owner = next((line for line, hand in zip(Line, cards.hands, strict=True) if TRUMP_21 in hand), taker)
    assert [bool(clashes(Facts(line, result), cards)) for line in Line] == [
        line == owner or TRUMP_21 in cards.chien for line in Line
    ]
