"""The seven tables of bots: they come with the first visitor, play while the room is open, and give a note at once."""

import datetime as dt
import re
from fractions import Fraction

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from deals.domain.cards import Seat
from rooms import closing
from rooms.closing.ranks import find_note_against_bots
from rooms.games import read_game
from rooms.models import Game, RoomKind, RoomSeat, RoomTable, VisitorEtui
from rooms.opening import add_field, join_room
from rooms.record.tables import find_taker_in_record
from rooms.visitors.finding import VISITOR_COOKIE
from rooms.visitors.guests import make_guest
from tests.rooms.tables import NOON, make_visitor, open_room, play_by_hand

pytestmark = pytest.mark.django_db
AFTER = NOON + dt.timedelta(minutes=40)


@pytest.fixture
def room():
    return open_room(level=0, etuis=2)


def list_records():
    """Return the record of each game of the tables of bots, by the numbers of table and étui."""
    games = Game.objects.filter(table__is_filler=True).order_by("table__number", "etui__number")
    return list(games.values_list("table__number", "etui__number", "record", "score"))


def test_field_comes_with_the_first_visitor_and_only_once(room):
    tables = [join_room(room_id=room.pk, visitor=make_visitor(), now=NOON) for _visitor in range(2)]
    assert [table.number for table in tables] == [1, 9]
    fillers = RoomTable.objects.filter(room=room, is_filler=True)
    assert [table.number for table in fillers.order_by("number")] == list(range(2, 9))
    assert RoomSeat.objects.filter(table__in=fillers).count() == 7 * 4
    assert Game.objects.filter(table__in=fillers).count() == 7 * room.etuis
    assert not add_field(room, now=NOON)


def test_joining_queues_the_bots_once(room, django_capture_on_commit_callbacks, monkeypatch):
    asked = []
    monkeypatch.setattr("rooms.opening.queue_again", lambda *job: asked.append(job))
    for _visitor in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            join_room(room_id=room.pk, visitor=make_visitor(), now=NOON)
    assert asked == [(room.pk, "rooms.tasks.close_room")]


def test_room_for_four_has_no_field_to_play(room):
    assert not closing.find_waiting_for_bots(NOON).exists()
    assert closing.play_field(room.pk, NOON)


@pytest.mark.nightly("story")
def test_field_is_played_while_the_room_is_open_and_alike_each_time(room):
    join_room(room_id=room.pk, visitor=make_visitor(), now=NOON)
    assert list(closing.find_waiting_for_bots(NOON)) == [room]
    pieces = 1
    while not closing.play_field(room.pk, NOON, seconds=0.0):
        pieces += 1
    first = list_records()
    assert pieces > 7
    assert None not in {score for *_rest, score in first}
    assert not closing.find_waiting_for_bots(NOON).exists()
    told = {"record": "", "length": 0, "score": None, "result": None, "finished_by": "", "finished_at": None}
    Game.objects.filter(table__is_filler=True).update(**told)
    assert closing.play_field(room.pk, NOON)
    assert list_records() == first


def end_games(own, marks):
    """End the tables of bots on the étui of an own game: South gets so many points more there than in the own game."""
    games = Game.objects.filter(table__is_filler=True, etui=own.etui).order_by("table__number")
    sign = 1 if find_taker_in_record(Seat(own.etui.dealer), own.record) == Seat.S else -1
    for game, mark in zip(games, marks, strict=True):
        told = {"record": own.record, "finished_by": "bot", "finished_at": NOON}
        Game.objects.filter(pk=game.pk).update(score=own.score + sign * mark, **told)


def finish_own(room, visitor, now=NOON):
    """Let a visitor play étui 1, and return the game."""
    play_by_hand(room, visitor, 1, now=now)
    return Game.objects.select_related("etui", "table").get(table__seats__visitor=visitor, etui__number=1)


def test_note_at_once_is_that_among_the_seven_tables_of_bots(room):
    own = finish_own(room, make_visitor())
    for marks, note in (([-9] * 7, 100), ([9] * 7, 0), ([-9] * 3 + [0] + [9] * 3, 50), ([9] + [-9] * 6, None)):
        end_games(own, marks)
        assert find_note_against_bots(own.table, 1) == (Fraction(600, 7) if note is None else note)


