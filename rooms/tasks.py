"""The jobs of rooms: making the next rooms, tables of bots, and closing rooms. They are safe to run twice."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from rooms import closing
from rooms.classic.sitting import end_empty_tables
from rooms.opening import find_rooms
from tournaments.job_health import hold_claim
from tournaments.queue import ROOM, go_on_later, queue_again, take_question

SLICE = 3.0  # seconds for which a room is closed before other jobs have their turn
SWEEP = {"soft_time_limit": 240, "time_limit": 300}  # seconds after which a job is ended


@shared_task(acks_late=True, **SWEEP)  # type: ignore[untyped-decorator]
def close_room(room_id: int) -> None:
    """Let bots play their tables of an open room, or close a room that is over; after some seconds queue the rest.

    One job at a time does so. If a worker is killed, the next job goes on behind the last stored move.
    """
    take_question(room_id, ROOM)
    while work_for_a_while(room_id) and not go_on_later(ROOM, room_id):
        pass


def work_for_a_while(room_id: int) -> bool:
    """Play or close a room for a few seconds. Return whether more is left to do, and no other job does it."""
    with hold_claim(f"room-{room_id}") as is_mine:
        if not is_mine:
            return False
        now = timezone.now()
        if not closing.is_unclosed(room_id, now):
            return not closing.play_field(room_id, now, seconds=SLICE)
        return not closing.close_room(room_id, now, seconds=SLICE) and closing.is_unclosed(room_id, now)


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_rooms() -> None:
    """Make the rooms that are open now and the next ones, and queue those in which bots have to play or that are over.

    Then delete the rooms of the day before in which nobody had a table, and end the tables that everybody has left.
    """
    if not settings.ROOMS:
        return
    find_rooms(timezone.now())
    now = timezone.now()
    for rooms in (closing.find_due(now), closing.find_waiting_for_bots(now)):
        for room_id in rooms.values_list("pk", flat=True):
            queue_again(room_id, ROOM)
    closing.clear_empty_rooms(timezone.now())
    end_empty_tables(timezone.now())
