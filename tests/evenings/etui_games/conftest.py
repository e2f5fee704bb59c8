"""The evening that tests of étuis for three and for five share."""

import pytest

from tests.etui_games import make_etui_tournament, start_etui_session
from tests.factories import make_club, make_director


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def evening(request):
    """Return a session of two tables that has started, and its director."""
    club = make_club()
    by = make_director(club)
    session = start_etui_session(request.param, 2, by=by, tournament=make_etui_tournament(request.param, club))
    return session, by
