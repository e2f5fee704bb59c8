"""The secrets at the tables of bots that fill a room, and the taker of a record. The revealed seed can prove both.

At such a table East, North and West have the étui's own secret, as at every table. So they answer the same play by the
same cards. South has a secret of its own, because otherwise all these tables would play alike.
"""

from hashlib import sha256

from deals.domain.cards import LINES, Seat
from deals.domain.etui import to_the_right
from rooms.record.moves import BIDS


def filler_secrets(secret: bytes, table: int, south: Seat) -> dict[Seat, bytes]:
    """Return the secret of each bot at a table of bots.

    The seat `south`, which gets a note, has a secret of its own. The others have that of the étui. `table` is the
    number of the table in its room.
    """
    own = sha256(b"TDGF" + secret + table.to_bytes(4, "big")).digest()
    return {seat: own if seat == south else secret for seat in LINES}


def find_taker_in_record(dealer: Seat, record: str) -> Seat | None:
    """Return the seat that took: the last one that did not pass. None if everybody passed."""
    bids = [BIDS[token] for token in record.split()[: len(LINES)]]
    taking = [place for place, bid in enumerate(bids) if bid is not None]
    return to_the_right(dealer, taking[-1] + 1) if taking else None
