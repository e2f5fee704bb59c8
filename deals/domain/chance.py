"""The pseudo-random numbers that are computed from a seed. They are the same on every machine.

They are SHA-256 of the seed and a counter.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, count
from struct import unpack

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
