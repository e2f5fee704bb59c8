"""The queries of the pages of rooms: as many with 2 tables as with 200."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rooms.models import RoomSeat, RoomTable, Visitor
from tests.rooms.lobby_world import add_players
from tests.rooms.tables import NOON
from tests.rooms.web.lobby.test_access import PAGES, address

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]
OPENED = sorted(page for page in PAGES if page not in ("rooms_names", "rooms_four", "rooms_account"))
MOST = 14


def count_queries(world, role):
    """Return the number of queries of each page for a role."""
    counts = {}
    for page in OPENED:
        with CaptureQueriesContext(connection) as asked:
            world.clients[role].get(address(world, page))
        counts[page] = len(asked)
    return counts


def add_people(room, count):
    """Add so many people to an open room."""
    told = {"created_at": NOON, "seen_at": NOON}
    visitors = Visitor.objects.bulk_create(
        Visitor(name=f"Voisin {number}", cookie_digest=f"{number:063d}x", **told) for number in range(count)
    )
    last = RoomTable.objects.filter(room=room).count()
    tables = RoomTable.objects.bulk_create(RoomTable(room=room, number=last + 1 + at) for at in range(count))
    RoomSeat.objects.bulk_create(
        RoomSeat(room=room, table=table, letter="S", visitor=visitor, joined_at=NOON)
        for table, visitor in zip(tables, visitors, strict=True)
    )


@pytest.mark.parametrize("role", ["stranger", "guest", "account"])
def test_queries_do_not_grow_with_the_tables(world, role):
    count_queries(world, role)  # the first visit of a session may store something
    few = count_queries(world, role)
    add_players(world.closed, 198)
    add_people(world.open, 198)
    many = count_queries(world, role)
    assert {page: count for page, count in many.items() if count > few[page]} == {}
    assert {page: count for page, count in few.items() if count > MOST} == {}
