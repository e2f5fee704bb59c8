"""The short searches for plans in the tests of evenings: tests/movements asks how good plans are."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from movements.search import anneal, even, rove
from tournaments.plans import proposals

SHORTER = 20
SEARCHES = (anneal._Evening, even._Sets, rove._Field)


def shorten(cool: Callable[..., None]) -> Callable[..., None]:
    return lambda self, draw, moves: cool(self, draw, moves // SHORTER)


# Each kind of search remembers its own answers: the plan of a test must not depend on the tests before it.
Searches = tuple[Sequence[Callable[..., None]], dict[proposals.PlanQuestion, tuple[proposals.Proposal, ...]]]
WHOLE: Searches = [searching.cool for searching in SEARCHES], proposals.answered
SHORT: Searches = [shorten(cool) for cool in WHOLE[0]], {}


@contextmanager
def search_with(searches: Searches) -> Iterator[None]:
    """Search for plans in this way, until the end of the block."""
    with pytest.MonkeyPatch.context() as patch:
        for searching, cool in zip(SEARCHES, searches[0], strict=True):
            patch.setattr(searching, "cool", cool)
        patch.setattr(proposals, "answered", searches[1])
        yield


@pytest.fixture(autouse=True)
def short_searches(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let each search make a twentieth of its moves, unless the test bears the mark `whole_search`.

    A plan may then repeat a few more meetings, but no étui. How good plans are is asked in tests/movements. An evening
    that the tests of a file share is made before them, so its plan comes from whole searches.
    """
    whole = request.node.get_closest_marker("whole_search")
    with search_with(WHOLE if whole else SHORT):
        yield
