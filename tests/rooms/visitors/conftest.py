"""An account of a director, an account without a club, and étuis to meet."""

import pytest
from django.utils import timezone, translation

from deals.models import DealSet
from tests.factories import make_club, make_director, make_user


@pytest.fixture(autouse=True)
def in_french():
    with translation.override("fr"):
        yield


@pytest.fixture
def directrice(db):
    return make_director(make_club())


@pytest.fixture
def account(db):
    """Return an account that is a player of no club."""
    return make_user("solo")


@pytest.fixture
def etuis(db):
    """Return four étuis of a set of nobody's."""
    deal_set = DealSet.objects.create(name="", created_at=timezone.now())
    return [deal_set.etuis.create(number=number, dealer="N") for number in range(1, 5)]
