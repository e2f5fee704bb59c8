"""The rooms for four when they are stopped: in the middle of a closing, at two beats, at a last card; and a laptop."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing as closing_file
from time import monotonic, sleep

import pytest
from django.core.cache import cache
from django.db.models import Sum
from django.utils import timezone

from deals.domain.cards import Seat
from deals.domain.deal import loads
from referee.terms import DealPhase
from rooms import closing
from rooms.games.moving import store_moves
from rooms.models import ClassicTable, Game, Room, RoomSeat, Visitor
from rooms.record.replaying import replay_record
from rooms.visitors.guests import digest_token
from tests.factories import make_club, make_director
from tests.rooms.classic.fours import SECOND, make_room_for_four, seat_people
from tests.services.site import OURS, PROJECT
from tests.services.test_standings_jobs import in_threads
from tests.services.waiting import wait_until
from tournaments.job_health import LIFE, claim_key

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("process")]
KEY = "x" * 32


@pytest.fixture
def room(settings):
    """Return a room in which two tables have played a deal, and have begun another one."""
    settings.ROOMS = True
    room = make_room_for_four()
    for four in (seat_people(4, room=room), seat_people(4, room=room)):
        four.play()
        four.drive(20)
        four.play(6)
    return room


def over(room):
    return room.closes_at + 60 * SECOND


def figures():
    games = Game.objects.order_by("table", "begun_at").values_list(
        "record", "score", "note", "bot_seats", "finished_at"
    )
    return list(games), list(RoomSeat.objects.order_by("pk").values_list("notes_sum", "deals", "rank", "left_at"))


def sum_lengths():
    return Game.objects.aggregate(moves=Sum("length"))["moves"]


def test_closing_killed_after_its_first_deal_ends_as_if_it_had_run(room, monkeypatch):
    begun = dict(Game.objects.filter(finished_at=None).values_list("pk", "record"))
    ended = dict(Game.objects.filter(finished_at__isnull=False).values_list("pk", "record"))
    assert (len(begun), len(ended)) == (2, 2)
    stored = []

    def stop_after_one(*args, **kwargs):
        if stored:
            raise KeyboardInterrupt
        stored.append(store(*args, **kwargs))
        return stored[0]

    store = store_moves
    with monkeypatch.context() as patch:
        patch.setattr("rooms.closing.finishing.store_moves", stop_after_one)
        with pytest.raises(KeyboardInterrupt):
            closing.close_room(room.pk, over(room))
    half = dict(Game.objects.filter(finished_at__isnull=False).values_list("pk", "record"))
    assert (len(half), Room.objects.get(pk=room.pk).closed_at) == (3, None)
    assert closing.close_room(room.pk, over(room))
    records = dict(Game.objects.values_list("pk", "record"))
    assert all(records[pk] == record for pk, record in half.items())
    assert all(records[pk].startswith(record) for pk, record in begun.items())
    assert not closing.close_room(room.pk, over(room))
    assert set(RoomSeat.objects.values_list("deals", flat=True)) == {1}


def test_two_beats_close_a_room_once(room):
    told = in_threads([lambda: closing.close_room(room.pk, over(room))] * 3)
    assert sorted(told) == [False, False, True]
    assert not Game.objects.filter(finished_at=None).exists()
    assert set(ClassicTable.objects.values_list("ended_at", flat=True)) == {over(room)}
    before = figures()
    closing.close_room(room.pk, over(room))
    assert figures() == before


def test_job_that_was_killed_is_done_by_the_next_beat(room, work_in_background):
    """Check that a worker's own sweep finds a room for four whose hours were over while no worker ran."""
    Room.objects.filter(pk=room.pk).update(closes_at=timezone.now() - 60 * SECOND)
    work_in_background(sweep_seconds=1).start()
    wait_until(lambda: Room.objects.get(pk=room.pk).closed_at is not None, 90, "the room to be closed")
    assert not Game.objects.filter(finished_at=None).exists()


def test_worker_killed_between_two_tables_leaves_the_rest_to_the_next_worker(room, start_worker):
    begun = dict(Game.objects.filter(finished_at=None).values_list("pk", "record"))
    slow = {"closes_at": timezone.now() - 60 * SECOND, "level": 100}  # the bots think for a while
    Room.objects.filter(pk=room.pk).update(**slow)
    first, claim = start_worker(sweep_seconds=1, ROOMS="yes"), claim_key(f"room-{room.pk}")
    wait_until(lambda: Game.objects.filter(finished_at__isnull=False).count() == 3, 120, "the first table to be closed")
    while not cache.get(claim):  # between two pieces of the closing
        sleep(0.01)
    first.kill()
    killed_at, kept = monotonic(), sum_lengths()
    half = dict(Game.objects.filter(finished_at__isnull=False).values_list("pk", "record"))
    assert (len(half), Room.objects.get(pk=room.pk).closed_at, cache.get(claim) is None) == (3, None, False)
    second = start_worker(sweep_seconds=1, ROOMS="yes")
    begun_at = monotonic()
    wait_until(lambda: sum_lengths() > kept, 90, f"the second worker to go on; its log is {second.child.log}")
    waited = monotonic() - max(begun_at, killed_at + LIFE)
    assert waited < 15, waited  # a sweep, and the first piece
    wait_until(lambda: Room.objects.get(pk=room.pk).closed_at is not None, 300, "the room to be closed")
    records = dict(Game.objects.values_list("pk", "record"))
    assert len(records) == 4
    assert all(records[pk] == record for pk, record in half.items())
    assert all(records[pk].startswith(record) for pk, record in begun.items())
    assert not Game.objects.filter(finished_at=None).exists()
    assert set(RoomSeat.objects.values_list("deals", flat=True)) == {1}


