"""The seats at tables for four over time: a guest becomes an account, a room is over, everybody closes the page."""

import datetime as dt

import pytest

from deals.domain.cards import Seat
from rooms import closing
from rooms.classic.halls import find_halls
from rooms.classic.sitting import keep_guest_and_seat, take_seat
from rooms.errors import RoomRefused
from rooms.models import ClassicTable, Room, RoomSeat, VisitorEtui
from rooms.results.etuis import find_room_etui
from rooms.results.fours import find_own_table
from rooms.visitors.guests import ensure_visitor
from tests.factories import make_user
from tests.rooms.classic.fours import SECOND, START, make_room_for_four, seat_people
from tests.rooms.tables import make_visitor

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def own(db):
    return ensure_visitor(account=make_user("zoe"), name="Zoé", now=START)


def sit(room, visitor, now=START, where=(None, "")):
    return take_seat(room_id=room.pk, visitor=visitor, now=now, where=where, link=room.terms.link)


# --- A guest becomes an account ---------------------------------------------------------------------------------------


@pytest.mark.nightly("story")
def test_account_goes_on_playing_in_the_seat_of_its_guest(own, django_capture_on_commit_callbacks, monkeypatch):
    changed = []
    monkeypatch.setattr("rooms.classic.watching.drop_stamp", changed.append)
    four = seat_people(4)
    four.play(6)
    guest = four.people[Seat.S]
    with django_capture_on_commit_callbacks(execute=True):
        keep_guest_and_seat(visitor=guest, account=own.account, now=four.now)
    assert changed == [four.table.pk]
    four.people[Seat.S] = own
    held = four.play()
    assert (held.seats[Seat.S].visitor, held.game.bot_seats) == (own, "")
    assert VisitorEtui.objects.filter(visitor=own, etui=held.game.etui).exists()


def test_account_keeps_the_seat_in_a_hall_in_which_it_sat_before(own):
    four = seat_people(4)
    earlier = sit(four.room, own)
    RoomSeat.objects.filter(visitor=own).update(left_at=START)
    ClassicTable.objects.filter(table=earlier).update(ended_at=START)
    keep_guest_and_seat(visitor=four.people[Seat.S], account=own.account, now=four.now)
    assert list(RoomSeat.objects.filter(left_at=None, visitor=own).values_list("table")) == [(four.table.pk,)]


def test_account_that_sits_elsewhere_gives_up_the_seat_of_its_guest(own, django_capture_on_commit_callbacks):
    mine = sit(make_room_for_four(), own)
    four = seat_people(1)
    keep_guest_and_seat(visitor=four.people[Seat.S], account=own.account, now=START + SECOND)
    assert list(RoomSeat.objects.filter(left_at=None).values_list("table", "visitor")) == [(mine.pk, own.pk)]
    assert ClassicTable.objects.get(table=four.table).ended_at == START + SECOND


# --- A room whose hours are over --------------------------------------------------------------------------------------


@pytest.mark.nightly("story")
def test_player_of_the_old_hall_sits_down_in_the_new_one_before_it_closes():
    old = find_halls(START)[0]
    visitor = make_visitor()
    sit(old, visitor, START)
    new = find_halls(old.closes_at)[0]
    assert find_own_table(visitor, old.closes_at - SECOND) is not None
    assert find_own_table(visitor, old.closes_at) is None
    with pytest.raises(RoomRefused, match="room_over"):
        sit(old, visitor, old.closes_at)
    sit(new, visitor, old.closes_at)
    rows = RoomSeat.objects.filter(visitor=visitor).order_by("pk").values_list("room", "left_at")
    assert list(rows) == [(old.pk, old.closes_at), (new.pk, None)]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-10-25T02:30:00+00:00", 24),  # 3:30 in winter time: the night has one hour more
        ("2026-10-25T03:00:00+00:00", 25),
        ("2026-03-29T01:59:00+00:00", 28),  # 3:59 in summer time: the night has one hour less
        ("2026-03-29T02:00:00+00:00", 29),
    ],
)
def test_halls_are_open_in_the_night_in_which_the_clock_is_changed(moment, day):
    now = dt.datetime.fromisoformat(moment)
    for hall in find_halls(now):
        assert hall.terms.day.day == day
        assert hall.opens_at <= now < hall.closes_at


# --- Rooms that nobody plays, étuis that somebody meets, players who are away -----------------------------------------


@pytest.mark.nightly("story")
def test_rooms_for_four_without_a_table_are_deleted_a_day_after_they_were_closed():
    halls, own_room = find_halls(START), make_room_for_four()
    played = make_room_for_four()
    sit(played, make_visitor())
    over = max(room.closes_at for room in (*halls, own_room)) + HOUR
    for room in (*halls, own_room, played):
        assert closing.close_room(room.pk, over)
    assert closing.clear_empty_rooms(over + 23 * HOUR) == 0
    assert closing.clear_empty_rooms(over + 24 * HOUR) == 3
    assert list(Room.objects.all()) == [played]


@pytest.mark.nightly("story")
def test_newcomer_between_two_deals_has_met_the_one_that_lies_on_the_table():
    four = seat_people(3, wait=10)
    four.drive(10)
    etui = four.play().game.etui
    new, knows = make_visitor(), make_visitor()
    VisitorEtui.objects.create(visitor=knows, etui=etui, shown_at=START)
    sit(four.room, new, four.now, (1, "W"))
    assert VisitorEtui.objects.filter(visitor=new, etui=etui).count() == 1
    RoomSeat.objects.filter(visitor=new).update(left_at=four.now)
    sit(four.room, knows, four.now, (1, "W"))
    assert VisitorEtui.objects.filter(visitor=knows, etui=etui).count() == 1


@pytest.mark.nightly("story")
def test_finished_deal_of_an_open_room_for_four_is_shown_to_nobody(settings):
    settings.ROOM_TOPAGE = "played"
    four = seat_people(4)
    game = four.play().game
    assert game.finished_at is not None
    assert find_room_etui(four.room, game.etui.number, four.people[Seat.S]) is None


def test_table_without_a_clock_waits_for_five_minutes_and_then_a_bot_takes_the_seat():
    four = seat_people(4, clock=0)
    four.drive()
    seat, _token = four.token()
    held = four.drive(299)
    assert (held.game.length, seat in held.present) == (0, True)
    held = four.drive(1)
    assert (held.game.bot_seats, held.seats[seat].away_at, seat in held.present) == (str(seat), four.now, False)
