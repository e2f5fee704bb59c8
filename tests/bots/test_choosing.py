"""The choices of bots: always legal, the same everywhere, and blind to what the view does not show."""

import random
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.choosing import choose_move
from bots.levels import BotError, BotLevel, read_level
from bots.moves import CardMove, ChelemMove, PoigneeMove
from bots.policy.deciding import choose_by_policy
from bots.sampling.comparing import (
    choose_surely,
    draw_deals,
    find_candidates,
    find_sure_gain,
    list_scores,
    may_be_sure,
)
from bots.secrets import bot_secret, decision_numbers
from deals.domain.cards import CARDS, Seat
from deals.domain.deal import Deal
from referee.cards import KEPT_FROM_ECART, cards_of
from referee.rules import order_of_play, seat_of
from referee.state import start_auction, start_imposed
from referee.terms import DealPhase
from referee.views import view
from tests.bots.games import SEED, play_bots
from tests.bots.positions import mask
from tests.referee.games import deal_at_random
from tests.referee.test_views import find_unseen, swap

POLICY, TEN = BotLevel.POLICY, BotLevel.TEN


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("free", [False, True], ids=["imposed", "auction"])
def test_every_move_is_legal_by_policy(free):
    """Play 300 deals: the referee refuses an illegal move. `manage.py bots check policy --deals 10000` plays more."""
    ends = [play_bots(etui, POLICY, free=free) for etui in range(1, 151)]
    assert {end.phase for end in ends} == {DealPhase.OVER}
    assert sum(end.result is not None for end in ends) > 50


@pytest.mark.nightly("statistics")
def test_every_move_is_legal_by_sampling():
    assert [play_bots(etui, TEN).phase for etui in range(1, 5)] == [DealPhase.OVER] * 4


def digest(etui: int, level: BotLevel) -> str:
    """Return a digest of the écart and of all cards in the order of play."""
    state = play_bots(etui, level)
    played = [card for trick in state.tricks for card in trick.cards]
    return sha256(repr((state.terms.ecart, state.terms.poignees, played)).encode()).hexdigest()[:16]


# Made by `digest`. If a bot changes on purpose, these values change, and the version of the bots with them.
GOLDEN = {1: "c24858de9daff9bf", 2: "82d094946542eb8b", 3: "fe359fa0dc043169"}


@pytest.mark.parametrize(("etui", "level"), [(1, POLICY), (2, POLICY), (3, TEN)])
def test_same_seed_gives_the_same_deal_everywhere(etui, level):
    assert digest(etui, level) == GOLDEN[etui]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(-60, 60), max_size=29), st.integers(1, 8), st.integers(-20, 600))
def test_card_is_given_up_only_if_it_cannot_become_surely_better(gains, left, best):
    """Let equal gains follow, which is the most that can come: no other gains leave so little to chance."""
    if not may_be_sure(gains, left):
        assert find_sure_gain([*gains, *[best] * left]) <= 0
    assert may_be_sure([*gains, best], 0) or find_sure_gain([*gains, best]) <= 0
    assert not may_be_sure([0] * 6, 4)
    assert may_be_sure([0] * 5, 5)


@pytest.mark.parametrize("moves", [50, 58, pytest.param(range(6, 60, 3), marks=pytest.mark.nightly("statistics"))])
def test_card_that_is_given_up_is_not_the_best_of_all_drawn_deals(moves):
    for at in moves if isinstance(moves, range) else [moves]:
        state = play_bots(2, POLICY, moves=at)
        seen = view(state, state.seat)
        cards = find_candidates(seen, choose_by_policy(seen))
        one, other = (draw_deals(seen, decision_numbers(SEED, seen)) for _ in range(2))
        scores = list_scores(one, 10, cards)
        gains = {
            card: find_sure_gain([a - b for a, b in zip(scores[card], scores[cards[0]], strict=True)]) for card in cards
        }
        assert choose_surely(other, 10, cards) == max(cards, key=lambda card: gains[card])


