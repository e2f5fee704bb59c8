"""The view of one player: it holds nothing hidden, and says what follows from the cards that were played."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deals.domain.cards import EXCUSE, PETIT, TRUMP_21, Seat, Suit
from referee.cards import TRUMPS, cards_of, mask_of
from referee.games import start_game
from referee.rules import order_of_play, player_at
from referee.state import GameState, start_auction
from referee.terms import DealPhase
from referee.views import SeatView, find_missing, view
from scoring.values import Contract
from tests.referee.deals import KINDS, make_game
from tests.referee.games import deal_at_random, play_at_random, show_at_random, start_at_random

N, E, S, W, F = Seat
T = [PETIT + step for step in range(21)]


def swap(state: GameState, one: int, other: int) -> GameState:
    """Return the state with two cards exchanged wherever they lie: in hands, the chien or the écart."""

    def exchange(mask: int) -> int:
        if (mask >> one & 1) == (mask >> other & 1):
            return mask
        return mask ^ (1 << one | 1 << other)

    terms = state.terms
    changed = terms.change(
        dealt=tuple(map(exchange, terms.dealt)),
        chien=exchange(terms.chien),
        ecart=None if terms.ecart is None else exchange(terms.ecart),
    )
    return state._replace(
        terms=changed, hands=tuple(map(exchange, state.hands)), legal=exchange(state.legal) if state.legal else 0
    )


def find_unseen(state: GameState, player: int) -> list[int]:
    """Return the cards that a player has not seen, found here without a view: it would leave out what it shows."""
    terms = state.terms
    seen = set(cards_of(state.hands[player])) | set(state.cards) | {c for trick in state.tricks for c in trick.cards}
    seen |= {card for _, shown in terms.poignees for card in cards_of(shown)}
    seen |= {card for card in cards_of(terms.ecart or 0) if player == terms.taker or card >= PETIT}
    if terms.contract in (Contract.PRISE, Contract.GARDE):
        seen |= set(cards_of(terms.chien))
    return [card for card in range(78) if card not in seen]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([3, 4, 5]), st.integers(0, 77), st.integers(0, 4), st.data())
def test_view_is_equal_after_two_unseen_cards_change_places(seed, players, cards, viewer, data):
    rng = random.Random(seed)
    state = play_at_random(rng, show_at_random(rng, start_at_random(rng, players)), cards)
    seat = order_of_play(players)[viewer % players]
    seen = view(state, seat)
    unseen = find_unseen(state, player_at(seat, players))
    assert cards_of(seen.unseen) == unseen
    if len(unseen) < 2:
        return
    one, other = data.draw(st.lists(st.sampled_from(unseen), min_size=2, max_size=2, unique=True))
    changed = swap(state, one, other)
    if (state.terms.ecart or 0) & TRUMPS != (changed.terms.ecart or 0) & TRUMPS:
        return  # a trump in the écart would have been shown
    assert view(changed, seat) == seen


@pytest.mark.parametrize("kind", KINDS)
def test_view_of_every_kind_of_game_holds_nothing_hidden(kind):
    """Exchange two unseen cards in games that have something rare, with poignées and chelems among them."""
    exchanged = 0
    for seed in range(12):
        rng = random.Random(seed)
        players = KINDS[kind][0][seed % len(KINDS[kind][0])]
        state = play_at_random(rng, start_game(make_game(seed, players, kind)), rng.randrange(60))
        for player, seat in enumerate(order_of_play(players)):
            unseen = find_unseen(state, player)
            if len(unseen) > 1:
                changed = swap(state, *rng.sample(unseen, 2))
                if (state.terms.ecart or 0) & TRUMPS == (changed.terms.ecart or 0) & TRUMPS:
                    assert view(changed, seat) == view(state, seat)
                    exchanged += 1
    assert exchanged > 15


@pytest.mark.parametrize("phase", [DealPhase.AUCTION, DealPhase.ECART])
def test_view_before_the_play_is_equal_after_two_unseen_cards_change_places(phase):
    for seed in range(30):
        rng = random.Random(seed)
        state = start_auction(deal_at_random(rng, 4), dealer=N)
        if phase == DealPhase.ECART:
            state = state.bid(W, Contract.GARDE).bid(S, None).bid(E, None).bid(N, None)
        assert state.phase == phase
        for seat in order_of_play(4):
            seen = view(state, seat)
            one, other = rng.sample(find_unseen(state, player_at(seat, 4)), 2)
            assert view(swap(state, one, other), seat) == seen


def test_view_of_the_own_cards_differs():
    state = start_at_random(random.Random(1), 4)
    one, other = cards_of(state.hands[0])[0], cards_of(state.hands[1])[0]
    assert view(swap(state, one, other), N) != view(state, N)


def test_only_the_taker_sees_the_ecart_and_nobody_a_chien_that_stays_hidden():
    for seed in range(12):
        state = start_at_random(random.Random(seed), 4)
        terms = state.terms
        for seat in order_of_play(4):
            seen = view(state, seat)
            took = player_at(seat, 4) == terms.taker
            assert seen.ecart == (terms.ecart if took else None)
            assert seen.chien == (terms.chien if terms.ecart is not None else 0)
            assert seen.hand == state.hands[player_at(seat, 4)]
            assert bool(seen.legal) == (state.seat == seat)


def test_fields_of_a_view_hold_no_hand_of_another_player():
    assert set(SeatView.__slots__).isdisjoint({"terms", "hands", "dealt"})


@pytest.mark.parametrize(
    ("cards", "missing"),
    [
        ([5, 3, 20, T[4]], [(2, mask_of(range(14)) | TRUMPS), (3, mask_of(range(14)))]),
        ([5, T[7], T[4], 2], [(1, mask_of(range(14))), (2, mask_of(range(14)) | mask_of(T[8:]))]),
        ([T[7], T[4], 20, EXCUSE], [(1, mask_of(T[8:])), (2, TRUMPS)]),
        ([T[7], T[9], T[8], T[20]], [(1, 0), (2, mask_of(T[10:])), (3, 0)]),
        ([EXCUSE, 5, 20, 3], [(2, mask_of(range(14)) | TRUMPS)]),
        ([EXCUSE], []),
    ],
)
def test_cards_played_say_what_a_player_did_not_have(cards, missing):
    assert find_missing(0, cards, 4) == missing


@pytest.mark.parametrize("seed", range(15))
def test_nobody_has_a_card_that_the_play_excludes(seed):
    rng = random.Random(seed)
    players = 3 + seed % 3
    state = play_at_random(rng, show_at_random(rng, start_at_random(rng, players)), rng.randrange(78))
    excluded = view(state, N).cannot_have
    assert [hand & missing for hand, missing in zip(state.hands, excluded, strict=True)] == [0] * players


def test_void_and_the_highest_trump_are_told():
    state = start_at_random(random.Random(2), 4)
    west = order_of_play(4).index(W)
    hands = [mask_of([5, T[20]]), mask_of([T[4], 20]), mask_of([2, 3]), mask_of([9, 10])]
    state = GameState(state.terms.change(poignees=(), ecart=None), tuple(hands), 0, hands[0], 0, tricks=())
    seen = view(state.play(T[20]).play(T[4]), N)
    assert west == 1
    assert seen.highest_trump(W) == T[19]
    assert not seen.is_without(W, Suit.SPADES)
    seen = view(state.play(5).play(T[4]), N)
    assert seen.is_without(W, Suit.SPADES)
    assert (seen.highest_trump(W), seen.highest_trump(S)) == (T[19], T[19])  # North has the 21
    seen = view(state.play(5).play(T[4]), S)
    assert (seen.highest_trump(N), seen.highest_trump(W)) == (TRUMP_21, TRUMP_21)


def test_only_the_taker_can_have_a_card_of_the_chien_that_was_shown():
    for seed in range(20):
        state = start_at_random(random.Random(seed), 4)
        terms = state.terms
        shown = terms.chien if terms.contract in (Contract.PRISE, Contract.GARDE) else 0
        for seat in order_of_play(4):
            viewer = player_at(seat, 4)
            known = state.hands[viewer] | (terms.ecart if viewer == terms.taker and terms.ecart else 0)
            for player, excluded in enumerate(view(state, seat).cannot_have):
                expected = (known if player != viewer else 0) | (shown if player != terms.taker else 0)
                assert excluded == expected | (terms.ecart or 0) & TRUMPS
