"""The algorithm TDG-1, which makes every deal of a set from a 32-byte seed. `docs/dealing.md` specifies it.

The same seed gives the same deals on any machine, for ever. Pure: SHA-256 and integers. This module knows no taker
profile (the caller's `accept` does) and makes no seed: randomness is up to the caller, and so is keeping a seed secret
until nobody plays its étuis any more.
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
MAX_ETUI = 2**32 - 1
MAX_ATTEMPTS = 100_000  # a profile that refuses so many hands is a mistake, not bad luck


class DealingError(DealError):
    """A seed, étui number or profile that cannot give a deal."""

    messages: ClassVar[Texts] = {
        "seed_size": _("The seed has %(found)s bytes instead of 32."),
        "seed_digits": _("The seed has %(found)s hexadecimal digits instead of 64."),
        "seed_digit": _("Character %(column)s of the seed is not a hexadecimal digit: use only 0 to 9 and a to f."),
        "board": _("Étuis are numbered from 1 to 4294967295, not %(found)s."),
        "attempts": _("Étui %(board)s: %(found)s deals were tried and refused. Ask less of the deals."),
    }


class DealtEtui(NamedTuple):
    """A deal and the number, from 0, of the attempt that produced it."""

    deal: Deal
    attempt: int


def seed_from_hex(text: str) -> bytes:
    """Return the seed written as 64 hexadecimal digits, in either case. Spaces around them are ignored."""
    text = text.strip()
    for column, letter in enumerate(text, 1):
        if not re.fullmatch("[0-9a-fA-F]", letter):
            raise DealingError("seed_digit", column=column, found=letter)
    if len(text) != 2 * SEED_BYTES:
        raise DealingError("seed_digits", found=len(text))
    return bytes.fromhex(text)


def commitment(seed: bytes, players: int = 4, profile: str = "", value_name: str = "") -> str:
    """Return the commitment that is published before play: 64 hexadecimal digits.

    It binds the club to everything that the deals follow from, including the name of a public value that is drawn
    later. It says nothing about the seed itself.
    """
    texts = (profile.encode(), value_name.encode())
    told = bytes([players]) + b"".join(len(text).to_bytes(2, "big") + text for text in texts)
    return sha256(b"TDGB" + _check(seed) + told).hexdigest()


def seed_commitment(seed: bytes) -> str:
    """Return the older kind of commitment, to the seed alone, for sets that were made before `commitment` existed."""
    return sha256(b"TDGC" + _check(seed)).hexdigest()


def draw_seed(random: bytes, given: bytes) -> bytes:
    """Return a new seed made of 32 random bytes from the site and the bytes that its user adds.

    Neither the site nor the user can choose the seed alone.
    """
    return sha256(b"TDGS" + _check(random) + given).digest()


def mix_seed(seed: bytes, value: str) -> bytes:
    """Return the dealing seed once the public value named in advance is drawn.

    Every letter of `value` counts (UTF-8).
    """
    return sha256(b"TDGM" + _check(seed) + value.encode()).digest()


def deal_etui(seed: bytes, etui: int, players: int = 4, accept: Callable[[Deal], bool] | None = None) -> DealtEtui:
    """Return the deal of one étui (from 1): the first attempt without a petit sec that `accept` (if given) accepts."""
    if players not in HAND:
        raise DealingError("players", found=players)
    if not 1 <= etui <= MAX_ETUI:
        raise DealingError("board", found=etui)
    steps, places = _STEPS[players], _PLACES[players]
    head = b"TDG1%b%c%b" % (_check(seed), players, etui.to_bytes(4, "big"))
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
            return DealtEtui(deal, attempt)
    raise DealingError("attempts", board=etui, found=MAX_ATTEMPTS)


def _check(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise DealingError("seed_size", found=len(seed))
    return seed


def _blocks(head: bytes) -> Iterator[bytes]:
    """Yield the byte stream of one attempt block by block. Each block is hashed only when it is needed."""
    for number in count():
        yield sha256(head + number.to_bytes(4, "big")).digest()


def _choices(i: int) -> tuple[int, ...]:
    """Return, for each of the 256 bytes, the place to swap with place i. −1 means: take the next byte instead."""
    limit = 256 - 256 % (i + 1)
    return tuple(byte % (i + 1) if byte < limit else -1 for byte in range(256))


_DECK = list(range(CARDS))
# The last steps of the shuffle are left out: they would only reorder the first hand, and a hand has no order.
_STEPS = {players: tuple((i, _choices(i)) for i in range(CARDS - 1, hand - 1, -1)) for players, hand in HAND.items()}
# The holder of each place of the shuffled deck: every seat in turn, then the chien.
_PLACES = {players: bytes(min(i // hand, players) for i in range(CARDS)) for players, hand in HAND.items()}
