"""A site killed during a move, over a departure, or while a room closes: nothing is lost, nothing comes twice."""

import datetime as dt
import json
from threading import Thread
from time import sleep

import pytest
from django.utils import timezone

from deals.domain.cards import Seat
from deals.domain.deal import loads
from referee.terms import DealPhase
from rooms.games import PlayedGame, make_move, read_game
from rooms.models import Game, Room, RoomKind, RoomSeat, VisitorEtui
from rooms.opening import Departure, join_room, make_room
from rooms.record.replaying import replay_record
from rooms.visitors.guests import make_guest
from tests.factories import make_club, make_director
from tests.rooms.seated import seat_guest
from tests.rooms.tables import choose_token_of
from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("process")

MINUTE, HOUR = dt.timedelta(minutes=1), dt.timedelta(hours=1)
KEY = "x" * 32


@pytest.fixture
def room(transactional_db):
    """Return an open room of two étuis, whose bots play by their policy."""
    now = timezone.now()
    made = make_room(Departure(RoomKind.HALF, now - HOUR, now + HOUR, 2), now=now)
    Room.objects.filter(pk=made.pk).update(level=0)
    return Room.objects.get(pk=made.pk)


@pytest.fixture
def guest(room):
    """Return a guest with a table in the room, and the token of the guest's cookie."""
    visitor, token = make_guest(name="Zoé", now=timezone.now())
    join_room(room_id=room.pk, visitor=visitor, now=timezone.now())
    return visitor, token


def choose_token(game: PlayedGame) -> str:
    return choose_token_of(game.view, asks_chelem=game.asks_chelem)


def play_while(room, visitor, etui, goes_on):
    """Play an étui in this process, as long as the game is as a test wants it, and return it."""
    where = {"room_id": room.pk, "visitor": visitor, "etui": etui, "now": timezone.now()}
    game = read_game(**where)
    while not game.is_over and (game.is_thinking or goes_on(game)):
        game = read_game(**where) if game.is_thinking else make_move(**where, at=game.length, move=choose_token(game))
    return game


def is_before_the_play(game):
    return game.view.phase != DealPhase.PLAY


def is_own_card(game):
    return game.view.phase == DealPhase.PLAY and bool(game.view.legal) and not game.asks_chelem


def replay(game):
    return replay_record(loads(game.etui.cards), Seat(game.etui.dealer), game.record)


def send_move(site, room, token, at, move):
    """Send a move as a program would, and return the status, or None if the site ended meanwhile."""
    headers = {"Cookie": f"visitor={token}; csrftoken={KEY}", "X-CSRFToken": KEY}
    try:
        return site.send(f"/api/v1/rooms/{room.pk}/games/1/", {"at": at, "move": move}, seconds=60, **headers)
    except OSError:
        return None


@pytest.mark.parametrize("delay", [0.0, 0.15])
def test_web_process_killed_during_a_move_loses_nothing_and_stores_nothing_twice(transactional_db, start_site, delay):
    make_director(make_club())  # otherwise the site asks for its first club
    seated = seat_guest()
    game = seated.play_until(is_own_card, takes=True)
    room, token, at, move = seated.room, seated.token, game.length, choose_token(game)
    before = Game.objects.get(table__is_filler=False).record.split()
    Room.objects.filter(pk=room.pk).update(level=100)  # so that the bots think for a while
    site = start_site(3600)
    sending = Thread(target=send_move, args=(site, room, token, at, move))
    sending.start()
    sleep(delay)
    site.child.kill()
    sending.join()
    kept = Game.objects.get(table__is_filler=False)
    assert (kept.record.split()[:at], len(kept.record.split())) == (before, kept.length)
    again = start_site(3600)
    for _time in range(2):
        status, answer = send_move(again, room, token, at, move)
        assert status == 200, answer
    stored = Game.objects.select_related("etui").get(table__is_filler=False)
    position = replay(stored)
    assert stored.record.split()[at] == move
    own = Game.objects.filter(table__is_filler=False)
    assert (len(position.tokens), own.count(), VisitorEtui.objects.count()) == (stored.length, 1, 1)
    assert json.loads(answer)["length"] == stored.length


def test_site_killed_over_a_departure_and_while_a_room_closes_ends_as_if_it_had_run(room, guest, start_site):
    visitor, _token = guest
    own = play_while(room, visitor, 1, lambda game: True)
    begun = play_while(room, visitor, 2, is_before_the_play)
    records = dict(Game.objects.filter(table__is_filler=False).values_list("etui__number", "record"))
    Room.objects.filter(pk=room.pk).update(closes_at=timezone.now() - MINUTE, level=10)  # the site was down meanwhile
    site = start_site(1)
    unfinished = Game.objects.filter(finished_at=None)
    wait_until(lambda: not unfinished.filter(etui__number=1).exists(), 60, "the bots of the first étui")
    site.child.kill()
    start_site(1)
    wait_until(lambda: Room.objects.get(pk=room.pk).closed_at is not None, 300, "the room to be closed")
    games = list(Game.objects.select_related("etui", "table").order_by("table__number", "etui__number"))
    assert len({(game.table_id, game.etui_id) for game in games}) == len(games) == 16
    assert all(replay(game).is_over and game.note for game in games)
    mine = {game.etui.number: game for game in games if not game.table.is_filler}
    assert (mine[1].record, mine[1].finished_by) == (records[1], "hand")
    assert mine[2].record.startswith(records[2])
    assert mine[2].finished_by == ("hand" if begun.is_over else "bot")
    seat = RoomSeat.objects.get(visitor=visitor)
    assert (own.is_over, seat.deals, seat.own_deals, seat.rank) == (True, 2, 2 if begun.is_over else 1, 1)
    departures = list(Room.objects.values_list("kind", "opens_at"))
    assert len(set(departures)) == len(departures)
    assert Room.objects.filter(kind=RoomKind.HALF, opens_at__gt=timezone.now()).count() == 1