@pytest.mark.parametrize("delay", [0.0, 0.3])
def test_web_process_killed_during_a_move_at_a_table_loses_nothing(start_site, settings, monkeypatch, delay):
    """Let one person play with three bots that think for a while, and kill the site while it answers."""
    settings.ROOMS, now = True, timezone.now()
    monkeypatch.setattr("tests.rooms.classic.fours.START", now)
    make_director(make_club())  # otherwise the site asks for its first club
    four = seat_people(1, room=make_room_for_four(now, wait=10))
    four.now = now
    four.drive(10)
    (seat, visitor), token = next(iter(four.people.items())), "T" * 32
    Visitor.objects.filter(pk=visitor.pk).update(cookie_digest=digest_token(token))
    while four.held.hold(seat).position.state.phase != DealPhase.PLAY:
        bids = four.held.hold(seat).position.state.phase == DealPhase.AUCTION
        four.move(seat, "G" if bids else four.token()[1])
        four.drive()
    game, move = Game.objects.get(), four.token()[1]
    before = game.record.split()
    Room.objects.update(level=100)
    address, body = f"/api/v1/rooms/tables/{four.table.pk}/", {"deal": 1, "at": game.length, "move": move}
    headers = {"Cookie": f"visitor={token}; csrftoken={KEY}", "X-CSRFToken": KEY}
    site = start_site(3600)
    with ThreadPoolExecutor(1) as sending:
        sent = sending.submit(site.send, address, body, seconds=60, **headers)
        sleep(delay)
        site.child.kill()
        sent.exception()
    kept = Game.objects.get().record.split()
    assert kept[: len(before)] == before
    again = start_site(3600)
    for _time in range(2):
        status, answer = again.send(address, body, seconds=60, **headers)
        assert status == 200, answer
    stored = Game.objects.select_related("etui").get()
    assert stored.record.split()[: len(before) + 1] == [*before, move]
    assert len(replay_record(loads(stored.etui.cards), Seat(stored.etui.dealer), stored.record).tokens) == stored.length


def make_first_club(laptop):
    """Make a club on the laptop. Otherwise the site asks for it."""
    ours = {name: value for name, value in os.environ.items() if name not in OURS}
    command = [sys.executable, str(PROJECT / "manage.py"), "first_run", "--club", "Club", "--email", "a@example.org"]
    subprocess.run(command, env=ours | laptop, check=True, capture_output=True)


def test_laptop_plays_at_a_table_for_four(serve, tmp_path, migrated_laptop):
    """Let a guest sit down on a laptop (SQLite, no worker), begin with bots, and make a move."""
    laptop = {"MODE": "laptop", "VAR_DIR": str(tmp_path / "var"), "ROOMS": "yes", "ROOM_LEVEL": "0"}
    (tmp_path / "var").mkdir()
    shutil.copyfile(migrated_laptop, tmp_path / "var" / "db.sqlite3")
    site = serve("python manage.py serve", **laptop)
    make_first_club(laptop)
    headers = {"Cookie": f"csrftoken={KEY}", "X-CSRFToken": KEY}
    with closing_file(sqlite3.connect(tmp_path / "var" / "db.sqlite3", timeout=60, isolation_level=None)) as other:
        status, halls = site.get("/api/v1/rooms/classic/")
        assert (status, len(json.loads(halls)["halls"])) == (200, 2)
        pk = json.loads(halls)["halls"][0]["id"]
        assert site.send_form(f"/rooms/{pk}/sit/", {"name": "Zoé", "once": "T" * 32})[0] in (200, 302)
        table = other.execute("SELECT id FROM rooms_roomtable").fetchone()[0]
        headers["Cookie"] += f"; visitor={'T' * 32}"
        address = f"/api/v1/rooms/tables/{table}/"
        assert site.send(f"{address}wish/", {"do": "next"}, **headers)[0] == 204

        def is_asked():
            told = json.loads(site.get(address, **headers)[1])
            return told["deal"] and told["game"]["asks"]["kind"] == "bid"

        wait_until(is_asked, what="the bots to bid")
        told = json.loads(site.get(address, **headers)[1])
        moved = site.send(address, {"deal": 1, "at": told["length"], "move": "C"}, **headers)
        assert moved[0] == 200
        assert json.loads(moved[1])["length"] > told["length"]
        record = other.execute("SELECT record FROM rooms_game").fetchone()[0]
        assert record.split()[told["length"]] == "C"
        seen = json.loads(site.get(address, **headers)[1])["seen"]
        assert site.get(f"{address}state?seen={seen}", **headers)[0] in (200, 204)
