"""A set without a club, as a room has it: nobody's list has it, and nobody can look at it."""

import pytest
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from deals.models import DealSet
from deals.sets import create_deal_set, find_sealed, list_commitments, seal_deal_set
from tests.pages.browsing import browser_of
from tournaments.permissions import Can, get_deal_set_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def bare():
    now = timezone.now()
    deal_set = create_deal_set(club=None, name="Xylophone", count=2, now=now, by=None)
    seal_deal_set(deal_set=deal_set, now=now)
    return deal_set


def test_no_list_of_commitments_has_it(bare):
    assert not find_sealed(bare.commitment).exists()
    assert bare.commitment not in {row["commitment"] for row in list_commitments()}


def test_the_page_of_commitments_leaves_it_out(bare, client):
    assert bare.commitment not in client.get("/verify/").content.decode()
    assert client.get(f"/verify/{bare.commitment}/").status_code == 404


def test_no_director_helper_or_administrator_gets_it(bare, club, director):
    admin = User.objects.create_superuser("chief", password="chief of the site 9")
    for user in (director, admin):
        for where in ({"pk": bare.pk}, {"pk": bare.pk, "club__slug": club.slug}):
            with pytest.raises(Http404):
                get_deal_set_for(user, Can.DIRECT, **where)
        assert browser_of(user).get(reverse("deal_set", args=(club.slug, bare.pk))).status_code == 404
    listed = browser_of(director).get(reverse("deal_sets", args=(club.slug,)))
    assert (listed.status_code, bare.name in listed.content.decode()) == (200, False)
    assert not DealSet.objects.filter(club=club).exists()