@pytest.mark.nightly("story")
def test_note_at_once_waits_for_the_bots_and_leaves_visitors_out(room):
    own = finish_own(room, make_visitor())
    assert find_note_against_bots(own.table, 1) is None  # the bots have not played yet
    other = RoomTable.objects.create(room=room, number=9)
    told = {"record": own.record, "score": 500, "finished_by": "hand", "finished_at": NOON, "begun_at": NOON}
    Game.objects.create(table=other, etui=own.etui, **told)  # another visitor counts only when the room closes
    end_games(own, [-9] * 7)
    assert find_note_against_bots(own.table, 1) == 100
    told = {"score": None, "finished_by": "", "finished_at": None}
    Game.objects.filter(table__number=8, etui=own.etui).update(**told)
    assert find_note_against_bots(own.table, 1) is None  # a table of bots still plays
    assert find_note_against_bots(own.table, 2) is None


def test_table_without_a_move_by_hand_is_deleted_at_the_closing(room):
    visitors = [make_visitor() for _visitor in range(3)]
    for visitor in visitors:
        join_room(room_id=room.pk, visitor=visitor, now=NOON)
    read_game(room_id=room.pk, visitor=visitors[1], etui=1, now=NOON)  # the bots before South have bid
    play_by_hand(room, visitors[2], 1, moves=1)
    Game.objects.filter(table__is_filler=True).delete()
    closing.finishing.complete_room(room, now=AFTER)
    assert [seat.visitor for seat in RoomSeat.objects.filter(visitor__isnull=False)] == [visitors[2]]
    assert VisitorEtui.objects.filter(visitor=visitors[1]).exists()  # an étui that was seen stays met


def test_room_in_which_nobody_has_moved_keeps_no_game_and_its_etuis(room):
    visitor = make_visitor()
    join_room(room_id=room.pk, visitor=visitor, now=NOON)
    read_game(room_id=room.pk, visitor=visitor, etui=1, now=NOON)
    assert closing.close_room(room.pk, AFTER)
    assert not Game.objects.exists()
    assert closing.clear_empty_rooms(AFTER + dt.timedelta(days=2)) == 0


ENGLISH = {"Accept-Language": "en"}


def read_all(client, room):
    """Return every answer about an open room that a reader gets, without tokens, the clock and the proposed name."""
    pages = [reverse("rooms"), reverse("rooms_me"), *(reverse(name, args=[room.pk]) for name in ("room", "room_play"))]
    pages += [f"{reverse('room_play', args=[room.pk])}?etui=1", reverse("room_etui", args=[room.pk, 1])]
    pages += [reverse("room_deals", args=[room.pk]), "/api/v1/rooms/", f"/api/v1/rooms/{room.pk}/"]
    pages += [f"/api/v1/rooms/{room.pk}/{rest}/" for rest in ("ranking", "etuis/1", "games", "games/1")]
    told = {page: client.get(page, headers=ENGLISH) for page in pages}
    hidden = re.compile(r'(value|data-now)="([^"]{16,}|[A-Z][^"]* \d+)"')  # tokens, moments, a proposed name
    return {page: (answer.status_code, hidden.sub("", answer.content.decode())) for page, answer in told.items()}


@pytest.mark.guard("the bots of an open room are secret")
def test_open_room_tells_of_the_bots_nothing_but_one_note(settings):
    """Give the bots other scores and cards that compare alike with South's: no answer may change."""
    settings.ROOMS = True
    now = dt.datetime.now(dt.UTC)
    room = open_room(RoomKind.DAY, now=now, level=0)
    guest, token = make_guest(name="Élise", now=now)
    own = finish_own(room, guest, now)
    client = Client()
    client.cookies[VISITOR_COOKIE] = token
    end_games(own, [-31] * 3 + [0] + [23] * 3)
    before = {who: read_all(each, room) for who, each in (("guest", client), ("stranger", Client()))}
    end_games(own, [-38] * 3 + [0] + [19] * 3)
    Game.objects.filter(table__is_filler=True).update(length=F("length") + 5, result={"contract": "garde_sans"})
    after = {who: read_all(each, room) for who, each in (("guest", client), ("stranger", Client()))}
    for who, told in before.items():
        assert [page for page in told if after[who][page] != told[page]] == []
    page = before["guest"][f"{reverse('room_play', args=[room.pk])}?etui=1"][1]
    assert "Against the seven tables of bots: <strong>50" in " ".join(page.split())
    hidden = reverse("room_etui", args=[room.pk, 1]), reverse("room_deals", args=[room.pk])
    assert [before["guest"][page][0] for page in hidden] == [404, 404]
