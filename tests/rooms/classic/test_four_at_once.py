"""Two at once at a table for four: two people and one seat, one card from two devices, the clock and a card."""

import pytest
from django.utils import timezone

from deals.domain.cards import Seat
from rooms.classic.driving import begin_next_deal, drive_table
from rooms.classic.halls import find_halls
from rooms.classic.playing import make_classic_move
from rooms.classic.sitting import leave_seat, take_seat
from rooms.errors import MoveConflict, RoomRefused
from rooms.models import Game, Room, RoomSeat, VisitorEtui
from tests.rooms.classic.fours import SECOND, seat_people
from tests.rooms.tables import make_visitor
from tests.services.test_standings_jobs import in_threads

pytestmark = pytest.mark.django_db(transaction=True)


def attempt(act):
    """Return a function that returns "done", or the code of the refusal."""

    def tried():
        try:
            act()
        except (RoomRefused, MoveConflict) as refusal:
            return refusal.code
        return "done"

    return tried


@pytest.mark.nightly("race")
def test_two_people_take_one_seat_and_one_has_it():
    four = seat_people(1)
    where = {"room_id": four.room.pk, "now": four.now, "where": (1, "N"), "link": four.room.terms.link}
    visitors = [make_visitor() for _visitor in range(3)]
    told = in_threads([attempt(lambda one=one: take_seat(**where, visitor=one)) for one in visitors])
    assert sorted(told) == ["done", "seat_taken", "seat_taken"]
    assert RoomSeat.objects.filter(letter="N", left_at=None).count() == 1


@pytest.mark.nightly("race")
def test_one_person_opens_two_tables_at_once_and_has_one():
    four = seat_people(1)
    visitor = make_visitor()
    where = {"room_id": four.room.pk, "visitor": visitor, "now": four.now, "link": four.room.terms.link}
    assert in_threads([attempt(lambda: take_seat(**where))] * 3) == ["done"] * 3
    assert RoomSeat.objects.filter(visitor=visitor).count() == 1


@pytest.mark.nightly("race")
def test_deal_begins_once_for_all_who_ask():
    four = seat_people(4)
    in_threads([lambda: begin_next_deal(four.table.pk, now=four.now)] * 4)
    assert (Game.objects.count(), VisitorEtui.objects.count()) == (1, 4)


def test_one_card_from_two_devices_is_played_once():
    four = seat_people(4)
    four.play(8)
    seat, token = four.token()
    at, told = (1, four.held.game.length), {"table_id": four.table.pk, "visitor": four.people[seat], "now": four.now}
    assert in_threads([attempt(lambda: make_classic_move(**told, at=at, move=token))] * 3) == ["done"] * 3
    assert Game.objects.get().length == at[1] + 1


@pytest.mark.nightly("race")
def test_clock_and_card_at_once_store_one_of_them():
    four = seat_people(4, clock=20)
    four.play(8)
    four.now += 20 * SECOND
    seat, token = four.token()
    held, length = four.held, four.held.game.length
    in_threads([lambda: drive_table(held, now=four.now), attempt(lambda: four.move(seat, token, (1, length)))])
    game = Game.objects.get()
    assert game.length == length + 1
    missed = RoomSeat.objects.get(letter=seat).missed
    assert (game.bot_seats, missed) in ((str(seat), 1), ("", 0))


@pytest.mark.nightly("race")
def test_leaver_while_bots_think_loses_no_move():
    four = seat_people(2, wait=10)
    four.drive(10)
    leave = {"table_id": four.table.pk, "visitor": four.people[Seat.N], "for_good": False, "now": four.now}
    held = four.held
    in_threads([lambda: drive_table(held, now=four.now), lambda: leave_seat(**leave)])
    del four.people[Seat.N]
    held = four.play()
    assert (held.game.finished_at is not None, held.present) == (True, {Seat.S})


@pytest.mark.nightly("race")
def test_halls_are_made_once_by_many_at_once():
    now = timezone.now()
    found = in_threads([lambda: [room.pk for room in find_halls(now)] for _visitor in range(3)])
    assert (len(set(map(tuple, found))), Room.objects.count()) == (1, 2)
