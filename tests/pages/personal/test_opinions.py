"""The opinions on a request: a player's page asks for one until it is given, and shows it from then on."""

import pytest
from django.core.cache import cache

from tests.evenings.requests.world import Four, send, visit
from tests.factories import published_session
from tests.pages.reading import words
from tournaments.models import Session

pytestmark = pytest.mark.nightly("story")

AWAITED = "Your answer is needed"
GIVEN = "Your answers to other requests"


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_session()


@pytest.fixture
def four(db, evening):
    cache.clear()
    return Four(Session.objects.select_related("tournament__club").get(pk=evening.pk))


@pytest.mark.parametrize("word", ["yes", "no"])
def test_opinion_is_awaited_no_more_once_it_is_given(four, word):
    request = four.ask()
    page = words(visit(four.others[0]))
    assert (AWAITED in page, GIVEN in page) == (True, False)
    send(four.others[0], "personal_answer", request.pk, agrees=word)
    page = words(visit(four.others[0]))
    assert (AWAITED in page, GIVEN in page) == (False, True)
    assert AWAITED in words(visit(four.others[1]))
