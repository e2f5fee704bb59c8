"""The visitors of one device: a form sent twice, a guest who is forgotten, an account that logs out."""

import re

import pytest
from django.core import signing
from django.db import IntegrityError
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from rooms.models import RoomSeat, Visitor, VisitorEtui
from rooms.visitors.finding import ACCOUNT_COOKIE, LINKS_COOKIE, VISITOR_COOKIE
from rooms.visitors.guests import keep_guest, make_guest, rename_visitor
from rooms.visitors.names import VisitorRefused
from rooms.web.doors import keep_link
from tests.factories import make_user
from tests.pages.reading import words
from tests.rooms.tables import NOON, make_visitor

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def join(world, client, **told):
    return client.post(reverse("room_join", args=[world.open.pk]), told, headers=ENGLISH)


def test_form_that_is_sent_twice_makes_one_guest(world):
    page = Client().get(reverse("rooms"), headers=ENGLISH).content.decode()
    once = re.search(r'name="once" value="([^"]+)"', page)[1]
    first, second = Client(), Client()  # the second request leaves before the first answer has brought the cookie
    answers = [join(world, client, name="Merle 42", once=once) for client in (first, second)]
    assert [answer.status_code for answer in answers] == [302, 302]
    guest = Visitor.objects.get(name__startswith="Merle 42")
    assert {answer.cookies[VISITOR_COOKIE].value for answer in answers} == {once}
    assert RoomSeat.objects.filter(room=world.open, visitor=guest).count() == 1


def test_each_page_has_a_token_of_its_own(world):
    pages = [Client().get(reverse("rooms")).content.decode() for _time in range(2)]
    assert len({re.search(r'name="once" value="([^"]+)"', page)[1] for page in pages}) == 2


@pytest.mark.parametrize("once", ["", "x", "é" * 32, "a" * 500])
def test_token_that_no_form_has_is_not_used(once):
    assert make_guest(name="Paul", now=NOON, token=once)[1] != once


def test_guest_is_forgotten_at_once_after_saying_that_they_are_sure(world):
    client, guest = world.clients["guest"], world.visitors["guest"]
    answer = client.post(reverse("rooms_me"), {"act": "forget"}, headers=ENGLISH, follow=True)
    assert "Tick the box if the site should forget you" in words(answer)
    assert Visitor.objects.get(pk=guest.pk).name == "Élise"
    answer = client.post(reverse("rooms_me"), {"act": "forget", "sure": "yes"}, headers=ENGLISH, follow=True)
    assert "The site has forgotten your name and this device." in words(answer)
    guest.refresh_from_db()
    assert (guest.name, guest.cookie_digest, guest.forgotten_at) == ("", "", NOON)
    assert VISITOR_COOKIE not in {name for name, cookie in client.cookies.items() if cookie.value}
    assert RoomSeat.objects.filter(visitor=guest).count() == 2
    told = words(world.clients["stranger"].get(reverse("room", args=[world.closed.pk]), headers=ENGLISH))
    assert f"Player no. {guest.pk}" in told


def test_account_is_not_forgotten_as_a_guest(world):
    client = world.clients["account"]
    answer = client.post(reverse("rooms_me"), {"act": "forget", "sure": "yes"}, headers=ENGLISH, follow=True)
    assert "You are not playing as a guest on this device." in words(answer)
    assert Visitor.objects.get(pk=world.visitors["account"].pk).name == "Solo"


def test_guest_meets_no_etui_that_an_account_of_the_device_met_before_it_logged_out(world):
    client = Client()
    client.force_login(make_user("neuf"))
    join(world, client, name="Neuf")
    client.get(reverse("room_play", args=[world.open.pk]))
    met = set(VisitorEtui.objects.filter(visitor__account__username="neuf").values_list("etui", flat=True))
    assert len(met) == 1
    client.logout()
    client.cookies[ACCOUNT_COOKIE] = sign_account_of("neuf")  # the test client loses all cookies when it logs out
    join(world, client, name="Merle 42")
    guest = Visitor.objects.get(name="Merle 42")
    assert met <= set(VisitorEtui.objects.filter(visitor=guest).values_list("etui", flat=True))


