"""The page of a trial: open to everybody once the room is closed, without scripts, and nothing is stored."""

import datetime as dt
import re
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from deals.domain.cards import Seat
from deals.models import Etui
from pages.parts.replay import DrawnTrick
from rooms.closing import close_room
from rooms.games.setting import read_position
from rooms.models import Game
from rooms.web.lobby.etuis import find_trial
from tests.rooms.tables import NOON, make_visitor, open_room, play_by_hand

pytestmark = pytest.mark.django_db
AFTER = NOON + dt.timedelta(minutes=40)
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def room(settings):
    settings.ROOMS = True
    room = open_room(level=0, etuis=1)
    play_by_hand(room, make_visitor("Zoé"), 1)
    return room


def read_form(page):
    """Return the address of the form of a trial, and the moves that it offers."""
    action = re.search(r'action="([^"]*trial/[^"]*)"', page)
    cards = re.findall(r'value="(k:\d+)"\s+data-card="\d+"\s+data-key="[^"]*"\s*>', page)
    return action[1].replace("&amp;", "&"), cards


def test_deal_of_a_room_that_is_not_closed_has_no_trial(room):
    assert Client().get(reverse("room_trial", args=[room.pk, 1])).status_code == 404


@pytest.mark.nightly("story")
def test_same_cards_end_as_at_the_table_and_nothing_is_stored(room):
    own = read_position((game := Game.objects.get(table__is_filler=False)).etui, game)
    told = zip(own.tokens, own.seats, strict=True)
    cards = [token for token, seat in told if seat == "S" and token.startswith("k:")]
    assert close_room(room.pk, AFTER)
    before = list(Game.objects.order_by("pk").values_list("pk", "record"))
    client, etui = Client(), reverse("room_etui", args=[room.pk, 1])
    links = re.findall(r'href="([^"]*trial/[^"]*)"', client.get(etui, headers=ENGLISH).content.decode())
    assert len(links) == 18
    address = links[12].replace("&amp;", "&")
    for move in cards[12:]:
        action, offered = read_form(client.get(address, headers=ENGLISH).content.decode())
        assert move in offered
        answer = client.post(action, {"move": move, "etui": 1, "at": 0}, headers=ENGLISH)
        assert answer.status_code == 302
        address = answer["Location"]
    page = client.get(address, headers=ENGLISH).content.decode()
    assert "It makes no difference." in page
    assert list(Game.objects.order_by("pk").values_list("pk", "record")) == before


@pytest.mark.parametrize("query", ["table=99", "table=1&card=99", "record=k:1", "record=x" + "x" * 700])
def test_wrong_address_of_a_trial_is_not_found(room, query):
    type(room).objects.filter(pk=room.pk).update(closed_at=AFTER)
    assert Client().get(f"{reverse('room_trial', args=[room.pk, 1])}?{query}").status_code == 404


def test_trial_begins_at_the_card_of_south():
    play = SimpleNamespace(table=3, game=SimpleNamespace(table=SimpleNamespace(room_id=7)))
    cards = [SimpleNamespace(seat=seat) for seat in (Seat.E, Seat.S, Seat.W, Seat.N)]
    address = f"{reverse('room_trial', args=[7, 2])}?table=3&card=9"
    assert find_trial(Etui(number=2), play, DrawnTrick(3, cards)) == address
    assert find_trial(Etui(number=2), play, DrawnTrick(3, cards[:1])) == ""
