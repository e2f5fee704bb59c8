"""The API of games: what is asked and answered, and by whom. No answer has a card that its reader does not know."""

import datetime as dt
import json
import re

import pytest
from django.test import Client as Browser
from django.urls import get_resolver, reverse
from django.utils import timezone

from api.tokens import make_api_token
from clubs.accounts.program_tokens import NewToken, make_program_token
from clubs.models import User
from deals.domain.cards import Seat
from deals.domain.deal import Deal, dumps, loads
from deals.models import Etui
from referee.errors import PlayRefused
from referee.views import view
from rooms.models import Game, Room, RoomKind, Visitor
from rooms.opening import Departure, join_room, make_room
from rooms.record.replaying import replay_record
from rooms.visitors.guests import make_guest
from tests.factories import make_director
from tests.rooms.tables import choose_token_of, make_visitor, play_by_hand

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def with_rooms(settings):
    settings.ROOMS = True


@pytest.fixture
def room():
    now = timezone.now()
    made = make_room(Departure(RoomKind.HALF, now - HOUR, now + HOUR, 3), now=now)
    made.level = 0
    made.save()
    return made


@pytest.fixture
def guest(room):
    """Return the browser of a guest who has joined the room."""
    visitor, token = make_guest(name="Ada", now=timezone.now())
    join_room(room_id=room.pk, visitor=visitor, now=timezone.now())
    browser = Browser(headers={"accept-language": "en"})
    browser.cookies["visitor"] = token
    browser.visitor = visitor
    return browser


def address(room, etui=1):
    return reverse("api_room_game", args=(room.pk, etui))


def at_turn(browser, room, etui=1):
    game = browser.get(address(room, etui)).json()
    while game["is_thinking"]:
        game = browser.get(address(room, etui)).json()
    return game


def send(browser, room, at, move, etui=1):
    return browser.post(address(room, etui), {"at": at, "move": move}, content_type="application/json")


@pytest.mark.nightly("story")
def test_guest_plays_an_etui_by_the_api(guest, room):
    game = at_turn(guest, room)
    while not game["is_over"]:
        held = replay_record(*deal_of(room), Game.objects.get(table__is_filler=False).record)
        move = choose_token_of(view(held.state, Seat.S), asks_chelem=game["asks_chelem"])
        answer = send(guest, room, game["length"], move)
        assert answer.status_code == 200, answer.content
        game = at_turn(guest, room)
    stored = Game.objects.get(table__is_filler=False)
    assert (game["score"], game["length"], game["finished_by"]) == (stored.score, stored.length, "hand")
    games = guest.get(reverse("api_room_games", args=(room.pk,))).json()["etuis"]
    assert games[0] == {"number": 1, "state": "over", "score": stored.score, "finished_by": "hand"}
    assert [each["state"] for each in games] == ["over", "next", "later"]


def deal_of(room, number=1):
    etui = Etui.objects.get(deal_set=room.deal_set, number=number)
    return loads(etui.cards), Seat(etui.dealer)


def test_taker_who_does_not_lead_is_asked_for_a_chelem_at_the_table_too(guest, room):
    for number in (1, 2):  # South leads one étui of four
        game = send(guest, room, at_turn(guest, room, number)["length"], "C", number).json()
        if game["asks_chelem"]:
            assert game["table"]["asks"]["kind"] == "chelem"
            return
        play_by_hand(room, guest.visitor, number, now=timezone.now())
    raise AssertionError("South leads one étui of four")


