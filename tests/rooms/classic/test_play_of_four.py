"""A table for four: how it begins, who moves, the clock, who leaves and comes back, and how it ends."""

import random
from types import SimpleNamespace

import pytest

from deals.domain.cards import Seat
from referee.state import start_auction
from referee.views import view
from rooms.classic.driving import want_next
from rooms.classic.looking import TableLook, describe_deal, say_phrase
from rooms.classic.sitting import come_back, leave_seat, take_seat
from rooms.errors import MoveConflict, RoomRefused
from rooms.games.moving import PlayedGame
from rooms.models import Game, RoomSeat, VisitorEtui
from tests.referee.games import deal_at_random
from tests.rooms.classic.fours import SEATS, SECOND, START, make_room_for_four, seat_people
from tests.rooms.tables import make_visitor

pytestmark = pytest.mark.django_db


def refused(code):
    return pytest.raises(RoomRefused, match=code)


def test_four_people_begin_at_once_and_everybody_has_met_the_etui():
    four = seat_people(4)
    held = four.drive()
    assert [game.etui.number for game in held.games] == [1]
    met = VisitorEtui.objects.values_list("visitor", "etui__number")
    assert sorted(met) == sorted((visitor.pk, 1) for visitor in four.people.values())


def test_bots_take_the_free_seats_after_the_wait():
    four = seat_people(1, wait=30)
    assert four.drive(29).game is None
    held = four.drive(1)
    assert (held.is_playing, four.waited(), held.present) == (True, Seat.S, {Seat.S})


def test_somebody_who_does_not_want_to_wait_begins_with_bots():
    four = seat_people(1)
    want_next(table_id=four.table.pk, visitor=four.people[Seat.S], now=four.now)
    assert four.drive().is_playing


@pytest.mark.nightly("story")
def test_deal_of_four_people_sums_to_zero_and_nobody_was_a_bot():
    four = seat_people(4)
    held = four.play()
    assert (held.game.bot_seats, held.game.finished_by, sum(held.totals.values())) == ("", "hand", 0)


@pytest.mark.nightly("story")
def test_deal_with_two_bots_names_their_seats():
    held = (four := seat_people(2, wait=10)).drive(10)
    held = four.play()
    assert (set(held.game.bot_seats), held.present) == ({"E", "W"}, {Seat.S, Seat.N})


@pytest.mark.nightly("story")
def test_next_deal_begins_when_everybody_wants_it_or_after_a_pause():
    four = seat_people(4)
    four.play()
    for seat in SEATS[:3]:
        want_next(table_id=four.table.pk, visitor=four.people[seat], now=four.now)
    assert len(four.drive().games) == 1
    want_next(table_id=four.table.pk, visitor=four.people[Seat.W], now=four.now)
    assert len(four.drive().games) == 2
    four.play()
    assert len(four.drive(19).games) == 2
    assert len(four.drive(1).games) == 3


@pytest.mark.nightly("story")
def test_table_ends_after_its_deals_and_its_players_are_free():
    four = seat_people(4, deals=4)
    for _deal in range(4):
        four.play()
        held = four.drive(20)
    assert (len(held.games), held.classic.ended_at, len(held.seats)) == (4, four.now - 20 * SECOND, 4)
    assert not RoomSeat.objects.filter(left_at=None).exists()
    visitor = four.people[Seat.S]
    again = take_seat(room_id=four.room.pk, visitor=visitor, now=four.now)
    assert again.number == 2


@pytest.mark.nightly("story")
def test_table_ends_when_a_seat_has_the_score():
    four = seat_people(4, score=200)
    while four.drive(20).classic.ended_at is None:
        four.play()
    assert max(four.held.totals.values()) >= 200


def test_clock_lets_a_bot_move_once_and_take_the_seat_the_second_time():
    four = seat_people(4, clock=20)
    four.drive()
    seat, _token = four.token()
    assert four.drive(19).game.length == 0
    held = four.drive(1)
    assert (held.game.length, held.game.bot_seats, held.seats[seat].missed) == (1, str(seat), 1)
    RoomSeat.objects.filter(letter=seat).update(missed=1)
    four.move(four.waited(), "C")
    while (turn := four.waited()) != seat:
        four.move(turn, four.token()[1])
    held = four.drive(20)
    assert (held.seats[seat].away_at, seat in held.present) == (four.now, False)


def test_clock_takes_the_seat_at_once_if_the_terms_say_so():
    four = seat_people(4, clock=20, takes_over=True)
    four.drive()
    seat, _token = four.token()
    assert seat not in four.drive(20).present


def test_move_in_time_sets_the_clock_back():
    four = seat_people(4, clock=20)
    four.drive(0)
    RoomSeat.objects.update(missed=1)
    four.now += 19 * SECOND
    seat, token = four.token()
    four.move(seat, token)
    assert four.drive(19).game.length == 1
    assert RoomSeat.objects.get(letter=seat).missed == 0


@pytest.mark.nightly("story")
def test_bot_plays_for_a_leaver_who_comes_back():
    four = seat_people(4)
    four.play(6)
    leaver = four.people[Seat.S]
    leave_seat(table_id=four.table.pk, visitor=leaver, for_good=False, now=four.now)
    people = dict(four.people)
    del four.people[Seat.S]
    four.play(6)
    with refused("seat_away"):
        four.people = people
        four.move(Seat.S, "k:1")
    come_back(table_id=four.table.pk, visitor=leaver, now=four.now)
    held = four.play()
    assert (held.game.bot_seats, Seat.S in held.present) == ("S", True)