@pytest.mark.nightly("statistics")
@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(0, 75), st.sampled_from([POLICY, TEN]), st.booleans(), st.data())
def test_exchange_of_unseen_cards_changes_no_choice(etui, moves, level, free, data):
    """Exchange two cards that the player has not seen, wherever they lie, the écart of the taker too."""
    state = play_bots(etui, POLICY, free=free, moves=moves)
    if state.phase == DealPhase.OVER:
        return
    unseen = find_unseen(state, state.turn)
    if state.terms.contract is None:
        unseen = [card for card in range(CARDS) if not state.hands[state.turn] >> card & 1]
    if len(unseen) < 2:
        return
    one, other = (data.draw(st.sampled_from(unseen)) for _ in range(2))
    changed = swap(state, one, other)
    seat, secret = state.seat, bot_secret(SEED, etui)
    if view(changed, seat) == view(state, seat):  # otherwise a void or a shown card forbids the exchange
        assert choose_move(view(changed, seat), level, secret) == choose_move(view(state, seat), level, secret)


def test_ecart_of_the_taker_changes_nothing_for_a_defender():
    """Exchange a card of the écart with one of the taker's hand, before any card of them was played."""
    state = play_bots(1, POLICY, moves=1)
    taker = state.terms.taker
    aside, hand = cards_of(state.terms.ecart), cards_of(state.hands[taker] & ~KEPT_FROM_ECART & mask_of_suits())
    changed = swap(state, aside[0], hand[0])
    assert changed.terms.ecart != state.terms.ecart
    for player in range(4):
        seat = seat_of(player, 4)
        if player != taker and state.turn == player:
            before, after = (choose_move(view(each, seat), TEN, bot_secret(SEED, 1)) for each in (state, changed))
            assert before == after is not None


def mask_of_suits() -> int:
    """Return the plain cards."""
    return (1 << 56) - 1


def test_other_secret_may_give_another_card():
    """Check that chance matters: over some moves, two secrets do not always agree."""
    states = [play_bots(etui, POLICY, moves=6) for etui in range(1, 16)]
    chosen = {
        secret: [choose_move(view(state, state.seat), TEN, bot_secret(SEED, secret)) for state in states]
        for secret in (1, 2)
    }
    assert chosen[1] != chosen[2]


def test_bot_has_no_move_when_another_player_is_to_play():
    state = play_bots(1, POLICY, moves=3)
    others = [seat for seat in order_of_play(4) if seat != state.seat and seat != seat_of(state.terms.taker, 4)]
    assert [choose_move(view(state, seat), POLICY, SEED) for seat in others] == [None] * len(others)


def test_taker_announces_a_chelem_before_another_player_leads():
    strong = mask(" ".join(map(str, range(21, 7, -1))) + " 1 * ♠R ♥R")
    rest = [card for card in range(CARDS) if not strong >> card & 1]
    deal = Deal([cards_of(strong), rest[:18], rest[18:36], rest[36:54]], rest[54:])
    state = start_imposed(deal, Seat.N, Seat.N).discard(Seat.N, rest[54:])
    assert choose_move(view(state, Seat.N), POLICY, SEED) == ChelemMove()
    state = state.announce_chelem(Seat.N)
    shown = choose_move(view(state, Seat.N), POLICY, SEED)
    assert isinstance(shown, PoigneeMove)
    state = shown.make(state, Seat.N)
    assert isinstance(choose_move(view(state, Seat.N), POLICY, SEED), CardMove)


def test_bots_play_only_at_tables_of_four():
    state = start_auction(deal_at_random(random.Random(1), 5), Seat.N)
    with pytest.raises(BotError, match="not of 5"):
        choose_move(view(state, state.seat), POLICY, SEED)


def test_levels_are_known_by_their_names():
    assert [read_level(level.title) for level in BotLevel] == list(BotLevel)
    with pytest.raises(BotError, match="“11” is not a level"):
        read_level("11")
