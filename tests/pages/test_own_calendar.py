"""The secret address of a player's calendar: asked for with an account, or with the link on the player's papers."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from evenings.requests.links import ensure_links
from tests.factories import make_user, started_session
from tournaments.models import CalendarLink

pytestmark = pytest.mark.django_db


def address_on(page):
    found = re.search(r'value="(http[^"]*)"', page.content.decode())
    return found and found[1].removeprefix("http://testserver")


@pytest.fixture
def place(client, request):
    """Return the page of an account, or that of a personal link before anything is published."""
    if request.param == "account":
        client.force_login(make_user("joueuse"))
        return reverse("account_calendar")
    session = started_session(tables=1, positions=1)
    entrant = session.entrants.first()
    return reverse("personal_calendar", args=[ensure_links(session, now=timezone.now())[entrant.pk].token])


@pytest.mark.nightly("story")
@pytest.mark.parametrize("place", ["account", "link"], indirect=True)
def test_address_is_made_shown_changed_and_ended(client, place):
    assert address_on(client.get(place)) is None
    client.post(place, {"do": "make"})
    first = address_on(client.get(place))
    assert client.get(first).status_code == 200
    assert f"webcal://testserver{first}" in client.get(place).content.decode()
    client.post(place, {"do": "make"})
    client.post(place, {"do": "nonsense"})
    assert address_on(client.get(place)) == first
    client.post(place, {"do": "anew"})
    second = address_on(client.get(place))
    assert [client.get(each).status_code for each in (first, second)] == [404, 200]
    client.post(place, {"do": "end"})
    assert address_on(client.get(place)) is None
    assert client.get(second).status_code == 404
    assert "no-store" in client.get(place)["Cache-Control"]


def test_address_that_an_account_asks_for_is_of_that_account(client):
    user = make_user("joueuse")
    client.force_login(user)
    client.post(reverse("account_calendar"), {"do": "make"})
    assert CalendarLink.objects.get().user == user


def test_revoked_or_invented_link_makes_nothing(client):
    assert client.post(reverse("personal_calendar", args=["x" * 22]), {"do": "make"}).status_code == 404
    assert not CalendarLink.objects.exists()
