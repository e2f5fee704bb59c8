"""The setting ROOM_TOPAGE: an étui is shown at closing, or before to whoever has played it to the end."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rooms.opening import join_room
from rooms.visitors.finding import VISITOR_COOKIE
from rooms.visitors.guests import make_guest
from tests.rooms.seated import seat_guest

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def with_rooms(settings):
    settings.ROOMS, settings.ROOM_LEVEL = True, 0


@pytest.fixture
def seated():
    return seat_guest()


def never(_game):
    return False


def status_of(client, seated, etui=1):
    return client.get(reverse("room_etui", args=[seated.room.pk, etui])).status_code


def make_other(seated):
    """Return a client of another guest, who has a table in the room."""
    visitor, token = make_guest(name="Autre", now=timezone.now())
    join_room(room_id=seated.room.pk, visitor=visitor, now=timezone.now())
    client = Client()
    client.cookies[VISITOR_COOKIE] = token
    return client


@pytest.mark.nightly("story")
def test_open_room_shows_no_etui_by_default(seated):
    seated.play_until(never)
    assert status_of(seated.client(), seated) == 404


@pytest.mark.nightly("story")
def test_etui_is_shown_to_those_alone_who_have_played_it_to_the_end(seated, settings):
    settings.ROOM_TOPAGE = "played"
    client, other = seated.client(), make_other(seated)
    seated.game()
    assert [status_of(each, seated) for each in (client, other, Client())] == [404, 404, 404]
    seated.play_until(never)
    assert [status_of(each, seated) for each in (client, other, Client())] == [200, 404, 404]
    assert status_of(client, seated, 2) == 404
    api = reverse("api_room_etui", args=[seated.room.pk, 1])
    assert [each.get(api).status_code for each in (client, other, Client())] == [200, 404, 404]


@pytest.mark.nightly("story")
def test_table_leads_to_the_other_tables_once_the_etui_is_over(seated, settings):
    seated.play_until(never)
    link = f'href="{reverse("room_etui", args=[seated.room.pk, 1])}"'
    play = reverse("room_play", args=[seated.room.pk]) + "?etui=1"
    assert link not in seated.client().get(play).content.decode()
    settings.ROOM_TOPAGE = "played"
    assert link in seated.client().get(play).content.decode()
