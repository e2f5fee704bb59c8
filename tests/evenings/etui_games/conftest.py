"""The evening that tests of étuis for three and for five share."""

import pytest

from tests.etui_games import start_evening


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def evening(request):
    """Return a session of two tables that has started, and its director."""
    return start_evening(request.param)
