"""The seats of a table: the bots with their secrets and characters, and the rules of a table for four people.

At a table of bots alone, East, North and West have the étui's own secret and the room's level, as at every table. So
they answer the same play by the same cards. South, which is compared, has a secret and a character of its own.
"""

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from bots.levels import CHARACTERS, VERSION, BotLevel, Character
from deals.domain.cards import LINES, Seat
from deals.domain.etui import to_the_right
from referee.rules import seat_of
from rooms.record.moves import BIDS, taker_seat_of
from rooms.record.replaying import GamePosition

FIRST_WITH_CHARACTERS = 3  # the version of the bots


class RoomBot(NamedTuple):
    """A bot at a table: the secret for its random choices, and its character."""

    secret: bytes
    character: Character


def share_secret(secret: bytes, level: int, *, but: Seat | None = None) -> dict[Seat, RoomBot]:
    """Return the bots of a table where a person has the seat `but`. All have the étui's secret and the room's level."""
    bot = RoomBot(secret, Character(BotLevel(level)))
    return {seat: bot for seat in LINES if seat != but}


def list_filler_bots(secret: bytes, level: int, table: int, version: str = VERSION) -> dict[Seat, RoomBot]:
    """Return the bots of a table of bots. `table` is its number in the room.

    South, which gets a note, has a secret of its own, and one of the seven characters. In rooms of an older `version`
    of the bots than 3, it has the room's level.
    """
    own = sha256(b"TDGF" + secret + table.to_bytes(4, "big")).digest()
    bots = share_secret(secret, level)
    has_character = int(version) >= FIRST_WITH_CHARACTERS
    character = CHARACTERS[table % len(CHARACTERS)] if has_character else bots[Seat.S].character
    return bots | {Seat.S: RoomBot(own, character)}


def impose_garde(dealer: Seat, taker: Seat) -> str:
    """Return the record of an auction in which this seat bids a garde and everybody else passes."""
    return " ".join("G" if to_the_right(dealer, step) == taker else "-" for step in range(1, len(LINES) + 1))


def find_taker_in_record(dealer: Seat, record: str) -> Seat | None:
    """Return the seat that took: the last one that did not pass. None if everybody passed."""
    bids = [BIDS[token] for token in record.split()[: len(LINES)]]
    taking = [place for place, bid in enumerate(bids) if bid is not None]
    return to_the_right(dealer, taking[-1] + 1) if taking else None


# The codes of the set phrases. There is no free chat. `rooms.web.classic.words` has their texts.
PHRASES = ("hello", "luck", "well_played", "thanks", "sorry", "moment", "again", "bye")
PHRASES_KEPT = 4


class FinishedDeal(NamedTuple):
    """A deal that is over: its dealer, its record and its base score."""

    dealer: Seat
    record: str
    score: int


def find_waited(position: GamePosition) -> Seat | None:
    """Return the seat that must move now, or None if the deal is over.

    That is the taker while a chelem may be announced, else the seat whose turn it is.
    """
    if position.is_over:
        return None
    taker = taker_seat_of(position.state)
    return taker if position.awaits_chelem else seat_of(position.state.turn, position.state.terms.players)


def find_mark(seat: Seat, taker: Seat | None, score: int) -> int:
    """Return what a seat wins or loses: as the taker three times the base score, else this score with the other sign.

    If nobody took, the score is 0.
    """
    return 3 * score if seat == taker else -score


def find_marks(deal: FinishedDeal) -> dict[Seat, int]:
    """Return what each seat has won or lost in a deal. The four figures sum to zero."""
    taker = find_taker_in_record(deal.dealer, deal.record)
    return {seat: find_mark(seat, taker, deal.score) for seat in LINES}


def add_marks(deals: Iterable[FinishedDeal]) -> dict[Seat, int]:
    """Return the sum of each seat over these deals."""
    totals = dict.fromkeys(LINES, 0)
    for deal in deals:
        for seat, mark in find_marks(deal).items():
            totals[seat] += mark
    return totals


def is_match_over(totals: Mapping[Seat, int], played: int, *, deals: int, score: int) -> bool:
    """Return whether a table has played its deals, or a seat has reached the score. 0 sets no end."""
    return (0 < deals <= played) or (score > 0 and max(totals.values(), default=0) >= score)


def add_bot_seats(before: str, position: GamePosition, start: int, people: Collection[Seat]) -> str:
    """Return the letters of all seats for which a bot has moved in this deal.

    `before` has the letters known so far. Moves from `start` on are added: a move of a seat that is not in `people` was
    a bot's.
    """
    moved = {str(seat) for seat in position.seats[start:] if seat not in people}
    return "".join(letter for letter in map(str, LINES) if letter in moved or letter in before)


def may_say(phrases: Iterable[Mapping[str, object]], letter: str, moment: float, *, pause: float) -> bool:
    """Return whether this seat said nothing in the last `pause` seconds."""
    said = [float(str(phrase["at"])) for phrase in phrases if phrase["seat"] == letter]
    return not said or moment - max(said) >= pause
