"""The random numbers of the bots: a secret for each étui, and the numbers of each decision, which follow from it.

The secret follows from the seed of the deals, so everybody who knows the revealed seed can check every answer of a bot.
The numbers of a decision depend on the secret, the seat and what that seat has seen. The hidden cards change nothing.
"""

from collections.abc import Iterator
from hashlib import sha256

from deals.domain.dealing import MAX_ETUI, SEED_BYTES, DealingError, numbers
from referee.views import SeatView

NO_CARDS = "-"


def bot_secret(seed: bytes, etui: int) -> bytes:
    """Return the secret of the bots for one étui: SHA-256 of `TDGB`, the seed, and the étui's number in four bytes.

    Raise DealingError if the seed has another length than 32, or if the number is out of range.
    """
    if len(seed) != SEED_BYTES:
        raise DealingError("seed_size", found=len(seed))
    if not 1 <= etui <= MAX_ETUI:
        raise DealingError("board", found=etui)
    return sha256(b"TDGB" + seed + etui.to_bytes(4, "big")).digest()


def decision_numbers(secret: bytes, seen: SeatView) -> Iterator[int]:
    """Return the random numbers for one decision of a seat."""
    digest = sha256(secret + view_history(seen).encode()).digest()
    return numbers(int.from_bytes(digest, "big"), "bots")


def view_history(seen: SeatView) -> str:
    """Return everything that a seat has seen so far, as one text.

    It has the seat, the dealer, the seat's own cards, the bids, the chien if it was shown, and the seat's own écart. It
    also has the trumps shown, the chelem, and the cards in the order in which they were played.
    """
    played = [card for trick in seen.tricks for card in trick.cards]
    parts = (
        seen.seat,
        seen.dealer,
        f"{seen.hand:x}",
        ",".join(bid or NO_CARDS for bid in seen.bids),
        seen.taker,
        seen.contract,
        f"{seen.chien:x}",
        NO_CARDS if seen.ecart is None else f"{seen.ecart:x}",
        f"{seen.ecart_trumps:x}",
        seen.chelem,
        ",".join(f"{player}={shown:x}" for player, shown in seen.poignees),
        ",".join(map(str, (*played, *seen.cards))),
    )
    return "|".join(map(str, parts))
