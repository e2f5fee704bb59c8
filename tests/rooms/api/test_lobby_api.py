"""The rooms for programs: the lobby, a room, its ranking and étuis after closing, own results, joining."""

import pytest
from django.test import override_settings

from api.tokens import make_api_token
from rooms.models import Visitor
from tests.api.conftest import V1, Client
from tests.factories import make_user
from tests.rooms.lobby_world import ETUIS, add_players, draw_same_seeds, make_lobby_world
from tests.rooms.tables import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(rows_of_the_file):
    with override_settings(ROOMS=True, ROOM_LEVEL=0, ROOM_ETUIS=ETUIS), pytest.MonkeyPatch.context() as patch:
        draw_same_seeds(patch)
        patch.setattr("django.utils.timezone.now", lambda: NOON)  # rows that are kept are of the same moment
        yield make_lobby_world()


@pytest.fixture(autouse=True)
def noon(monkeypatch, settings):
    """Let it be noon, on a site with rooms."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
    settings.ROOMS, settings.ROOM_LEVEL, settings.ROOM_ETUIS = True, 0, ETUIS


@pytest.fixture
def stranger():
    return Client(None)


@pytest.fixture
def account(world):
    return Client(world.users["account"])


@pytest.mark.nightly("story")
def test_lobby_has_open_coming_and_closed_rooms(world, stranger, account):
    told = stranger("GET", "rooms/")
    assert [room["kind"] for room in told["open"]] == ["half", "day", "week"]
    assert [room["id"] for room in told["closed"]] == [world.closed.pk]
    assert told["open"][0]["players"] == 2
    assert {room["seed"] for name in ("open", "next") for room in told[name]} == {None}
    assert told["open"][0]["commitment"] == world.open.deal_set.commitment
    assert account("GET", "rooms/")["open"][0]["mine"] == {"played": 1, "under_way": False}


def test_closed_room_has_its_seed_ranking_and_etuis(world, account):
    assert account("GET", f"rooms/{world.closed.pk}/")["seed"] == world.closed.deal_set.seed
    players = account("GET", f"rooms/{world.closed.pk}/ranking/")
    guests = account("GET", f"rooms/{world.closed.pk}/ranking/?group=guests")
    assert [(row["player"]["name"], row["rank"], row["mine"]) for row in players["rows"]] == [("Solo", 1, True)]
    assert [(row["player"]["name"], row["player"]["guest"]) for row in guests["rows"]] == [("Élise", True)]
    assert (players["bot_tables"], guests["total"]) == (7, 1)
    etui = account("GET", f"rooms/{world.closed.pk}/etuis/1/")
    assert (etui["total"], len(etui["plays"])) == (9, 9)
    assert [play["player"]["name"] for play in etui["plays"] if play["mine"]] == ["Solo"]
    assert all(play["record"] for play in etui["plays"])


def test_room_that_is_not_closed_has_neither(world, account):
    for room in (world.open, world.next):
        for path in ("ranking/", "etuis/1/"):
            account("GET", f"rooms/{room.pk}/{path}", status=404)


def test_long_ranking_links_to_its_next_page(world, stranger):
    add_players(world.closed, 60)
    path = f"{V1}rooms/{world.closed.pk}/ranking/"
    first = stranger.send("GET", path, query="group=guests")
    assert "group=guests&page=2" in first["Link"]
    second = stranger.send("GET", path, query="group=guests&page=2")
    assert (len(second.json()["rows"]), second.has_header("Link")) == (11, False)
    assert stranger.send("GET", path, query="group=guests&page=9").json()["rows"] == []
    assert stranger.send("GET", path, query="group=nobody").status_code == 400


def test_own_results_are_for_the_account_alone(world, stranger, account):
    stranger("GET", "rooms/mine/", status=401)
    told = account("GET", "rooms/mine/")
    assert [(row["room"], row["rank"], row["deals"]) for row in told["rows"]] == [(world.closed.pk, 1, 2)]
    assert Client(make_user("neuf"))("GET", "rooms/mine/") == {"total": 0, "rows": []}


def test_program_joins_with_a_name_and_is_marked(world, stranger, client):
    path = f"rooms/{world.open.pk}/join/"
    stranger("POST", path, {}, status=401)
    user = make_user("robot")
    headers = {"authorization": f"Token {make_api_token(user)}"}
    asked = {"content_type": "application/json", "headers": headers}
    assert client.post(V1 + path, {}, **asked).json()["error"]["code"] == "guest_name_short"
    assert client.post(V1 + path, {"name": "Robot"}, **asked).json() == {"room": world.open.pk, "table": 10}
    visitor = Visitor.objects.get(account=user)
    assert (visitor.name, visitor.is_program) == ("Robot", True)
    refused = client.post(f"{V1}rooms/{world.closed.pk}/join/", {}, **asked)
    assert refused.json()["error"]["code"] == "room_over"


def test_site_without_rooms_answers_404(world, account, settings):
    settings.ROOMS = False
    for path in ("rooms/", "rooms/mine/", f"rooms/{world.open.pk}/", f"rooms/{world.closed.pk}/ranking/"):
        account("GET", path, status=404)
    account("POST", f"rooms/{world.open.pk}/join/", {}, status=404)


def test_no_cache_keeps_an_answer(world):
    for role in ("stranger", "guest", "account"):
        client = world.clients[role]
        for path in ("rooms/", f"rooms/{world.open.pk}/", f"rooms/{world.open.pk}/games/"):
            assert client.get(V1 + path)["Cache-Control"] == "private, no-store"


def test_requests_are_limited(world, client, monkeypatch):
    monkeypatch.setattr("api.base.Throttle.get_rate", lambda _self: "2/min")
    answers = [client.get(f"{V1}rooms/").status_code for _time in range(3)]
    assert answers == [200, 200, 429]