def test_other_move_is_a_conflict_with_the_true_state(guest, room):
    game = at_turn(guest, room)
    first = send(guest, room, game["length"], "C")
    again = send(guest, room, game["length"], "C")
    other = send(guest, room, game["length"], "-")
    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 409)
    assert other.json()["error"]["code"] == "other_move"
    assert first.json() == again.json() == other.json()["game"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"at": 0, "move": "zz"}, 422, "move_shape"),
        ({"at": -1, "move": "-"}, 400, "invalid"),
        ({"at": 0}, 400, "invalid"),
        ({"at": 0, "move": "-", "more": 1}, 400, "invalid"),
        ({"at": "GAME", "move": "k:0"}, 422, "phase"),
    ],
)
def test_wrong_move_says_why(guest, room, body, status, code):
    length = at_turn(guest, room)["length"]
    told = body | ({"at": length} if body["at" if "at" in body else "move"] == "GAME" else {})
    answer = guest.post(address(room), told, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["message"]


def test_stranger_and_other_sites_get_nothing(room, guest, settings):
    for browser in (Browser(), Browser(headers={"authorization": "Token wrong"})):
        assert browser.get(address(room)).status_code in (401, 422)
        assert send(browser, room, 0, "-").status_code in (401, 422)
    assert not Game.objects.filter(table__is_filler=False).exists()
    settings.ROOMS = False
    for path in (address(room), reverse("api_room_games", args=(room.pk,))):
        assert guest.get(path).status_code == 404
    assert send(guest, room, 0, "-").status_code == 404
    assert not Game.objects.filter(table__is_filler=False).exists()


@pytest.mark.nightly("story")
def test_no_answer_may_be_kept_by_a_cache(guest, room):
    """Check that the hand of a guest, who has no account, is not stored on the way or on the disk."""
    paths = [path for path in list_addresses(room) if path.startswith("/api/")]
    assert len(paths) > 4
    for path in paths:
        for browser in (guest, Browser()):
            answer = browser.get(path)
            assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", ")), path
            assert "ETag" not in answer


def test_form_of_another_site_makes_no_move(guest, room):
    """Check that only JSON is read: a page elsewhere cannot send it without being asked first."""
    length = at_turn(guest, room)["length"]
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
        body = json.dumps({"at": length, "move": "C"})
        assert guest.post(address(room), body, content_type=kind).status_code == 415
    assert Game.objects.get(table__is_filler=False).length == length


def test_program_is_marked(room):
    account = User.objects.create_user("robot", password="a long passphrase for tests")
    visitor = make_visitor(account=account, cookie_digest="")
    join_room(room_id=room.pk, visitor=visitor, now=timezone.now())
    browser = Browser(headers={"authorization": f"Token {make_api_token(account)}"})
    assert browser.get(address(room)).status_code == 200
    assert Visitor.objects.get(pk=visitor.pk).is_program


@pytest.mark.parametrize(("scope", "status"), [("read", 403), ("enter", 200), ("direct", 200)])
def test_program_of_a_club_needs_a_scope_to_join_and_to_play(room, club, scope, status):
    account = make_director(club)
    visitor = make_visitor(account=account, cookie_digest="")
    made = NewToken("Robot", {scope}, timezone.localdate() + dt.timedelta(days=9))
    token = make_program_token(club, made, now=timezone.now(), by=account)
    browser = Browser(headers={"authorization": f"Token {token}"})
    joined = browser.post(reverse("api_room_join", args=(room.pk,)), {}, content_type="application/json")
    assert joined.status_code == status
    join_room(room_id=room.pk, visitor=visitor, now=timezone.now())
    assert browser.get(address(room)).status_code == status
    length = 0 if status == 403 else at_turn(browser, room)["length"]
    assert send(browser, room, length, "C").status_code == status
    assert Game.objects.filter(table__is_filler=False).exists() == (status == 200)


def test_moves_of_one_visitor_are_limited_and_not_those_of_another(guest, room, monkeypatch, settings):
    monkeypatch.setattr("rooms.api.moves.PlayThrottle.get_rate", lambda _self: "3/min")
    other, token = make_guest(name="Bea", now=timezone.now())
    join_room(room_id=room.pk, visitor=other, now=timezone.now())
    second = Browser()
    second.cookies["visitor"] = token
    assert [guest.get(address(room)).status_code for _time in range(4)] == [200, 200, 200, 429]
    assert second.get(address(room)).status_code == 200


def test_move_costs_few_queries(guest, room, django_assert_max_num_queries):
    game = at_turn(guest, room)
    with django_assert_max_num_queries(6):
        assert send(guest, room, game["length"], "C").status_code == 200


# --- No answer has a card that its reader does not know ---------------------------------------------------------------