def list_met(visitor):
    return set(VisitorEtui.objects.filter(visitor=visitor).values_list("etui", flat=True))


def find_visitor_of(name):
    return Visitor.objects.get(account__username=name)


def test_guest_who_is_forgotten_meets_no_etui_again_by_an_account(world):
    client, guest = world.clients["guest"], world.visitors["guest"]
    met = list_met(guest)
    assert met
    forgotten = client.post(reverse("rooms_me"), {"act": "forget", "sure": "on"})
    kept = forgotten.cookies[ACCOUNT_COOKIE].value
    client.force_login(make_user("neuf"))
    client.cookies[ACCOUNT_COOKIE] = kept
    join(world, client, name="Neuf")
    assert list_met(find_visitor_of("neuf")) == met


def test_second_account_of_a_device_meets_no_etui_of_the_first(world):
    client = Client()
    client.force_login(make_user("neuf"))
    join(world, client, name="Neuf")
    client.get(reverse("room_play", args=[world.open.pk]))
    met = list_met(find_visitor_of("neuf"))
    assert len(met) == 1
    other = Client()
    other.force_login(make_user("autre"))
    join(world, other, name="Autre")
    assert list_met(find_visitor_of("autre")) == set(), "another device"
    other.cookies[ACCOUNT_COOKIE] = sign_account_of("neuf")
    other.get(reverse("room_play", args=[world.open.pk]))
    assert met <= list_met(find_visitor_of("autre"))


def sign_account_of(name):
    return signing.dumps(Visitor.objects.get(account__username=name).pk, salt="room_account")


def test_account_leaves_a_signed_cookie_and_a_forged_one_is_not_read(world):
    client = Client()
    client.force_login(make_user("neuf"))
    cookie = join(world, client, name="Neuf").cookies[ACCOUNT_COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert signing.loads(cookie.value, salt="room_account") == Visitor.objects.get(account__username="neuf").pk
    stranger = Client()
    stranger.cookies[ACCOUNT_COOKIE] = str(world.visitors["account"].pk)
    join(world, stranger, name="Merle 42")
    assert not VisitorEtui.objects.filter(visitor__name="Merle 42").exists()


def test_account_without_a_club_is_marked_where_it_is_named(world):
    told = words(world.clients["stranger"].get(reverse("room", args=[world.closed.pk]), headers=ENGLISH))
    assert "Solo (no club)" in told
    assert "Élise (guest)" in told


def test_name_that_another_guest_takes_at_the_same_moment_is_refused_in_words(monkeypatch):
    make_visitor("Paul")
    monkeypatch.setattr("rooms.visitors.guests.find_free_name", lambda name, visitor=None: name)
    with pytest.raises(VisitorRefused) as caught:
        rename_visitor(visitor=make_visitor("Zoé"), name="Paul", now=NOON)
    assert (caught.value.code, isinstance(caught.value.__cause__, IntegrityError)) == ("guest_name_just_taken", True)


def test_account_that_begins_to_play_at_the_same_moment_is_told_to_try_again(monkeypatch):
    account, guest = make_user("zoe"), make_visitor("Zoé")
    Visitor.objects.create(account=account, created_at=NOON, seen_at=NOON)
    with monkeypatch.context() as patch:
        patch.setattr("rooms.visitors.guests.find_account_visitor", lambda account: None)
        with pytest.raises(VisitorRefused) as caught:
            keep_guest(visitor=guest, account=account, now=NOON)
    assert caught.value.code == "account_plays_now"


def test_device_keeps_the_link_of_a_room_before_its_older_ones(rf):
    request, answer = rf.get("/"), HttpResponse()
    request.COOKIES[LINKS_COOKIE] = "older.oldest"
    keep_link(request, answer, "newest")
    kept = answer.cookies[LINKS_COOKIE]
    assert (kept.value, kept["httponly"], kept["samesite"]) == ("newest.older.oldest", True, "Lax")
    assert kept["max-age"] > 0
