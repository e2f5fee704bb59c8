"""The costliest cards of a player: made when they ask, seen by them alone, and exercises once the room is closed."""

import datetime as dt
import json

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from bots.levels import VERSION
from rooms.models import Game
from rooms.visitors.guests import ensure_visitor, forget_guest_now
from tests.factories import make_user
from tests.rooms.privacy.test_rooms_privacy import read_export
from tests.rooms.tables import NOON, make_visitor, open_room, play_by_hand

pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en"}
AFTER = NOON + dt.timedelta(minutes=40)
TOLD = '{"card": %d, "other": 3, "loss": 7.66, "error": 0.61, "rule": "hold"}'


@pytest.fixture
def account():
    return ensure_visitor(account=make_user("zoe"), name="Zoé", now=NOON)


@pytest.fixture
def game(account, settings, monkeypatch):
    """Return a game that an account has played by hand. The bots tell of its first four cards, from 1 point on."""
    settings.ROOMS = True
    play_by_hand(open_room(level=0, etuis=1), account, 1)
    asked = []

    def ask(seen, card, secret):
        asked.append(card)
        return TOLD.replace("7.66", str(len(asked))) % card if len(asked) < 5 else ""

    monkeypatch.setattr("rooms.games.trials.thinker.ask", ask)
    return Game.objects.select_related("table__room", "etui").get(table__is_filler=False)


def review_address(game):
    return reverse("room_review", args=[game.table.room_id, game.etui.number])


def read(account, address):
    client = Client()
    client.force_login(account.account)
    return client.get(address, headers=ENGLISH)


def close(game):
    type(game.table.room).objects.update(closed_at=AFTER)


def test_review_is_made_once_and_only_its_player_reads_it(game, account):
    assert Client().get(review_address(game)).status_code == 404
    stranger = ensure_visitor(account=make_user("autre"), name="Autre", now=NOON)
    assert read(stranger, review_address(game)).status_code == 404
    page = read(account, review_address(game)).content.decode()
    game.refresh_from_db()
    assert game.review["bots"] == VERSION
    assert [each["loss"] for each in game.review["cards"]] == [4, 3, 2]
    assert page.count("is better by") == 3
    assert "trial" not in page, "the room is open"
    assert "/rules/holding/" in page
    stored = game.review
    assert read(account, review_address(game)).content.decode().count("is better by") == 3
    game.refresh_from_db()
    assert game.review == stored


def test_review_of_a_game_that_a_bot_finished_does_not_exist(game, account):
    Game.objects.filter(pk=game.pk).update(finished_by=Game.Finisher.BOT)
    assert read(account, review_address(game)).status_code == 404


@pytest.mark.nightly("story")
def test_dear_cards_are_exercises_once_their_room_is_closed(game, account):
    read(account, review_address(game))
    errors = reverse("rooms_errors")
    assert "trial" not in read(account, errors).content.decode()
    close(game)
    Game.objects.filter(pk=game.pk).update(finished_at=dt.datetime.now(dt.UTC))
    page = read(account, errors).content.decode()
    assert page.count("trial/?table=") == 3
    assert "is better by" not in page, "the exercise does not tell its answer"
    assert "trial" not in Client().get(errors).content.decode()
    game.refresh_from_db()
    at, card = (game.review["cards"][0][name] for name in ("at", "card"))
    trial = reverse("room_trial", args=[game.table.room_id, 1]) + f"?table={game.table.number}&card={at}"
    assert "is better by" not in read(account, trial).content.decode()
    position = [token for token in game.record.split() if token.startswith("k:")][: at + 1]
    end = game.record.split().index(position[-1]) + 1
    made = f"{trial}&record={'+'.join(game.record.split()[:end])}"
    assert position[-1] == f"k:{card}"
    assert "is better by" in read(account, made).content.decode()
    assert "is better by" not in Client().get(made, headers=ENGLISH).content.decode()
    Game.objects.filter(pk=game.pk).update(finished_at=NOON - dt.timedelta(days=400))
    assert "trial" not in read(account, errors).content.decode()


@pytest.mark.nightly("story")
def test_review_is_in_the_export_and_is_emptied_when_its_player_is_forgotten(game, account):
    read(account, review_address(game))
    (row,) = json.loads(read_export(account.account)["room_reviews.json"])
    assert len(row["review"]["cards"]) == 3
    guest = make_visitor("Passant")
    game.table.seats.filter(letter="S").update(visitor=guest)
    forget_guest_now(visitor=guest, now=NOON)
    assert Game.objects.get(pk=game.pk).review == {}


def test_deal_that_everybody_passed_has_no_costliest_card():
    table = {"room": {"pk": 1}, "table": {"shown": {"etui": 1}}}
    said = {
        lines: "/review/" in render_to_string("rooms/table/_next.html", table | {"result": {"lines": lines}})
        for lines in ((), ("made by 8",))
    }
    assert said == {(): False, ("made by 8",): True}