def exchange_hidden(room, number, record):
    """Yield deals that differ from the étui's only in cards which South has not seen, and allow the same record.

    There is one for each two of the other hands and the chien between which cards can be exchanged.
    """
    deal, dealer = deal_of(room, number)
    before = replay_record(deal, dealer, record)
    hidden = view(before.state, Seat.S).unseen
    unseen = [card for card in range(78) if hidden >> card & 1]
    done = set()
    for place, card in enumerate(unseen):
        for other in unseen[place + 1 :]:
            between = frozenset((deal.holders[card], deal.holders[other]))
            if len(between) == 1 or between in done:
                continue
            holders = list(deal.holders)
            holders[card], holders[other] = holders[other], holders[card]
            exchanged = Deal.from_holders(bytes(holders))
            try:
                after = replay_record(exchanged, dealer, record)
            except PlayRefused:
                continue
            if view(after.state, Seat.S) == view(before.state, Seat.S):
                done.add(between)
                yield exchanged


def list_addresses(room, table=1):
    """Return all addresses of rooms, of pages and of the API, for this room, its first étui and a table for four."""
    values = {"pk": room.pk, "etui": 1, "number": 1, "token": "x", "link": "x", "table": table}
    known = get_resolver().reverse_dict
    names = {name for name in known if isinstance(name, str) and name.startswith(("room", "api_room"))}
    keys = {
        (name, tuple(keys)) for name in names for possible, *_rest in known.getlist(name) for _text, keys in possible
    }
    return sorted({reverse(name, kwargs={key: values[key] for key in wanted}) for name, wanted in keys})


def read(browser, path):
    """Return an answer without what differs each time: tokens, the clock, the name that is proposed to a stranger."""
    changing = rb'csrf[^>]*?[A-Za-z0-9]{64}|data-now="[^"]*"|name="once" value="[^"]*"|id="name-[0-9]+"\s+value="[^"]*"'
    proposed = rb'name="name"[^>]*value="[^"]*"'
    return re.sub(changing + b"|" + proposed, b"", browser.get(path).content)


@pytest.fixture
def readers(guest, room, monkeypatch):
    """Return a browser of each reader: the player, another one of the room, a stranger, the administrator."""
    monkeypatch.setattr("api.base.Throttle.get_rate", lambda _self: "9999/min")
    other, token = make_guest(name="Bea", now=timezone.now())
    play_by_hand(room, other, 1, now=timezone.now())
    second = Browser()
    second.cookies["visitor"] = token
    chief = Browser()
    chief.force_login(User.objects.create_superuser("chief", password="a long passphrase for tests"))
    return {"player": guest, "other": second, "stranger": Browser(), "administrator": chief}


@pytest.mark.nightly("print")
@pytest.mark.parametrize("moves", [0, 1, 4, 9])
def test_no_answer_changes_with_a_card_that_its_reader_has_not_seen(guest, room, readers, moves):
    """Crawl all addresses of an open room, exchange hidden cards in the database, and crawl again."""
    game = at_turn(guest, room)
    for _move in range(moves):
        held = replay_record(*deal_of(room), Game.objects.get(table__seats__visitor=guest.visitor).record)
        if held.is_over:
            break
        move = (
            "C"
            if not held.state.terms.taker and _move == 0
            else choose_token_of(view(held.state, Seat.S), asks_chelem=game["asks_chelem"])
        )
        send(guest, room, game["length"], move)
        game = at_turn(guest, room)
    own = Game.objects.get(table__seats__visitor=guest.visitor)
    addresses = list_addresses(room)
    assert address(room) in addresses
    etui = Etui.objects.get(deal_set=room.deal_set, number=1)
    cards = etui.cards

    def crawl(names):
        return {(name, path): read(readers[name], path) for name in names for path in addresses}

    blind = [name for name in readers if name != "other"]  # the other player has seen this étui to its end
    crawl(blind)  # a look may begin an étui, so the second one is compared
    before = crawl(blind)
    seed = Room.objects.get(pk=room.pk).deal_set.seed
    told = b"\n".join(before.values())
    assert (seed.encode() in told, cards.encode() in told) == (False, False)
    if not own.finished_at:
        exchanged = list(exchange_hidden(room, 1, own.record))
        assert exchanged
        for deal in exchanged:
            etui.cards = dumps(deal)
            etui.save()
            assert crawl(blind) == before
