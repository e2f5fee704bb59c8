"""The deals that bots play to the last card: to compare two levels, and many times to see how results spread."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt

from bots.choosing import choose_move
from bots.levels import PLAYERS, BotLevel
from bots.moves import BotMove
from bots.secrets import bot_secret
from deals.domain.cards import Seat
from deals.domain.deal import Deal
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import accepts_etui
from referee.rules import player_at, seat_of
from referee.state import GameState, start_auction, start_imposed
from referee.terms import DealPhase
from referee.views import view
from scoring.contract import score_deal

PROFILE = "garde-1"
ERRORS = 3  # a difference is seen if it is this many standard errors away from 0


def start_takeable(seed: bytes, etui: int) -> GameState:
    """Return the first state of a takeable étui, whose taker plays an imposed garde."""
    taker, dealer = taker_and_dealer(etui)
    return start_imposed(deal_etui(seed, etui, PLAYERS, accepts_etui(PROFILE, etui)).deal, dealer, taker)


def start_free(seed: bytes, etui: int) -> GameState:
    """Return the first state of an étui with a free auction."""
    return start_auction(deal_etui(seed, etui, PLAYERS).deal, taker_and_dealer(etui)[1])


def find_next_move(state: GameState, levels: Mapping[int, BotLevel], secret: bytes) -> tuple[int, BotMove]:
    """Return the next move of a deal that bots play, and its player. `levels` has the level of each player.

    A taker who does not lead is asked for a chelem first.
    """
    first = state.terms.taker if state.phase == DealPhase.PLAY and not state.tricks and not state.cards else None
    for player in (first, state.turn):
        if player is not None:
            move = choose_move(view(state, seat_of(player, PLAYERS)), levels[player], secret)
            if move is not None:
                return player, move
    raise AssertionError("the player whose turn it is has a move")


def play_with_bots(state: GameState, levels: Mapping[int, BotLevel], secret: bytes, most: int = 1000) -> GameState:
    """Return the state after at most so many moves of bots. The referee refuses an illegal move."""
    for _move in range(most):
        if state.phase == DealPhase.OVER:
            break
        player, move = find_next_move(state, levels, secret)
        state = move.make(state, seat_of(player, PLAYERS))
    return state


def play_etui(seed: bytes, etui: int, attack: BotLevel, defence: BotLevel) -> int:
    """Return the base score of a takeable étui that the one level attacks and the other level defends."""
    state = start_takeable(seed, etui)
    taker = player_at(taker_and_dealer(etui)[0], PLAYERS)
    levels = {player: attack if player == taker else defence for player in range(PLAYERS)}
    result = play_with_bots(state, levels, bot_secret(seed, etui)).result
    assert result is not None
    return score_deal(result).base_score


@dataclass(frozen=True, slots=True)
class MatchDeal:
    """The base scores of one étui in a match of level A against level B: three plays of the same cards.

    `both`: B attacks and defends. `attacked`: A attacks, B defends. `defended`: B attacks, A defends.
    """

    etui: int
    both: int
    attacked: int
    defended: int

    @property
    def attack_gain(self) -> int:
        """The points that A gains over B as the taker, against the same defence."""
        return self.attacked - self.both

    @property
    def defence_gain(self) -> int:
        """The points that A gains over B as the defence, against the same taker."""
        return self.both - self.defended


def play_checked(seed: bytes, level: BotLevel, etui: int) -> int:
    """Return the number of moves of an étui that bots play from the auction on. Raise PlayRefused at an illegal one.

    If everybody passes, these four moves are all.
    """
    state, secret, moves = start_free(seed, etui), bot_secret(seed, etui), 0
    levels = dict.fromkeys(range(PLAYERS), level)
    while state.phase != DealPhase.OVER:
        state, moves = play_with_bots(state, levels, secret, 1), moves + 1
    return moves


def play_match_deal(seed: bytes, etui: int, levels: tuple[BotLevel, BotLevel]) -> MatchDeal:
    """Return the three plays of an étui in a match of the first level against the second."""
    level, other = levels
    both = play_etui(seed, etui, other, other)
    if level == other:
        return MatchDeal(etui, both, both, both)
    return MatchDeal(etui, both, play_etui(seed, etui, level, other), play_etui(seed, etui, other, level))


@dataclass(frozen=True, slots=True)
class MeanGain:
    """A mean with its standard error. `error` is 0 for fewer than two values."""

    mean: float
    error: float
    count: int

    @property
    def is_seen(self) -> bool:
        """True if the mean is at least three standard errors away from 0."""
        return self.count > 1 and abs(self.mean) >= ERRORS * self.error

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.error:.1f}"


def find_mean(values: Iterable[int]) -> MeanGain:
    """Return the mean of values, with the standard error. Without values, both are 0."""
    all_values: Sequence[int] = tuple(values)
    count = len(all_values)
    mean = sum(all_values) / count if count else 0.0
    spread = sum((value - mean) ** 2 for value in all_values)
    return MeanGain(mean, sqrt(spread / (count - 1) / count) if count > 1 else 0.0, count)


@dataclass(frozen=True, slots=True)
class BotPlay:
    """The outcome of one play: who took and with which contract, the base score, and whether the contract was made.

    After four passes `taker` and `contract` are "", and the score is 0.
    """

    taker: str
    contract: str
    score: int
    made: bool


def spread_secret(number: int) -> bytes:
    """Return the secret of the bots in a play of a spread: SHA-256 of `TDGN` and its number in four bytes."""
    return sha256(b"TDGN" + number.to_bytes(4, "big")).digest()


def play_of_spread(deal: Deal, dealer: Seat, taker: Seat | None, *, level: BotLevel, number: int) -> BotPlay:
    """Return play `number` of a deal by four bots of this level.

    The taker plays an imposed garde. Without a taker there is a free auction.
    """
    state = start_auction(deal, dealer) if taker is None else start_imposed(deal, dealer, taker)
    state = play_with_bots(state, dict.fromkeys(range(PLAYERS), level), spread_secret(number))
    if state.result is None or state.terms.taker is None:
        return BotPlay("", "", 0, False)
    score = score_deal(state.result)
    return BotPlay(str(seat_of(state.terms.taker, PLAYERS)), str(state.result.contract), score.base_score, score.made)
