"""The secrets of a room that is not closed: no page, API, administration or export shows them to anybody."""

import io
import re
import zipfile

import pytest
from django.urls import reverse

from deals.models import Etui
from rooms.models import Game
from tests.rooms.lobby_world import ROLES
from tests.rooms.web.lobby.test_access import PAGES, address

pytestmark = pytest.mark.django_db
API = ("rooms/", "rooms/mine/", "rooms/{pk}/", "rooms/{pk}/ranking/", "rooms/{pk}/etuis/1/")


def secrets_of(room):
    """Return texts that an answer must not have: the seed, a hand, and the records and scores of the games."""
    hands = [hand for etui in Etui.objects.filter(deal_set=room.deal_set) for hand in etui.cards.split()]
    records = [game.record[:60] for game in Game.objects.filter(table__room=room) if game.length > 20]
    return [room.deal_set.seed, *hands, *records]


def text_of(answer):
    if answer.get("Content-Type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as found:
            return " ".join(found.read(name).decode() for name in found.namelist())
    return answer.content.decode()


def crawl(world, role, room):
    """Return everything that a role can read about a room, by address."""
    client = world.clients[role]
    pages = [address(world, page) for page in PAGES]
    pages += [f"/api/v1/{path.format(pk=room.pk)}" for path in API]
    if role == "administrator":
        pages += ["/admin/", f"/verify/{room.deal_set.commitment}/", f"/admin/deals/dealset/{room.deal_set_id}/change/"]
    answers = {path: text_of(client.get(path)) for path in pages}
    if role in ("account", "director", "administrator"):
        answers["export"] = text_of(client.post(reverse("account_export")))
    return answers


@pytest.mark.nightly("crawl", only=("director", "administrator", "account", "next"))
@pytest.mark.guard("cards and hands of rooms are secret")
@pytest.mark.parametrize("state", ["next", "open"])
@pytest.mark.parametrize("role", ROLES)
def test_no_answer_about_a_room_that_is_not_closed_has_its_secrets(world, role, state):
    room = getattr(world, state)
    found = crawl(world, role, room)
    secrets = secrets_of(room)
    assert len(secrets) > 8
    assert [path for path, text in found.items() if any(secret in text for secret in secrets)] == []


@pytest.mark.nightly("crawl", only=("director", "administrator", "account", "guest"))
@pytest.mark.guard("cards and hands of rooms are secret")
@pytest.mark.parametrize("role", ROLES)
def test_no_answer_about_an_open_room_tells_a_score_or_a_note(world, role):
    games = Game.objects.filter(table__room=world.open)
    assert games.count() == 2 + 7 * 2  # with those of the tables of bots
    games.update(score=31234, finished_by="hand", finished_at=world.open.opens_at)
    texts = crawl(world, role, world.open)
    assert [path for path, text in texts.items() if re.search(r"31.?234|93.?702", text)] == []


@pytest.mark.nightly("crawl")
def test_the_same_crawl_finds_the_secrets_of_a_closed_room(world):
    """Check that the tests above would find them."""
    found = crawl(world, "stranger", world.closed)
    texts = " ".join(found.values())
    assert all(secret in texts for secret in secrets_of(world.closed)[:5])
    assert any(record in texts for record in secrets_of(world.closed)[11:])
