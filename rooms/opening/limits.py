"""The limits of a network address: how many guests and tables it may make. A whole club may share one address."""

from clubs.guard import Count
from clubs.guard.counting import DAY, MINUTE
from rooms.models import RoomSeat, Visitor

GUESTS_A_MINUTE, GUESTS_A_DAY = 20, 300
TABLES_OF_A_ROOM = 60


def count_guests(address: str | None) -> list[Count]:
    """Return the counters of the new guests of a network address."""
    whose = f"address {address}"
    return [Count("guests", whose, GUESTS_A_MINUTE, MINUTE), Count("guests", whose, GUESTS_A_DAY, DAY)]


def count_tables(room_id: int, visitor: Visitor, address: str | None) -> list[Count]:
    """Return the counter of the tables that a network address opens in a room.

    It is empty if the visitor has a table in the room, which is no new one.
    """
    if RoomSeat.objects.filter(room=room_id, visitor=visitor, left_at=None).exists():
        return []
    return [Count("room-tables", f"room {room_id} address {address}", TABLES_OF_A_ROOM, DAY)]
