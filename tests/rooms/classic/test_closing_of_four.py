"""The end of a room for four: begun deals are finished, players are compared where tables shared an étui."""

import datetime as dt
from fractions import Fraction

import pytest

from deals.domain.cards import Seat
from rooms import closing
from rooms.classic.halls import find_halls
from rooms.classic.sitting import leave_seat
from rooms.closing.ranks import settle_fours
from rooms.models import Game, Room, RoomKind, RoomSeat, RoomTable
from rooms.results.own import find_best
from tests.rooms.classic.fours import START, make_room_for_four, seat_people
from tests.rooms.tables import make_visitor

pytestmark = pytest.mark.django_db
LATER = START + dt.timedelta(hours=25)


def play_deals(four, deals):
    for _deal in range(deals):
        four.play()
        four.drive(20)
    return four


def close(room):
    assert closing.close_room(room.pk, LATER)
    room.refresh_from_db()
    return room


@pytest.mark.nightly("story")
def test_players_of_shared_etuis_are_compared_and_ranked():
    room = make_room_for_four()
    one, two = (play_deals(seat_people(4, room=room), 4) for _table in range(2))
    close(room)
    seats = list(RoomSeat.objects.order_by("pk"))
    assert [(seat.deals, seat.own_deals, seat.is_guest) for seat in seats] == [(4, 4, True)] * 8
    means = [Fraction(seat.notes_sum) / seat.deals for seat in seats]
    assert all(means[place] + means[place + 4] == 100 for place in range(4))
    assert all(seat.rank is not None for seat in seats)
    assert room.deal_set.__class__.objects.get().revealed_at == LATER
    assert not RoomSeat.objects.filter(left_at=None).exists()
    assert one.held.classic.ended_at == two.held.classic.ended_at == LATER


@pytest.mark.nightly("story")
def test_deal_that_a_bot_has_moved_in_does_not_count_for_its_seat():
    room = make_room_for_four()
    one, two = (seat_people(4, room=room) for _table in range(2))
    one.play(6)
    leave_seat(table_id=one.table.pk, visitor=one.people[Seat.S], for_good=False, now=one.now)
    del one.people[Seat.S]
    one.play()
    two.play()
    close(room)
    deals = dict(RoomSeat.objects.filter(table=one.table).values_list("letter", "deals"))
    assert deals == {"S": 0, "N": 1, "E": 1, "W": 1}


@pytest.mark.nightly("story")
def test_room_of_new_deals_ranks_nobody():
    room = make_room_for_four(is_duplicate=False)
    for _table in range(2):
        play_deals(seat_people(4, room=room), 1)
    close(room)
    assert set(RoomSeat.objects.values_list("deals", "rank")) == {(0, None)}


def test_begun_deal_is_finished_by_bots_and_the_closing_may_be_tried_again():
    room = make_room_for_four()
    four = seat_people(4, room=room)
    four.play(10)
    close(room)
    game = Game.objects.get()
    assert (game.finished_at, set(game.bot_seats)) == (LATER, set("NESW"))
    assert not closing.close_room(room.pk, LATER)


@pytest.mark.nightly("story")
def test_halls_are_made_once_a_day_and_only_if_the_site_wants_them(settings):
    halls = find_halls(START)
    assert [(hall.terms.hall, hall.terms.is_duplicate, hall.kind) for hall in halls] == [
        (1, True, RoomKind.CLASSIC),
        (2, False, RoomKind.CLASSIC),
    ]
    assert [hall.pk for hall in find_halls(START)] == [hall.pk for hall in halls]
    assert all(hall.opens_at <= START < hall.closes_at for hall in halls)
    tomorrow = find_halls(halls[0].closes_at)
    assert Room.objects.count() == 4
    assert tomorrow[0].opens_at == halls[0].closes_at
    settings.ROOM_TABLES = False
    assert find_halls(START) == []


@pytest.mark.nightly("story")
def test_best_of_the_month_has_tables_for_four_apart():
    room = make_room_for_four()
    for _table in range(2):
        play_deals(seat_people(4, room=room), 4)
    close(room)
    RoomSeat.objects.update(is_guest=False, deals=30)
    assert len(find_best(RoomKind.CLASSIC, START.date())) == 8
    assert find_best(RoomKind.HALF, START.date()) == []


def test_notes_of_a_shared_etui_are_stored_with_the_seats():
    room = make_room_for_four()
    etui, visitors = room.deal_set.etuis.first(), [make_visitor(), make_visitor()]
    for number, visitor in enumerate(visitors):
        table = RoomTable.objects.create(room=room, number=number)
        seat = {"room": room, "table": table, "letter": "N", "visitor": visitor, "is_solo": False}
        RoomSeat.objects.create(**seat, joined_at=START)
        game = {"table": table, "etui": etui, "record": "- - - -", "score": 0, "begun_at": START, "finished_at": LATER}
        Game.objects.create(**game, finished_by="hand")
    settle_fours(room, list(Game.objects.select_related("etui").order_by("pk")), now=LATER)
    seats = RoomSeat.objects.values_list("deals", "own_deals", "notes_sum", "is_guest")
    assert list(seats) == [(1, 1, "50", True)] * 2
