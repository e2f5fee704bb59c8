"""How many examples a test draws, where it does not draw as many as most."""

from typing import Any

from hypothesis import settings

MOST_TESTS = 100  # hypothesis's own number, which a search draws
FEWEST = 3


def draw_examples(number: int, **options: Any) -> settings:
    """So many in a search; in the suite, whose runs are all alike, the share of them that its other tests draw."""
    return settings(max_examples=max(FEWEST, share_of(number)), **options)


def draw_seeds(number: int, *, fewest: int = FEWEST) -> range:
    """The same of the histories that a test makes up from a seed."""
    return range(max(fewest, share_of(number)))


def share_of(number: int) -> int:
    return round(number * settings().max_examples / MOST_TESTS)
