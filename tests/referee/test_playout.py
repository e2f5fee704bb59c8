"""The play in place beside the immutable states: the same legal cards, winners and results."""

import random

import pytest

from referee.state import Playout
from tests.referee.games import play_at_random, start_at_random


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(20))
def test_playout_has_the_legal_cards_and_winners_of_the_states(players, seed):
    rng = random.Random(f"{players} {seed}")
    state = play_at_random(rng, start_at_random(rng, players), rng.randrange(40))
    playout = Playout(state)
    while not playout.is_over:
        assert playout.result is None
        assert (playout.turn, playout.list_legal_cards()) == (state.turn, list(state.legal_cards))
        card = rng.choice(state.legal_cards)
        state = state.play(card)
        playout.play(card)
        assert (tuple(playout.hands), tuple(playout.tricks)) == (state.hands, state.tricks)
    assert playout.result == state.result is not None
