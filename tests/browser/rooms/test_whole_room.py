"""A guest on a phone plays eight étuis, pauses, goes on with another device, and finds the ranking when it opens."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from rooms.closing import close_room
from rooms.models import Game, Room, RoomKind, RoomSeat
from tests.browser.rooms.sitting import sit
from tests.rooms.conftest import same_seeds  # noqa: F401
from tests.rooms.seated import seat_guest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
PAUSED = 3  # étuis before the pause
ETUIS = 8


@pytest.fixture(autouse=True)
def _with_rooms(settings):
    settings.ROOMS, settings.ROOM_LEVEL, settings.ROOM_ETUIS = True, 0, ETUIS


def play_etui(here):
    """Play the étui on the page to its end."""
    while here.kind != "over":
        here.answer(lambda element: element.click())


def test_guest_plays_eight_etuis_on_two_phones_to_the_ranking(open_page, live_server):
    seated = seat_guest(kind=RoomKind.HALF, etuis=ETUIS)
    with sit(open_page, live_server.url, seated) as phone:
        for number in range(1, PAUSED + 1):
            expect(phone.page.locator("h1")).to_have_text(f"Étui {number}/{ETUIS}")
            play_etui(phone)
            phone.page.click("[data-key=next]")
        while phone.kind != "card":  # the étui at which the guest pauses
            phone.answer(lambda element: element.click())
        hand, length = phone.hand, phone.length
    with sit(open_page, live_server.url, seated) as other:
        assert (other.hand, other.length) == (hand, length)
        for number in range(PAUSED + 1, ETUIS + 1):
            expect(other.page.locator("h1")).to_have_text(f"Étui {number}/{ETUIS}")
            play_etui(other)
            other.page.click("[data-key=next]")
        expect(other.page).to_have_url(live_server.url + reverse("room", args=[seated.room.pk]))
        Room.objects.filter(pk=seated.room.pk).update(closes_at=timezone.now() - dt.timedelta(minutes=1))
        assert close_room(seated.room.pk, timezone.now())
        other.page.reload()
        expect(other.page.locator("tr.is-me")).to_contain_text("Zoé")
    seat = RoomSeat.objects.get(visitor=seated.visitor)
    assert (seat.rank, seat.deals, seat.own_deals) == (1, ETUIS, ETUIS)
    assert Game.objects.filter(table=seat.table, finished_by="hand").count() == ETUIS
