"""The number of examples that a test draws, if it is not the usual number."""

from typing import Any

from hypothesis import settings

MOST_TESTS = 100  # the default of hypothesis, used in a long search
FEWEST = 3


def draw_examples(number: int, **options: Any) -> settings:
    """Return settings that draw `number` examples in a long search, and a smaller share in the usual suite."""
    return settings(max_examples=max(FEWEST, share_of(number)), **options)


def draw_seeds(number: int, *, fewest: int = FEWEST) -> range:
    """Return the seeds of histories: `number` in a long search, and a smaller share in the usual suite."""
    return range(max(fewest, share_of(number)))


def share_of(number: int) -> int:
    return round(number * settings().max_examples / MOST_TESTS)
