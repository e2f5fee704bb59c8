"""The trial: from every card of a game the same cards lead to the same record, and a forged answer is found."""

import pytest

from bots.levels import BotLevel
from bots.moves import CardMove
from bots.secrets import bot_secret
from deals.domain.cards import Seat
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import accepts_etui
from referee.errors import PlayRefused
from referee.views import view
from rooms.games.trials import TrialStart, are_answers_true, cut_record, play_trial
from rooms.record.moves import MoveError
from rooms.record.replaying import GamePosition, replay_record
from rooms.record.tables import impose_garde
from rooms.thinker_child import answer_question
from tests.bots.games import SEED
from tests.rooms.tables import choose_token_of


def make_start(etui, *, imposed=True, level=BotLevel.POLICY):
    """Return the start of a trial of a whole étui, for South."""
    profile, (taker, dealer) = "garde-1" if imposed else "auction-1", taker_and_dealer(etui)
    deal = deal_etui(SEED, etui, accept=accepts_etui(profile, etui)).deal
    record = impose_garde(dealer, taker) if imposed else ""
    return TrialStart(deal, dealer, record, Seat.S, bot_secret(SEED, etui), level)


def play_on(start, moves=None):
    """Return the end of a trial, in which South makes these moves, or those of the policy."""
    position = play_trial(start, start.record)
    while not position.is_over:
        seen = view(position.state, Seat.S)
        move = moves.pop(0) if moves else choose_token_of(seen, asks_chelem=position.awaits_chelem)
        position = play_trial(start, " ".join(position.tokens), move)
    return position


def list_own(position, start):
    """Return the moves of South after the start of a trial."""
    first = len(start.record.split())
    told = zip(position.tokens[first:], position.seats[first:], strict=True)
    return [token for token, seat in told if seat == Seat.S]


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Wait for the bots also on a busy machine, and ask no cache."""
    monkeypatch.setattr("rooms.games.trials.THINKING", 60.0)
    monkeypatch.setattr("rooms.games.moving.choose_token", answer_at_once)


def answer_at_once(seen, bot, secret, *, until):
    """Return the token of a bot's move, without the child process."""
    return answer_question(seen, bot, secret)


def check_every_card(etui, *, imposed, every):
    """Check that a trial from every so many of South's cards ends as the game, if South plays the same cards."""
    whole = make_start(etui, imposed=imposed)
    game = play_on(whole)
    played = [seat for token, seat in zip(game.tokens, game.seats, strict=True) if token.startswith("k:")]
    own = [card for card, seat in enumerate(played) if seat == Seat.S]
    for card in own[::every]:
        start = TrialStart(whole.deal, whole.dealer, cut_record(game, card), Seat.S, whole.secret, whole.level)
        assert play_on(start, list_own(game, start)) == game
        assert are_answers_true(start, game.tokens)


@pytest.mark.parametrize("etui", [1, pytest.param(3, marks=pytest.mark.nightly("statistics"))])
def test_same_cards_give_the_same_record_from_a_card_on(etui):
    check_every_card(etui, imposed=True, every=9)


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("imposed", [True, False])
def test_same_cards_give_the_same_record_from_every_card_of_25_games(imposed):
    for etui in range(1, 26):
        check_every_card(etui, imposed=imposed, every=1)


def test_trial_begins_before_the_poignee_that_comes_with_a_card():
    start = make_start(1)
    game = play_on(start)
    at = game.tokens.index(next(token for token in game.tokens if token.startswith("k:")))
    seats = (*game.seats[:at], game.seats[at], *game.seats[at:])
    tokens = (*game.tokens[:at], "p:60,59", *game.tokens[at:])
    assert cut_record(GamePosition(game.state, tokens, seats), 0) == " ".join(game.tokens[:at])
    with pytest.raises(IndexError):
        cut_record(game, 72)


def test_forged_answer_of_a_bot_is_found():
    """Let a bot play another legal card, and South and the bots as they would after it."""
    start = make_start(1)
    game = play_on(start)
    assert are_answers_true(start, game.tokens)
    assert not are_answers_true(start, game.tokens[:-1])
    for at in range(30, len(game.tokens)):
        before = replay_record(start.deal, start.dealer, " ".join(game.tokens[:at]))
        others = [card for card in before.state.legal_cards if f"k:{card}" != game.tokens[at]]
        if game.seats[at] != Seat.S and others:
            break
    forged = before.make(game.seats[at], CardMove(others[0]))
    end = play_on(TrialStart(start.deal, start.dealer, " ".join(forged.tokens), Seat.S, start.secret, start.level))
    assert end.is_over
    assert not are_answers_true(start, end.tokens)


def test_record_that_is_no_record_of_this_deal_is_refused():
    start = make_start(1)
    begun = " ".join(play_trial(start, start.record).tokens)
    for wrong in ("", begun.replace("G", "P", 1), f"{start.record} k:99", "x" * 601):
        with pytest.raises((PlayRefused, MoveError)):
            play_trial(start, wrong)
    with pytest.raises((PlayRefused, MoveError)):
        play_trial(start, begun, "k:99")
    assert replay_record(start.deal, start.dealer, begun).tokens == tuple(begun.split())
