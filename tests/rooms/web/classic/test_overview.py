"""The administrator's page of rooms for four: who sits where, without cards and results of an open room."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import User
from rooms.closing import close_room
from rooms.models import Game
from tests.rooms.classic.fours import SECOND, START, make_room_for_four, seat_people
from tests.rooms.web.classic.test_four_pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


@pytest.fixture
def chief(monkeypatch, settings):
    monkeypatch.setattr("django.utils.timezone.now", lambda: START)
    settings.ROOMS, settings.ROOM_LEVEL = True, 0
    client = Client(headers={"accept-language": "en"})
    client.force_login(User.objects.create_superuser("chief", password="a long passphrase for tests"))
    return client


def test_administrator_sees_who_sits_where_and_no_card(chief):
    assert "Nobody sits at a table for four" in text_of(chief.get(reverse("rooms_four")))
    four = seat_people(4)
    four.play(30)
    game = Game.objects.select_related("etui").get()
    page = text_of(chief.get(reverse("rooms_four")))
    assert all(visitor.name in page for visitor in four.people.values())
    assert "1 deal" in page
    secrets = [
        four.room.terms.link,
        game.record,
        *game.etui.cards.split(),
        four.room.deal_set.seed,
        "data-card",
        "card-",
    ]
    assert [secret for secret in secrets if secret in page] == []
    assert chief.get(reverse("room", args=[four.room.pk])).status_code == 404
    four.play()
    assert close_room(four.room.pk, four.room.closes_at + 60 * SECOND)
    page = text_of(chief.get(reverse("rooms_four")))
    assert f'href="{reverse("room", args=[four.room.pk])}"' in page
    assert chief.get(reverse("room", args=[four.room.pk])).status_code == 200


def test_queries_do_not_grow_with_the_tables(chief, django_assert_max_num_queries):
    def count(rooms):
        for _room in range(rooms):
            seat_people(2, room=make_room_for_four())
        with django_assert_max_num_queries(9):
            chief.get(reverse("rooms_four"))

    count(1)
    count(4)
