"""The access to each page of rooms by each role, in each state of a room; and nothing at all without rooms."""

import pytest
from django.test import Client
from django.urls import reverse

from rooms.urls import urlpatterns
from tests.rooms.lobby_world import ROLES

pytestmark = pytest.mark.django_db

EVERYBODY = dict.fromkeys(ROLES, 200)
LOGGED_IN = ("account", "director", "administrator")
ADMINISTRATOR = dict.fromkeys(ROLES, 404) | {"administrator": 200}
# Page and state of the room → the status for each role. A page that is missing here fails the test.
PAGES = {
    "rooms": EVERYBODY,
    "rooms_me": EVERYBODY,
    "rooms_best": EVERYBODY,
    "rooms_errors": EVERYBODY,
    "rooms_classic": EVERYBODY,
    "rooms_names": ADMINISTRATOR,
    "rooms_four": ADMINISTRATOR,
    "rooms_account": EVERYBODY | dict.fromkeys(LOGGED_IN, 302),
    **{f"room {state}": EVERYBODY for state in ("next", "open", "closed")},
    **{f"room_etui {state}": dict.fromkeys(ROLES, 404) for state in ("next", "open")},
    "room_etui closed": EVERYBODY,
    **{f"room_deals {state}": dict.fromkeys(ROLES, 404) for state in ("next", "open")},
    "room_deals closed": EVERYBODY,
    **{f"room_trial {state}": dict.fromkeys(ROLES, 404) for state in ("next", "open")},
    "room_trial closed": EVERYBODY,
}
ACTIONS = {"room_join", "room_sit", "room_report", "room_place"}
ELSEWHERE = {
    "rooms_account_confirm",
    "room_play",
    "room_with",
    "room_four",
    "evening_trial",
    "room_review",
}  # test_sign_up.py, tests of tables, test_evening_trial_page.py, test_reviews.py


def address(world, page):
    """Return the address of a page, about the room in the state that the table names."""
    name, _space, state = page.partition(" ")
    parts = [getattr(world, state).pk] if state else []
    return reverse(name, args=[*parts, 1] if name in ("room_etui", "room_trial") else parts)


def test_every_page_of_rooms_is_in_the_table():
    assert {page.split()[0] for page in PAGES} | ACTIONS | ELSEWHERE >= {pattern.name for pattern in urlpatterns}


@pytest.mark.nightly("crawl", only=("director", "administrator", "stranger"))
@pytest.mark.guard("who may open which page, by which method")
@pytest.mark.parametrize("role", ROLES)
def test_each_page_opens_to_who_may_and_to_nobody_else(world, role):
    expected = {page: told[role] for page, told in PAGES.items()}
    assert {page: world.clients[role].get(address(world, page)).status_code for page in PAGES} == expected


@pytest.mark.parametrize("role", ROLES)
def test_actions_lead_back_to_their_page_when_they_are_only_read(world, role):
    home = reverse("room", args=[world.open.pk])
    asked = {name: world.clients[role].get(reverse(name, args=[world.open.pk])) for name in sorted(ACTIONS)}
    assert {name: answer["Location"] for name, answer in asked.items()} == dict.fromkeys(sorted(ACTIONS), home)


@pytest.mark.parametrize("role", [role for role in ROLES if role != "administrator"])
def test_only_the_administrator_changes_a_ranking_or_a_name(world, role):
    seat = world.closed.seats.get(visitor=world.visitors["guest"])
    place = reverse("room_place", args=[world.closed.pk])
    told = {"seat": seat.pk, "act": "out", "reason": "weil"}
    assert world.clients[role].post(place, told).status_code == 404
    assert world.clients[role].post(reverse("rooms_names"), {"visitor": 1, "act": "hide"}).status_code == 404
    seat.refresh_from_db()
    assert (seat.left_out_at, seat.rank) == (None, 1)


@pytest.mark.nightly("crawl")
def test_site_without_rooms_has_none_of_their_addresses_and_no_link(world, settings):
    settings.ROOMS = False
    client = world.clients["administrator"]
    assert {client.get(address(world, page)).status_code for page in PAGES} == {404}
    joined = client.post(reverse("room_join", args=[world.open.pk]))
    assert joined.status_code == 404
    for page in ("home", "rules", "account"):
        assert "/rooms/" not in client.get(reverse(page)).content.decode()
    assert "/rooms/" not in Client().get(reverse("home")).content.decode()
    settings.ROOMS = True
    assert 'href="/rooms/"' in Client().get(reverse("rules")).content.decode()


@pytest.mark.nightly("crawl")
def test_pages_of_rooms_are_kept_in_no_cache(world):
    answers = [world.clients[role].get(address(world, page)) for page in ("rooms", "room open") for role in ROLES]
    assert all("no-store" in answer["Cache-Control"] for answer in answers)