def test_seat_is_taken_once_and_others_are_refused():
    four = seat_people(2)
    other = make_visitor()
    where = {"room_id": four.room.pk, "visitor": other, "now": START, "link": four.room.terms.link}
    with refused("seat_taken"):
        take_seat(**where, where=(1, "S"))
    assert take_seat(**where, where=(1, "")).number == 1
    assert take_seat(**where, where=(None, "")).number == 1
    with refused("sits_elsewhere"):
        there = make_room_for_four()
        take_seat(room_id=there.pk, visitor=four.people[Seat.S], now=START, link=there.terms.link)


def test_room_by_link_is_unknown_without_the_link():
    room = make_room_for_four()
    with refused("room_unknown"):
        take_seat(room_id=room.pk, visitor=make_visitor(), now=START)
    with refused("room_unknown"):
        take_seat(room_id=room.pk, visitor=make_visitor(), now=START, link="x")


@pytest.mark.nightly("story")
def test_newcomer_takes_a_bots_seat_unless_the_deal_is_known():
    four = seat_people(2, wait=10)
    etui = four.drive(10).game.etui
    knows, new = make_visitor(), make_visitor()
    VisitorEtui.objects.create(visitor=knows, etui=etui, shown_at=START)
    where = {"room_id": four.room.pk, "now": four.now, "where": (1, "E"), "link": four.room.terms.link}
    with refused("etui_met_here"):
        take_seat(**where, visitor=knows)
    take_seat(**where, visitor=new)
    four.people[Seat.E] = new
    assert VisitorEtui.objects.filter(visitor=new, etui=etui).count() == 1
    assert four.play().game.finished_by == "hand"


def test_etui_that_one_of_the_players_has_met_is_left_out():
    four = seat_people(4)
    etuis = list(four.room.deal_set.etuis.order_by("number"))
    VisitorEtui.objects.create(visitor=four.people[Seat.W], etui=etuis[0], shown_at=START)
    assert four.drive().game.etui == etuis[1]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("is_duplicate", "numbers"), [(True, [1, 1]), (False, [1, 2])])
def test_tables_share_deals_or_get_new_ones(is_duplicate, numbers):
    room = make_room_for_four(is_duplicate=is_duplicate)
    found = [seat_people(4, room=room).drive().game.etui.number for _table in range(2)]
    assert found == numbers


def test_same_move_again_changes_nothing_and_another_one_is_a_conflict():
    four = seat_people(4)
    four.drive()
    seat, token = four.token()
    one, two = four.move(seat, token, (1, 0)), four.move(seat, token, (1, 0))
    assert (one.length, two.length) == (1, 1)
    with pytest.raises(MoveConflict) as conflict:
        four.move(seat, "P" if token == "-" else "-", (1, 0))
    assert conflict.value.game.view.seat == seat


def test_phrases_are_set_and_not_too_many():
    four = seat_people(2)
    say = {"table_id": four.table.pk, "visitor": four.people[Seat.N]}
    say_phrase(**say, code="hello", now=START)
    with refused("phrase_soon"):
        say_phrase(**say, code="thanks", now=START + 2 * SECOND)
    with refused("phrase_unknown"):
        say_phrase(**say, code="you fool", now=START + 5 * SECOND)
    for step in range(1, 9):
        say_phrase(**say, code="thanks", now=START + 3 * step * SECOND)
    assert [phrase["code"] for phrase in four.held.classic.phrases] == ["thanks"] * 4


@pytest.mark.nightly("story")
def test_table_without_people_waits_for_them():
    four = seat_people(1, wait=10)
    four.drive(10)
    leave_seat(table_id=four.table.pk, visitor=four.people[Seat.S], for_good=False, now=four.now)
    length = four.drive(1000).game.length
    assert Game.objects.get().length == length
    come_back(table_id=four.table.pk, visitor=four.people[Seat.S], now=four.now)
    assert four.play().game.finished_at == four.now


def test_last_player_who_leaves_for_good_ends_the_table():
    four = seat_people(1)
    leave_seat(table_id=four.table.pk, visitor=four.people[Seat.S], for_good=True, now=four.now)
    assert four.held.classic.ended_at == four.now
    with refused("table_ended"):
        take_seat(room_id=four.room.pk, visitor=make_visitor(), now=START, where=(1, ""), link=four.room.terms.link)


@pytest.mark.parametrize(
    ("present", "to_play", "asked"),
    [
        ({Seat.S}, True, "bid"),
        ({Seat.S}, False, "wait"),
        ({Seat.N}, True, "wait"),
    ],
)
def test_only_a_reader_who_plays_himself_is_asked(present, to_play, asked):
    state = start_auction(deal_at_random(random.Random(1), 4), dealer=Seat.W if to_play else Seat.S)
    held = SimpleNamespace(present=present, games=[1, 2], terms=SimpleNamespace(deals=8))
    game = PlayedGame(None, None, Seat.S, 1, 1, view(state, Seat.S), 0, False, False, False, None, None, "")
    shown = describe_deal(TableLook(held, Seat.S, game, ""), game, dict.fromkeys("NESW", "Zoé"))
    assert (shown["etui"], shown["of"], shown["asks"]["kind"]) == (2, 8, asked)
    assert bool(shown["asks"]["bids"]) == (asked == "bid")
