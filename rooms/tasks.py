"""The jobs of rooms: making the next rooms, and closing those whose hours are over. They are safe to run twice."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from rooms import closing
from rooms.classic.emptying import end_empty_tables
from rooms.opening import find_rooms
from tournaments.claims import hold_claim
from tournaments.queue import ROOM, take_question

# The seconds after which a job is ended. The longest one fills a week's room, with the bots of the highest level.
LARGE = {"soft_time_limit": 1500, "time_limit": 1560}
SWEEP = {"soft_time_limit": 240, "time_limit": 300}


@shared_task(acks_late=True, **LARGE)  # type: ignore[untyped-decorator]
def close_room(room_id: int) -> None:
    """Close a room whose hours are over, unless another job is closing it."""
    take_question(room_id, ROOM)
    with hold_claim(f"room-{room_id}") as is_mine:
        if is_mine:
            closing.close_room(room_id, timezone.now())


@shared_task(**SWEEP)  # type: ignore[untyped-decorator]
def sweep_rooms() -> None:
    """Make the rooms that are open now and the next ones, and queue the closing of those whose hours are over.

    Then delete the rooms of the day before in which nobody had a table, and end the tables that everybody has left.
    """
    if not settings.ROOMS:
        return
    find_rooms(timezone.now())
    for room_id in closing.find_due(timezone.now()).values_list("pk", flat=True):
        close_room.apply_async((room_id,), expires=settings.SWEEP_EXPIRES)
    closing.clear_empty_rooms(timezone.now())
    end_empty_tables(timezone.now())
