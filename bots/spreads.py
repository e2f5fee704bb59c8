"""The plays of one deal by four bots, each with random numbers of its own. They show how far apart results can be."""

from dataclasses import dataclass
from hashlib import sha256

from bots.levels import PLAYERS, BotLevel
from bots.matches import play_with_bots
from deals.domain.cards import Seat
from deals.domain.deal import Deal
from referee.rules import seat_of
from referee.state import start_auction, start_imposed
from scoring.contract import score_deal


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
