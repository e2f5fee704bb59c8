"""The tokens of moves: writing and reading are inverse, and the replay of a record ends where the game did."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.choosing import choose_move
from bots.levels import BotLevel
from bots.matches import find_next_move, start_free
from bots.moves import BidMove, CardMove, ChelemMove, EcartMove, PoigneeMove
from bots.secrets import bot_secret
from deals.domain.cards import Seat
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from referee.errors import PlayRefused
from referee.rules import seat_of
from referee.terms import DealPhase
from referee.views import view
from rooms.record.moves import MoveError, NoChelemMove, read_move, read_moves, write_move
from rooms.record.replaying import GamePosition, replay, replay_record
from scoring.values import Contract
from tests.bots.games import SEED

CARDS = st.integers(0, 77)
HANDS = st.sets(CARDS, min_size=1, max_size=18)
MOVES = st.one_of(
    st.sampled_from([BidMove(bid) for bid in (None, *Contract)]),
    st.builds(EcartMove, HANDS.map(lambda cards: tuple(sorted(cards)))),
    st.builds(PoigneeMove, HANDS.map(lambda cards: tuple(sorted(cards, reverse=True)))),
    st.builds(CardMove, CARDS),
    st.just(ChelemMove()),
    st.just(NoChelemMove()),
)


@given(MOVES)
def test_reading_is_the_inverse_of_writing(move):
    assert read_move(write_move(move)) == move


@given(st.text(max_size=30))
def test_other_texts_are_refused(text):
    moves = ()
    with suppress(MoveError):
        moves = read_moves(text)
    assert [write_move(move) for move in moves] == [write_move(read_move(write_move(move))) for move in moves]


def play_freely(etui):
    """Return the position at the end of an étui that the policy plays from the auction on."""
    position = GamePosition(start_free(SEED, etui))
    levels = dict.fromkeys(range(4), BotLevel.POLICY)
    while not position.is_over:
        player, move = find_next_move(position.state, levels, bot_secret(SEED, etui))
        position = position.make(seat_of(player, 4), move)
    return position


@pytest.mark.parametrize("etui", range(1, 25))
def test_replay_ends_where_the_game_did(etui):
    played = play_freely(etui)
    deal, dealer = deal_etui(SEED, etui).deal, taker_and_dealer(etui)[1]
    assert replay_record(deal, dealer, " ".join(played.tokens)) == played
    assert replay(deal, dealer, " ".join(played.tokens)) == played.state
    assert (played.base_score == 0) == (played.state.result is None)


def test_record_of_another_deal_is_refused():
    played = play_freely(7)
    assert len(played.tokens) > 4
    with pytest.raises(PlayRefused):
        replay(deal_etui(SEED, 8).deal, taker_and_dealer(7)[1], " ".join(played.tokens))


def test_nobody_makes_the_move_of_another_seat():
    """Check each kind of move, also those for which the referee does not ask who makes them."""
    state = start_free(SEED, 7)
    for seat in Seat.N, Seat.E, Seat.S, Seat.W:
        if seat != state.seat:
            with pytest.raises(PlayRefused):
                GamePosition(state).make(seat, BidMove(Contract.GARDE))
    while state.phase == DealPhase.AUCTION:
        state = state.bid(state.seat, Contract.GARDE if not any(state.terms.bids) else None)
    discarded = choose_move(view(state, state.seat), BotLevel.POLICY, b"")
    others = [seat for seat in (Seat.N, Seat.E, Seat.S, Seat.W) if seat != state.seat]
    for seat in others:
        with pytest.raises(PlayRefused):
            GamePosition(state).make(seat, discarded)
    assert GamePosition(state).make(state.seat, discarded).state.phase == DealPhase.PLAY
