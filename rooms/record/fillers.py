"""The bots of a table: their secrets and characters, and the auction of a record. The revealed seed can prove all.

At a table of bots alone, East, North and West have the étui's own secret and the room's level, as at every table. So
they answer the same play by the same cards. South, which is compared, has a secret and a character of its own.
"""

from hashlib import sha256
from typing import NamedTuple

from bots.levels import CHARACTERS, VERSION, BotLevel, Character
from deals.domain.cards import LINES, Seat
from deals.domain.etui import to_the_right
from rooms.record.moves import BIDS

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
