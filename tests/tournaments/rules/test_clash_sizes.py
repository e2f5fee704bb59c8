"""The results that an étui's cards forbid at tables of three and five: nothing that can be played is among them."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import CARDS, CHIEN, EXCUSE, HAND, PETIT, TRUMP_21, seats
from deals.domain.deal import Deal
from referee.cards import cards_of
from referee.rules import seat_of
from scoring.contract import Chelem, Contract, DealResult, Poignee, score_deal
from tests.examples import draw_examples
from tests.referee.games import play_at_random, show_at_random, start_at_random
from tournaments.rules.clash import clashes, unlikely
from tournaments.rules.entry import Facts

GARDE, SANS, CONTRE = Contract.GARDE, Contract.GARDE_SANS, Contract.GARDE_CONTRE
PLAIN_TRUMPS = list(range(PETIT + 1, TRUMP_21))  # trumps 2 to 20


def play(seed: int, players: int) -> tuple[Deal, Facts]:
    """Return a deal played by the rules at random, and its result."""
    rng = random.Random(seed)
    state = play_at_random(rng, show_at_random(rng, start_at_random(rng, players)))
    terms, result = state.terms, state.result
    assert result is not None
    assert terms.taker is not None
    hands = {seat_of(player, players): cards_of(hand) for player, hand in enumerate(terms.dealt)}
    deal = Deal([hands[seat] for seat in seats(players)], cards_of(terms.chien))
    partner = terms.taker if terms.partner is None else terms.partner
    named = str(seat_of(partner, players)) if players == 5 else None
    return deal, Facts(str(seat_of(terms.taker, players)), result, partner=named)


@pytest.mark.parametrize("players", [3, 5])
@draw_examples(60)
@given(seed=st.integers(0, 2**32))
def test_whatever_three_or_five_play_by_the_rules_clashes_with_nothing(players, seed):
    deal, facts = play(seed, players)
    assert clashes(facts, deal) == ()


def deal_with(players: int, **held: list[int]) -> Deal:
    """Return a deal with the named cards in their places, and the rest in order, the chien first."""
    named = {card for cards in held.values() for card in cards}
    rest = [card for card in range(CARDS) if card not in named]
    piles = {}
    for place in ("chien", *seats(players)):
        cards = held.get(str(place), [])
        missing = (CHIEN[players] if place == "chien" else HAND[players]) - len(cards)
        piles[str(place)], rest = [*cards, *rest[:missing]], rest[missing:]
    return Deal([piles[str(seat)] for seat in seats(players)], piles["chien"])


def facts_of(
    deal: Deal, bouts: int, partner: str | None = None, half_points: int = 90, contract: Contract = GARDE, **rest: Any
) -> Facts:
    called = None if partner is None else partner != "N"
    result = DealResult(deal.players, contract, bouts, half_points, partner=called, **rest)
    assert score_deal(result)  # the arithmetic alone allows this result
    return Facts("N", result, partner=partner)


def codes(deal: Deal, bouts: int, *told: Any, **rest: Any) -> list[str]:
    """Return the fields that clash when North takes: the codes without their prefix."""
    return [clash.code.removeprefix("clash_") for clash in clashes(facts_of(deal, bouts, *told, **rest), deal)]


def test_bouts_of_three_are_compared_with_their_cards():
    deal = deal_with(3, N=[TRUMP_21, PETIT, EXCUSE])
    assert [bouts for bouts in range(4) if not codes(deal, bouts)] == [1, 2, 3]
    assert unlikely(facts_of(deal, 1), deal)
    aside = deal_with(3, chien=[TRUMP_21, PETIT, EXCUSE])
    assert [bouts for bouts in range(4) if not codes(aside, bouts, contract=CONTRE, half_points=60)] == [0]


ROIS = [13 + 14 * suit for suit in range(4)]
DAMES = [12 + 14 * suit for suit in range(4)]
WITH_EAST = deal_with(5, E=[TRUMP_21, PETIT, EXCUSE, ROIS[0]], S=ROIS[1:3], W=ROIS[3:])


def test_bouts_of_the_partner_count_for_the_attack():
    assert [bouts for bouts in range(4) if not codes(WITH_EAST, bouts, "E")] == [1, 2, 3]
    assert [bouts for bouts in range(4) if not codes(WITH_EAST, bouts, "S")] == [0, 1, 2]
    assert unlikely(facts_of(WITH_EAST, 2, "S"), WITH_EAST)


@pytest.mark.parametrize(
    ("held", "possible"),
    [
        ({"E": ROIS[:1], "S": ROIS[1:3], "F": ROIS[3:]}, "ESF"),
        ({"N": ROIS[:3], "E": ROIS[3:]}, "NE"),
        ({"chien": ROIS[:1], "E": ROIS[1:]}, "NE"),
        ({"N": [*ROIS, 0], "E": DAMES}, "NE"),
    ],
)
def test_partner_is_a_player_whom_the_taker_can_call(held, possible):
    deal = deal_with(5, **held)
    named = {seat: codes(deal, 0, seat, half_points=60) for seat in "NESWF"}
    assert [seat for seat, found in named.items() if "partner" not in found] == list(possible)
    clash = next(clash for clash in clashes(facts_of(deal, 0, "W"), deal) if clash.field == "partner")
    assert (clash.code, clash.params) == ("clash_partner", {"value": "W"})


def test_poignees_of_five_may_be_one_of_each_attacker():
    deal = deal_with(5, N=PLAIN_TRUMPS[:8], E=[*PLAIN_TRUMPS[8:16], *ROIS[:1]], S=[*PLAIN_TRUMPS[16:], *ROIS[1:]])
    both = {"poignees_attack": (Poignee.SIMPLE, Poignee.SIMPLE)}
    assert "poignee" not in codes(deal, 0, "E", **both)
    assert "poignee" in codes(deal, 0, "S", **both)


@pytest.mark.parametrize(
    ("players", "held", "partner", "impossible"),
    [
        (3, {"N": [EXCUSE], "E": [TRUMP_21]}, None, True),
        (5, {"E": [EXCUSE, *ROIS], "S": [TRUMP_21]}, "E", False),  # two attackers may keep leading suits
        (5, {"E": ROIS, "S": [TRUMP_21], "W": [EXCUSE]}, "E", True),
    ],
)
def test_chelem_against_the_21_is_possible_only_for_two_attackers_with_excuse(players, held, partner, impossible):
    deal = deal_with(players, **held)
    made = {"chelem": Chelem.UNANNOUNCED_MADE, "half_points": 182}
    assert ("chelem" in codes(deal, 3, partner, **made)) is impossible


def test_points_of_a_chien_aside_count_for_its_owner():
    deal = deal_with(3, chien=[*ROIS, EXCUSE, 0])
    assert "points" in codes(deal, 1, contract=SANS, half_points=30)
    assert "points" not in codes(deal, 1, contract=SANS, half_points=60)
    assert "points" in codes(deal_with(5, chien=ROIS[:3]), 3, "N", contract=CONTRE, half_points=160)


def test_entry_without_its_partner_is_not_compared():
    facts = Facts("N", DealResult(5, GARDE, 3, 90, partner=True))
    assert clashes(facts, WITH_EAST) == ()
    assert not unlikely(facts, WITH_EAST)
