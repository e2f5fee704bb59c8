"""The tables for four at which nobody is: they end after ten minutes, and lists of tables have pages."""

import datetime as dt

import pytest

from rooms.classic.sitting import EMPTY_FOR, end_empty_tables, leave_seat, take_seat
from rooms.models import ClassicTable, RoomSeat
from rooms.results.fours import TABLES_A_PAGE, find_own_table, list_tables
from tests.rooms.classic.fours import SECOND, START, make_room_for_four, seat_people
from tests.rooms.tables import make_visitor

pytestmark = pytest.mark.django_db
LATER = START + EMPTY_FOR + dt.timedelta(minutes=1)


def test_table_may_be_empty_for_ten_minutes_and_a_page_has_twenty_tables():
    assert (dt.timedelta(minutes=10), 20) == (EMPTY_FOR, TABLES_A_PAGE)


def is_over(four):
    return ClassicTable.objects.get(table=four.table).ended_at is not None


def test_table_whose_visitor_never_came_back_ends_after_ten_minutes():
    four = seat_people(1)
    assert (end_empty_tables(START + EMPTY_FOR), is_over(four)) == (0, False)
    assert (end_empty_tables(LATER), is_over(four)) == (1, True)
    assert RoomSeat.objects.filter(left_at=None).count() == 0
    assert find_own_table(next(iter(four.people.values())), LATER) is None
    assert end_empty_tables(LATER) == 0


def test_table_that_goes_on_stays():
    four = seat_people(2)
    four.drive(60)
    four.now = LATER - 30 * SECOND
    four.drive()
    assert four.held.is_playing
    assert (end_empty_tables(LATER), is_over(four)) == (0, False)


def test_table_that_somebody_joined_or_left_for_a_moment_stays():
    four = seat_people(1)
    four.drive(60)
    room, number = four.room, four.table.number
    take_seat(room_id=room.pk, visitor=make_visitor(), now=LATER - SECOND, where=(number, ""), link=room.terms.link)
    assert end_empty_tables(LATER) == 0
    for visitor in four.people.values():
        leave_seat(table_id=four.table.pk, visitor=visitor, for_good=False, now=LATER + EMPTY_FOR)
    assert end_empty_tables(LATER + EMPTY_FOR) == 0
    assert end_empty_tables(LATER + 3 * EMPTY_FOR) == 1


@pytest.mark.nightly("story")
def test_tables_of_a_room_have_pages(django_assert_num_queries):
    room = make_room_for_four()
    for _table in range(TABLES_A_PAGE + 2):
        take_seat(room_id=room.pk, visitor=make_visitor(), now=START, link=room.terms.link)
    with django_assert_num_queries(4):  # the names of accounts take one more
        first = list_tables([room], None, START)[room.pk]
    second = list_tables([room], None, START, number=2)[room.pk]
    assert ([table.number for table in first.tables], first.pages) == (list(range(1, TABLES_A_PAGE + 1)), 2)
    assert [table.number for table in second.tables] == [TABLES_A_PAGE + 1, TABLES_A_PAGE + 2]
    assert list_tables([room], None, START, number=3)[room.pk].tables == []
