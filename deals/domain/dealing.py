"""TDG-1: from a 32-byte seed to every deal of a set, the same on any machine for ever; `docs/dealing.md` specifies it.

Pure: SHA-256 and integers. Knows no taker profile (the caller's `accept` does) and makes no seed: randomness is the
caller's business, and so is keeping a seed secret until nobody plays its boards any more.
"""

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import chain, count
from typing import ClassVar, NamedTuple

from deals.domain.cards import CARDS, HAND
from deals.domain.deal import Deal, DealError, has_petit_sec
from wording import Texts
from wording import gettext_noop as _

SEED_BYTES = 32
MAX_BOARD = 2**32 - 1
MAX_ATTEMPTS = 100_000  # a profile that refuses so many hands is a mistake, not bad luck


class DealingError(DealError):
    """The seed, the board number or the profile cannot give a deal."""

    messages: ClassVar[Texts] = {
        "seed_size": _("The seed has %(found)s bytes instead of 32."),
        "seed_digits": _("The seed has %(found)s hexadecimal digits: write 64."),
        "seed_digit": _("Character %(column)s of the seed is no hexadecimal digit: use 0 to 9 and a to f only."),
        "board": _("Étuis are numbered from 1 to 4294967295, not %(found)s."),
        "attempts": _("Étui %(board)s: %(found)s deals were refused. Loosen what is asked of the deals."),
    }


class DealtBoard(NamedTuple):
    """A deal and the number, from 0, of the attempt that gave it."""

    deal: Deal
    attempt: int


def seed_from_hex(text: str) -> bytes:
    """The seed of 64 hexadecimal digits, in either case, spaces around them forgiven."""
    text = text.strip()
    for column, letter in enumerate(text, 1):
        if not re.fullmatch("[0-9a-fA-F]", letter):
            raise DealingError("seed_digit", column=column, found=letter)
    if len(text) != 2 * SEED_BYTES:
        raise DealingError("seed_digits", found=len(text))
    return bytes.fromhex(text)


def commitment(seed: bytes, players: int = 4, profile: str = "", value_name: str = "") -> str:
    """What is published before play, 64 hexadecimal digits: it binds to all that the deals follow from, the public
    value that is drawn later by its name, and tells nothing of the seed."""
    texts = (profile.encode(), value_name.encode())
    told = bytes([players]) + b"".join(len(text).to_bytes(2, "big") + text for text in texts)
    return sha256(b"TDGB" + _check(seed) + told).hexdigest()


def seed_commitment(seed: bytes) -> str:
    """The commitment of the sets that were made before `commitment`: to the seed alone."""
    return sha256(b"TDGC" + _check(seed)).hexdigest()


def draw_seed(random: bytes, given: bytes) -> bytes:
    """A new seed of the site's 32 random bytes and whatever its user adds: neither can choose it alone."""
    return sha256(b"TDGS" + _check(random) + given).digest()


def mix_seed(seed: bytes, value: str) -> bytes:
    """The dealing seed once the public value named in advance is drawn; `value` counts to the letter, as UTF-8."""
    return sha256(b"TDGM" + _check(seed) + value.encode()).digest()


def deal_board(seed: bytes, board: int, players: int = 4, accept: Callable[[Deal], bool] | None = None) -> DealtBoard:
    """The deal of one board (from 1): the first attempt without a petit sec that `accept`, where given, passes."""
    if players not in HAND:
        raise DealingError("players", found=players)
    if not 1 <= board <= MAX_BOARD:
        raise DealingError("board", found=board)
    steps, places = _STEPS[players], _PLACES[players]
    head = b"TDG1%b%c%b" % (_check(seed), players, board.to_bytes(4, "big"))
    for attempt in range(MAX_ATTEMPTS):
        stream = chain.from_iterable(_blocks(head + attempt.to_bytes(4, "big")))
        cards = _DECK[:]
        for i, choices in steps:
            for byte in stream:
                if (j := choices[byte]) >= 0:
                    break
            cards[i], cards[j] = cards[j], cards[i]
        deal = Deal.from_holders(bytes.maketrans(bytes(cards), places)[:CARDS])
        if not has_petit_sec(deal) and (accept is None or accept(deal)):
            return DealtBoard(deal, attempt)
    raise DealingError("attempts", board=board, found=MAX_ATTEMPTS)


def _check(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise DealingError("seed_size", found=len(seed))
    return seed


def _blocks(head: bytes) -> Iterator[bytes]:
    """The byte stream of one attempt, block by block, each hashed only when it is needed."""
    for number in count():
        yield sha256(head + number.to_bytes(4, "big")).digest()


def _choices(i: int) -> tuple[int, ...]:
    """For each of the 256 bytes the place that it swaps with place i; −1 where the next byte must be taken."""
    limit = 256 - 256 % (i + 1)
    return tuple(byte % (i + 1) if byte < limit else -1 for byte in range(256))


_DECK = list(range(CARDS))
# The shuffle's last steps only mix the first hand within itself, and a hand has no order: they are left out.
_STEPS = {players: tuple((i, _choices(i)) for i in range(CARDS - 1, hand - 1, -1)) for players, hand in HAND.items()}
# Who holds each place of the shuffled deck: every seat in turn, then the chien.
_PLACES = {players: bytes(min(i // hand, players) for i in range(CARDS)) for players, hand in HAND.items()}
