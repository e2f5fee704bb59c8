"""Numbers that look like chance and follow from a seed, on every machine the same; the clock is never asked.

Pure. SHA-256 of the seed and a counter.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, count
from struct import unpack

BITS = 32


def numbers(seed: int, purpose: str) -> Iterator[int]:
    """Endless integers of BITS bits; another purpose draws others."""
    named = f"{purpose}:{seed}:".encode()
    return chain.from_iterable(unpack("<8I", sha256(named + b"%d" % counter).digest()) for counter in count())


def below(draw: Iterator[int], bound: int) -> int:
    """A number from 0 to bound − 1; the bias is bound / 2**BITS."""
    return next(draw) * bound >> BITS


def shuffle(draw: Iterator[int], items: list[int]) -> list[int]:
    """A copy in another order."""
    mixed = items[:]
    for i in range(len(mixed) - 1, 0, -1):
        j = below(draw, i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed
