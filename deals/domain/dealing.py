"""The algorithm TDG-1, which makes every deal of a set from a seed of 32 bytes. `docs/dealing.md` specifies it.

The same seed always gives the same deals, on any machine. Only SHA-256 and integers are used. The caller makes the
seed, and keeps it secret until nobody plays its étuis any more. The caller also gives the taker profile, as a function
`accept`.

The pseudo-random numbers of plans and bots are here too. They are the same on every machine: SHA-256 of a seed and a
counter.
"""

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import chain, count
from struct import unpack
from typing import ClassVar, NamedTuple

from deals.domain.cards import CARDS, HAND
from deals.domain.deal import Deal, DealError, has_petit_sec
from wording import Texts
from wording import gettext_noop as _

SEED_BYTES = 32
MAX_ETUI = 2**32 - 1
MAX_ATTEMPTS = 100_000  # a profile that refuses this number of deals is too strict


class DealingError(DealError):
    """The error for a seed, an étui number or a profile from which no deal can be made."""

    messages: ClassVar[Texts] = {
        "seed_size": _("The seed has %(found)s bytes instead of 32."),
        "seed_digits": _("The seed has %(found)s hexadecimal digits instead of 64."),
        "seed_digit": _("Character %(column)s of the seed is not a hexadecimal digit: use only 0 to 9 and a to f."),
        "board": _("Étuis are numbered from 1 to 4294967295, not %(found)s."),
        "attempts": _("Étui %(board)s: %(found)s deals were tried and refused. Choose a less strict profile."),
    }


class DealtEtui(NamedTuple):
    """A deal, and the number of the attempt that gave it, counted from 0."""

    deal: Deal
    attempt: int


def seed_from_hex(text: str) -> bytes:
    """Return the seed that is written as 64 hexadecimal digits. Capitals and surrounding spaces do not matter.

    Raise DealingError on any other text.
    """
    text = text.strip()
    for column, letter in enumerate(text, 1):
        if not re.fullmatch("[0-9a-fA-F]", letter):
            raise DealingError("seed_digit", column=column, found=letter)
    if len(text) != 2 * SEED_BYTES:
        raise DealingError("seed_digits", found=len(text))
    return bytes.fromhex(text)


def commitment(seed: bytes, players: int = 4, profile: str = "", value_name: str = "") -> str:
    """Return the commitment to a seed: 64 hexadecimal digits that are published before play.

    It proves later that nobody changed the input of the deals. The input is the seed, the number of players, the
    profile, and the name of a public value that is drawn later. Nobody can find the seed from it.
    """
    texts = (profile.encode(), value_name.encode())
    content = bytes([players]) + b"".join(len(text).to_bytes(2, "big") + text for text in texts)
    return sha256(b"TDGB" + _check(seed) + content).hexdigest()


def seed_commitment(seed: bytes) -> str:
    """Return the older kind of commitment, which covers the seed alone.

    It is for sets that were made before `commitment` existed.
    """
    return sha256(b"TDGC" + _check(seed)).hexdigest()


def draw_seed(random: bytes, given: bytes) -> bytes:
    """Return a new seed, computed from 32 random bytes of the site and the bytes that the user adds.

    So neither the site nor the user can choose the seed alone.
    """
    return sha256(b"TDGS" + _check(random) + given).digest()


def mix_seed(seed: bytes, value: str) -> bytes:
    """Return the seed for dealing, computed from the set's seed and the public value whose name was published before.

    Another `value` gives another seed, even if only one letter differs.
    """
    return sha256(b"TDGM" + _check(seed) + value.encode()).digest()


def deal_etui(seed: bytes, etui: int, players: int = 4, accept: Callable[[Deal], bool] | None = None) -> DealtEtui:
    """Return the deal of one étui: the first attempt that has no petit sec, and that `accept`, if given, accepts.

    Étuis are numbered from 1. Raise DealingError if a number is wrong, or if too many attempts were refused.
    """
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
    """Yield the bytes from which one attempt takes its choices, in blocks of 32. A block is hashed when needed."""
    for number in count():
        yield sha256(head + number.to_bytes(4, "big")).digest()


def _choices(i: int) -> tuple[int, ...]:
    """Return, for each value of a byte, the place to exchange with place i. −1 means: take the next byte instead."""
    limit = 256 - 256 % (i + 1)
    return tuple(byte % (i + 1) if byte < limit else -1 for byte in range(256))


_DECK = list(range(CARDS))
# The last steps of the shuffle are left out: they only reorder the cards within the first hand, which changes nothing.
_STEPS = {players: tuple((i, _choices(i)) for i in range(CARDS - 1, hand - 1, -1)) for players, hand in HAND.items()}
# The holder of each place of the shuffled deck: the first cards go to the first seat, the last ones to the chien.
_PLACES = {players: bytes(min(i // hand, players) for i in range(CARDS)) for players, hand in HAND.items()}


BITS = 32


def numbers(seed: int, purpose: str) -> Iterator[int]:
    """Return an endless iterator of integers of BITS bits. Each purpose has its own sequence."""
    named = f"{purpose}:{seed}:".encode()
    return chain.from_iterable(unpack("<8I", sha256(named + b"%d" % counter).digest()) for counter in count())


def below(draw: Iterator[int], bound: int) -> int:
    """Return a number from 0 to bound − 1. Each is almost equally likely: the difference is below bound / 2**BITS."""
    return next(draw) * bound >> BITS


def shuffle(draw: Iterator[int], items: list[int]) -> list[int]:
    """Return a copy of the list in random order."""
    mixed = items[:]
    for i in range(len(mixed) - 1, 0, -1):
        j = below(draw, i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed
