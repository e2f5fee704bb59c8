"""The jobs of rooms on a laptop and on a server: rooms are made ahead, and closed when their hours are over."""

import datetime as dt

import pytest
from django.core.cache import caches
from django.utils import timezone

from evenings.plans.proposals import PlanQuestion
from jobs.tasks import search_plans
from rooms.models import Game, Room, RoomKind, RoomSeat, RoomTable, Visitor
from rooms.opening import SOLO, Departure, make_room
from rooms.tasks import close_room
from tests.rooms.tables import make_visitor, play_by_hand
from tests.services.waiting import wait_until

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def room(transactional_db, settings):
    """Return a room whose hours are over, with one étui that somebody has played."""
    settings.ROOMS = True
    now = timezone.now()
    made = make_room(Departure(RoomKind.HALF, now - HOUR, now + HOUR, 1), now=now)
    Room.objects.update(level=0)
    made.refresh_from_db()
    play_by_hand(made, make_visitor(), 1, now=now)
    Room.objects.update(closes_at=now - HOUR / 2)
    return made


def is_closed_and_followed(room):
    is_closed = Room.objects.filter(pk=room.pk, closed_at__isnull=False).exists()
    return is_closed and set(RoomKind) - {RoomKind.CLASSIC} <= set(
        Room.objects.filter(opens_at__gt=timezone.now()).values_list("kind", flat=True)
    )


@pytest.mark.nightly("story")
def test_laptop_closes_rooms_and_makes_the_next_ones(work_in_background, room):
    work_in_background(sweep_seconds=1).start()
    wait_until(lambda: is_closed_and_followed(room), 60, "the room to be closed")
    assert (RoomTable.objects.count(), Game.objects.filter(finished_at=None).count()) == (8, 0)


@pytest.mark.nightly("process")
def test_server_closes_rooms_and_makes_the_next_ones(start_worker, room):
    start_worker(sweep_seconds=1, ROOMS="yes")
    wait_until(lambda: is_closed_and_followed(room), 90, "the room to be closed")
    assert (RoomTable.objects.count(), Game.objects.filter(finished_at=None).count()) == (8, 0)


def open_tables(room, count):
    """Open so many tables, at each of which a guest has played some cards of the étui by hand."""
    now = room.opens_at
    begun = Game.objects.get(finished_by="hand")
    tokens = begun.record.split()[:30]
    guests = Visitor.objects.bulk_create(
        Visitor(name=f"Many {number}", cookie_digest=f"many {number}", created_at=now, seen_at=now)
        for number in range(count)
    )
    tables = RoomTable.objects.bulk_create(RoomTable(room=room, number=100 + number) for number in range(count))
    RoomSeat.objects.bulk_create(
        RoomSeat(room=room, table=table, letter=SOLO, visitor=guest, joined_at=now)
        for table, guest in zip(tables, guests, strict=True)
    )
    Game.objects.bulk_create(
        Game(table=table, etui=begun.etui, record=" ".join(tokens), length=len(tokens), begun_at=now)
        for table in tables
    )


@pytest.mark.nightly("process")
def test_plan_search_begins_within_a_second_while_3000_tables_close(start_worker, room):
    """Check that the search has even ended by then: it is a small one, in a queue of its own."""
    open_tables(room, 3000)
    unfinished = Game.objects.filter(finished_at=None, table__is_filler=False)
    workers = [start_worker(queues=name, ROOMS="yes") for name in ("bots", "searches")]
    close_room.apply_async((room.pk,))
    wait_until(lambda: unfinished.count() < 3000, 60, "the closing to be under way")
    question = PlanQuestion(8, 2, 8, False)
    search_plans.apply_async(tuple(question))
    wait_until(lambda: caches["computed"].get(question.key), 1, "the plans")
    assert unfinished.count() > 1000
    assert Room.objects.get(pk=room.pk).closed_at is None
    for worker in workers:
        worker.kill()  # otherwise the test would wait for the rest of the closing
