"""How many examples a test draws, where it does not draw as many as most."""

from typing import Any

from hypothesis import settings

MOST_TESTS = 100  # hypothesis's own number, which a search draws
FEWEST = 3


def draw_examples(number: int, **options: Any) -> settings:
    """So many in a search; in the suite, whose runs are all alike, the share of them that its other tests draw."""
    share = settings().max_examples / MOST_TESTS
    return settings(max_examples=max(FEWEST, round(share * number)), **options)
