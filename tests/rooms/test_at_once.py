"""Two at once in the rooms: two visitors who make a room, two devices with one card, two beats that close."""

import datetime as dt
from hashlib import sha256

import pytest
from django.utils import timezone

from bots.moves import BidMove
from deals.domain.cards import Seat
from deals.domain.deal import loads
from rooms import closing
from rooms.errors import MoveConflict
from rooms.games import make_move, read_game
from rooms.models import Game, Room, RoomKind, RoomSeat, RoomTable, VisitorEtui
from rooms.opening import Departure, find_rooms, join_room, make_room
from rooms.record.moves import write_move
from rooms.record.replaying import replay_record
from scoring.values import Contract
from tests.rooms.tables import choose_token_of, make_visitor, play_by_hand
from tests.services.test_standings_jobs import in_threads

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def room(transactional_db):
    now = timezone.now()
    made = make_room(Departure(RoomKind.HALF, now - MINUTE, now + 20 * MINUTE, 3), now=now)
    Room.objects.update(level=0)
    made.refresh_from_db()
    return made


@pytest.mark.nightly("race")
def test_rooms_are_made_once_by_many_at_once(transactional_db):
    now = timezone.now()
    found = in_threads([lambda: [room.pk for room in find_rooms(now)] for _visitor in range(4)])
    assert len(set(map(tuple, found))) == 1
    assert Room.objects.count() == len(found[0])


@pytest.mark.nightly("race")
def test_visitors_who_join_at_once_get_tables_of_their_own(room):
    now, visitors = timezone.now(), [make_visitor() for _visitor in range(4)]
    tables = in_threads(
        [lambda visitor=visitor: join_room(room_id=room.pk, visitor=visitor, now=now).pk for visitor in visitors * 2]
    )
    assert tables[:4] == tables[4:]
    mine = RoomTable.objects.filter(pk__in=tables)
    assert sorted(mine.values_list("number", flat=True)) == [1, 9, 10, 11]  # tables of bots lie between
    assert RoomSeat.objects.filter(table__in=mine).count() == 16


@pytest.mark.nightly("race")
def test_two_devices_begin_an_etui_once(room):
    now, visitor = timezone.now(), make_visitor()
    join_room(room_id=room.pk, visitor=visitor, now=now)
    where = {"room_id": room.pk, "visitor": visitor, "etui": 1, "now": now}
    games = in_threads([lambda: read_game(**where).view.hand] * 4)
    own = Game.objects.filter(table__is_filler=False)
    assert (len(set(games)), own.count(), VisitorEtui.objects.count()) == (1, 1, 1)


@pytest.mark.nightly("race")
def test_one_move_from_two_devices_is_stored_once(room):
    now, visitor = timezone.now(), make_visitor()
    join_room(room_id=room.pk, visitor=visitor, now=now)
    where = {"room_id": room.pk, "visitor": visitor, "etui": 1, "now": now}
    game, sent = read_game(**where), 0
    while not game.is_over:
        sent += 1
        told = where | {"at": game.length, "move": choose_token_of(game.view, asks_chelem=game.asks_chelem)}
        lengths = in_threads([lambda told=told: make_move(**told).length] * 3)
        game = read_game(**where)
        assert set(lengths) == {game.length}
    stored = Game.objects.get(table__is_filler=False)
    seats = replay_record(loads(stored.etui.cards), Seat(stored.etui.dealer), stored.record).seats
    assert (stored.length, seats.count(Seat.S)) == (game.length, sent)


@pytest.mark.nightly("race")
def test_of_two_moves_at_once_one_is_stored_and_the_other_gets_its_state(room):
    now, visitor = timezone.now(), make_visitor()
    join_room(room_id=room.pk, visitor=visitor, now=now)
    where = {"room_id": room.pk, "visitor": visitor, "etui": 1, "now": now}
    at = read_game(**where).length

    def send(move):
        try:
            return make_move(**where, at=at, move=move).length
        except MoveConflict as conflict:
            return ("conflict", conflict.game.length)

    outcomes = in_threads([lambda move=move: send(move) for move in ("-", write_move(BidMove(Contract.GARDE_CONTRE)))])
    stored = Game.objects.get(table__is_filler=False)
    assert {str(outcome) for outcome in outcomes} == {str(stored.length), str(("conflict", stored.length))}
    assert stored.record.split()[at] in ("-", "C")


@pytest.mark.nightly("race")
def test_two_beats_close_a_room_once(room):
    visitor = make_visitor()
    play_by_hand(room, visitor, 1, now=timezone.now())
    read_game(room_id=room.pk, visitor=visitor, etui=2, now=timezone.now())
    after = room.closes_at + MINUTE
    assert sorted(in_threads([lambda: closing.close_room(room.pk, after)] * 3)) == [False, False, True]
    assert (RoomTable.objects.count(), Game.objects.filter(finished_at=None).count()) == (8, 0)
    assert Game.objects.values("table", "etui").distinct().count() == Game.objects.count() == 16
    told = [sha256(record.encode()).digest() for record in Game.objects.values_list("record", flat=True)]
    assert len(told) == 16
    assert RoomSeat.objects.get(visitor=visitor).deals == 2
