"""The hidden hands that are drawn: each drawn deal gives the player the same view, and may have been the true one."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.sampling.drawing import HandDrawer
from bots.sampling.imagining import StateMaker
from bots.sampling.playing_out import play_to_the_end
from bots.sampling.scores import ScoreCounter
from deals.domain.cards import Seat, seats
from deals.domain.deal import Deal
from deals.domain.dealing import numbers
from referee.cards import WHOLE_DECK, cards_of
from referee.counting import count_result
from referee.games import CARDS_BY_NAME, start_game
from referee.rules import order_of_play, player_at, seat_of
from referee.state import GameState, Playout, start_imposed
from referee.terms import DealPhase
from referee.views import view
from scoring.contract import score_deal
from tests.bots.games import play_bots
from tests.referee.deals import KINDS, make_game
from tests.referee.games import play_at_random, show_at_random, start_at_random


def replay(state: GameState) -> GameState:
    """Return the state after the same deal is played anew from the cards dealt, with every check of the referee."""
    terms = state.terms
    hands = {seat: terms.dealt[player_at(seat, 4)] for seat in seats(4)}
    deal = Deal([cards_of(hand) for hand in hands.values()], cards_of(terms.chien))
    taker = seat_of(terms.taker, 4)
    anew = start_imposed(deal, seat_of(terms.dealer, 4), taker, terms.contract)
    assert not anew.terms.is_void
    if anew.phase == DealPhase.ECART:
        anew = anew.discard(taker, cards_of(terms.ecart))
    if terms.chelem is not None:
        anew = anew.announce_chelem(taker)
    for player, shown in terms.poignees:
        anew = anew.show_poignee(seat_of(player, 4), cards_of(shown))
    for card in (*(card for trick in state.tricks for card in trick.cards), *state.cards):
        anew = anew.play(card)
    return anew


@pytest.mark.nightly("statistics")
@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 71), st.integers(0, 3), st.booleans())
def test_drawn_deal_gives_the_same_view_and_is_legal_from_its_first_card(seed, cards, viewer, by_bots):
    """Play by chance and by bots: voids, undertrumping, poignées, chelems and all contracts occur."""
    rng = random.Random(seed)
    if by_bots:
        state = play_bots(seed % 200 + 1, 0, moves=cards + 1)
    else:
        state = play_at_random(rng, show_at_random(rng, start_at_random(rng, 4)), cards)
    if state.phase != DealPhase.PLAY:
        return
    seat = order_of_play(4)[viewer]
    seen = view(state, seat)
    maker = StateMaker(seen)
    drawer, chance = HandDrawer(seen, maker), numbers(seed, "test")
    for _draw in range(3):
        drawn = drawer.draw(chance)
        imagined = maker.make(drawn.hands, drawn.aside)
        assert sum(hand.bit_count() for hand in drawn.hands) == sum(seen.sizes)
        assert view(imagined, seat) == seen
        anew = replay(imagined)
        assert (anew.hands, view(anew, seat).cannot_have) == (imagined.hands, seen.cannot_have)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 71))
def test_deal_is_played_out_by_legal_cards_and_counted_as_the_referee_does(seed, cards):
    rng = random.Random(seed)
    state = play_at_random(rng, show_at_random(rng, start_at_random(rng, 4)), cards)
    playout = Playout(state)
    play_to_the_end(playout)
    counter = ScoreCounter(view(state, state.seat), state.terms)
    done = len(state.tricks) * 4 + len(state.cards)
    for card in [card for trick in playout.tricks for card in trick.cards][done:]:
        state = state.play(card)
    assert state.tricks == tuple(playout.tricks)
    assert counter.count(state.terms, playout.tricks) == score_deal(count_result(state.terms, state.tricks)).base_score


def test_drawn_deals_differ():
    state = play_bots(1, 0, moves=2)
    seen = view(state, state.seat)
    drawer, chance = HandDrawer(seen, maker := StateMaker(seen)), numbers(1, "test")
    assert len({drawer.draw(chance) for _ in range(20)}) == 20
    assert maker.played[state.turn] == 0


def test_view_outside_the_play_cannot_be_imagined():
    state = play_bots(1, 0, moves=0)
    with pytest.raises(AssertionError):
        StateMaker(view(state, Seat.N))
    assert WHOLE_DECK.bit_count() == 78


@pytest.mark.parametrize("kind", [kind for kind, (tables, _) in KINDS.items() if 4 in tables])
def test_rare_deals_are_counted_as_the_referee_does(kind):
    """Count from the first card and from the tenth trick: chelems, the Excuse or the Petit last, two poignées."""
    for seed in range(8):
        game = make_game(seed, 4, kind)
        state = start_game(game)
        cards = [CARDS_BY_NAME[play["card"]] for trick in game["tricks"] for play in trick["plays"]]
        counters = []
        for number, card in enumerate(cards):
            if number in (0, 36):
                counters.append(ScoreCounter(view(state, state.seat), state.terms))
            state = state.play(card)
        score = score_deal(count_result(state.terms, state.tricks)).base_score
        assert [counter.count(state.terms, list(state.tricks)) for counter in counters] == [score, score]
