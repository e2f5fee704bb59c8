"""What holds for the tests of evenings: the searches for their plans are short, for these ask what becomes of them."""

import pytest

from movements.search import anneal, even, rove

SHORTER = 20


@pytest.fixture(autouse=True)
def short_searches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search makes a twentieth of its moves, unless the test bears the mark `whole_search`: it may repeat a few more
    meetings, no étui. How good plans are is asked in tests/movements.
    """
    if request.node.get_closest_marker("whole_search"):
        return
    for searching in (anneal._Evening, even._Sets, rove._Field):
        shorten(monkeypatch, searching)


def shorten(monkeypatch: pytest.MonkeyPatch, searching: type) -> None:
    cool = searching.cool
    monkeypatch.setattr(searching, "cool", lambda self, draw, moves: cool(self, draw, moves // SHORTER))
