"""The way into a room: in one tap as a guest, as the account that is logged in, with a name that is asked for."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.guard import counting
from deals.models import Etui
from rooms import opening
from rooms.models import RoomSeat, Visitor, VisitorEtui
from rooms.visitors.finding import VISITOR_COOKIE
from rooms.web import names
from tests.factories import make_user
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def join(world, client, **told):
    return client.post(reverse("room_join", args=[world.open.pk]), told, headers=ENGLISH)


def test_stranger_plays_in_one_tap_and_is_known_again(world):
    client = Client()
    answer = join(world, client, name="Merle 42")
    assert answer["Location"] == f"/rooms/{world.open.pk}/play/"
    cookie = answer.cookies[VISITOR_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 400 * 86_400)
    visitor = Visitor.objects.get(name="Merle 42")
    assert visitor.cookie_digest
    assert cookie.value not in visitor.cookie_digest
    again = join(world, client, name="Autre")
    assert VISITOR_COOKIE not in again.cookies
    assert RoomSeat.objects.filter(visitor=visitor, room=world.open).count() == 1


@pytest.mark.parametrize(("name", "text"), [("x", "2 letters at least"), ("<b>x</b>", "leave out “&lt;”")])
def test_wrong_name_is_asked_again_and_kept(world, name, text):
    answer = join(world, Client(), name=name)
    assert answer.status_code == 200
    assert text in words(answer)
    assert f'value="{name.replace("<", "&lt;").replace(">", "&gt;")}"' in answer.content.decode()
    assert Visitor.objects.count() == 2


def test_forged_request_of_another_site_joins_nothing(world):
    client = Client(enforce_csrf_checks=True)
    assert join(world, client, name="Paul").status_code == 403
    assert Visitor.objects.count() == 2


def test_room_that_is_not_open_is_refused_with_its_hour(world):
    for room, text in (
        (world.next, "This room opens at 13:30: come back then."),
        (world.closed, "This room is closed"),
    ):
        answer = world.clients["guest"].post(reverse("room_join", args=[room.pk]), headers=ENGLISH, follow=True)
        assert text in words(answer)
        assert answer.redirect_chain[0][0] == reverse("room", args=[room.pk])


def test_account_without_a_club_is_asked_for_a_name(world):
    client = Client()
    client.force_login(make_user("neuf"))
    assert "Choose a name of 2 letters at least." in words(join(world, client))
    assert join(world, client, name="Neuf").status_code == 302
    assert Visitor.objects.get(account__username="neuf").name == "Neuf"


def test_account_answers_first_whether_it_is_the_guest_who_plays_here(world):
    client = world.clients["guest"]
    client.force_login(make_user("neuf"))
    answer = client.post(reverse("room_join", args=[world.open.pk]), {"name": "Neuf"}, headers=ENGLISH, follow=True)
    assert "A guest of this device plays in this room: say first whether it is you." in words(answer)
    assert "Was it you?" in words(answer)
    assert RoomSeat.objects.filter(room=world.open, visitor__isnull=False).count() == 2
    client.post(reverse("rooms_me"), {"act": "keep"})
    assert "Continue: 1 of 2 played" in words(client.get(reverse("rooms"), headers=ENGLISH))


def test_device_of_a_guest_does_not_meet_by_account_what_the_guest_met(world):
    client = world.clients["guest"]
    client.force_login(make_user("neuf"))
    client.post(reverse("rooms_me"), {"act": "part"})
    join(world, client, name="Neuf")
    met = VisitorEtui.objects.filter(visitor__account__username="neuf").values_list("etui", flat=True)
    assert set(met) == set(VisitorEtui.objects.filter(visitor=world.visitors["guest"]).values_list("etui", flat=True))
    assert Etui.objects.get(deal_set=world.open.deal_set, number=1).pk in met


def test_too_many_guests_of_one_address_have_to_wait(world, monkeypatch):
    monkeypatch.setattr(opening, "GUESTS_A_MINUTE", 2)
    monkeypatch.setattr(counting, "clock", lambda: 1_000_000.0)
    answers = [join(world, Client(), name=f"Paul {number}").status_code for number in range(3)]
    assert answers == [302, 302, 429]
    assert join(world, world.clients["guest"]).status_code == 302


def test_address_makes_300_guests_a_day_and_opens_60_tables_of_a_room_a_day(world):
    limits = [(each.most, each.seconds) for each in opening.count_guests("192.0.2.1")]
    assert limits == [(20, 60), (300, 86_400)]
    (tables,) = opening.count_tables(0, world.visitors["guest"], "192.0.2.1")
    assert (tables.most, tables.seconds) == (60, 86_400)


def test_address_makes_so_many_guests_a_day_and_opens_so_many_tables_of_a_room(world, monkeypatch):
    monkeypatch.setattr(opening, "GUESTS_A_DAY", 3)
    monkeypatch.setattr(opening, "TABLES_OF_A_ROOM", 2)
    monkeypatch.setattr(counting, "clock", lambda: 1_000_000.0)
    clients = [Client() for _number in range(3)]
    answers = [join(world, client, name=f"Paul {number}").status_code for number, client in enumerate(clients)]
    assert answers == [302, 302, 429], "two tables"
    assert [join(world, client).status_code for client in clients] == [302, 302, 429], "a table is found again"
    monkeypatch.setattr(opening, "TABLES_OF_A_ROOM", 60)
    monkeypatch.setattr(counting, "clock", lambda: 1_000_300.0)
    assert join(world, Client(), name="Paul 4").status_code == 429, "three guests a day"
    assert (opening.GUESTS_A_MINUTE, Visitor.objects.filter(account=None).count()) == (20, 4)


def test_name_is_reported_by_one_tap_and_hidden_by_the_administrator(world, monkeypatch):
    guest = world.visitors["guest"]
    report = reverse("room_report", args=[world.closed.pk])
    answer = Client().post(report, {"visitor": guest.pk}, headers=ENGLISH, follow=True)
    assert "Thank you" in words(answer)
    client, page = world.clients["administrator"], reverse("rooms_names")
    assert "Élise" in words(client.get(page))
    client.post(page, {"visitor": guest.pk, "act": "hide"})
    ranking = reverse("room", args=[world.closed.pk])
    assert f"Player no. {guest.pk}" in words(Client().get(ranking, headers=ENGLISH))
    assert "Élise" not in words(Client().get(ranking))
    client.post(page, {"visitor": guest.pk, "act": "show"})
    assert "Élise" in words(Client().get(ranking))


def test_reports_of_one_address_are_limited(world, monkeypatch):
    monkeypatch.setattr(names, "REPORTS_A_DAY", 1)
    monkeypatch.setattr(counting, "clock", lambda: 1_000_000.0)
    report = reverse("room_report", args=[world.closed.pk])
    for visitor in world.visitors.values():
        assert Client().post(report, {"visitor": visitor.pk}).status_code == 302
    assert Visitor.objects.filter(reported_at__isnull=False).count() == 1


def test_own_results_show_rooms_apart_and_the_name_can_change(world):
    client = world.clients["guest"]
    text = words(client.get(reverse("rooms_me"), headers=ENGLISH))
    assert "Apart from the results of club evenings" in text
    assert "1 room · 2 deals" in text
    answer = client.post(reverse("rooms_me"), {"name": "Zoé"}, headers=ENGLISH, follow=True)
    assert "You are now called Zoé here." in words(answer)
    wrong = client.post(reverse("rooms_me"), {"name": "@"}, headers=ENGLISH)
    assert "Choose a name of 2 letters at least." in words(wrong)
    assert "You have no result yet" in words(Client().get(reverse("rooms_me"), headers=ENGLISH))


def test_guest_s_results_become_those_of_the_account_that_logs_in(world):
    client, user = world.clients["guest"], make_user("neuf")
    client.force_login(user)
    assert "Was it you?" in words(client.get(reverse("rooms"), headers=ENGLISH))
    answer = client.post(reverse("rooms_me"), {"act": "keep"}, headers=ENGLISH, follow=True)
    assert "What Élise played as a guest is now yours." in words(answer)
    assert client.cookies[VISITOR_COOKIE].value == ""
    assert Visitor.objects.get(account=user).pk == world.visitors["guest"].pk
    ranking = words(Client().get(reverse("room", args=[world.closed.pk]), headers=ENGLISH))
    assert "Guests Rank Player Deals % 1 Élise (no club) 2" in ranking  # the closed ranking does not move


def test_somebody_else_on_the_device_parts_from_the_guest(world):
    client = world.clients["guest"]
    client.force_login(make_user("neuf"))
    client.post(reverse("rooms_me"), {"act": "part"})
    assert client.cookies[VISITOR_COOKIE].value == ""
    world.visitors["guest"].refresh_from_db()
    assert world.visitors["guest"].name == "Élise"


def test_nobody_keeps_a_guest_without_an_account(world):
    answer = world.clients["guest"].post(reverse("rooms_me"), {"act": "keep"}, headers=ENGLISH, follow=True)
    assert "You are not playing as a guest on this device." in words(answer)
    assert Visitor.objects.filter(forgotten_at__isnull=False).count() == 0
