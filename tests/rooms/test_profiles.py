"""The étuis of rooms: somebody can take in each of them, or the taker plays an imposed garde as in clubs."""

import datetime as dt
import subprocess
import sys

import pytest
from django.test import Client
from django.urls import reverse

from deals.domain.cards import Seat
from deals.domain.deal import dumps
from deals.domain.dealing import deal_etui
from deals.domain.profile import accepts_etui
from deals.sets import reveal_deal_set
from rooms.classic.halls import TermsAsked, find_halls, make_own_room
from rooms.closing import close_room
from rooms.models import Game, Room, RoomAuction, RoomKind
from rooms.opening import find_rooms
from rooms.record.tables import find_taker_in_record, impose_garde
from scoring.values import Contract
from tests.deals.test_verify_script import FOLDER
from tests.rooms.tables import NOON, make_visitor, open_room, play_by_hand

pytestmark = pytest.mark.django_db
HALF_PAST = NOON + dt.timedelta(minutes=30)


@pytest.mark.nightly("story")
def test_etuis_of_rooms_are_dealt_by_the_profile_of_their_kind():
    rooms = [*find_rooms(NOON), *find_rooms(HALF_PAST), *find_halls(NOON), make_own_room(TermsAsked(), now=NOON)]
    for room in rooms:
        is_half_past = room.kind == RoomKind.HALF and room.opens_at.minute == 30
        profile = "garde-1" if is_half_past else "auction-1"
        assert (room.deal_set.profile, room.auction == "imposed") == (profile, is_half_past)
        etui, seed = room.deal_set.etuis.get(number=1), bytes.fromhex(room.deal_set.seed)
        assert etui.cards == dumps(deal_etui(seed, 1, accept=accepts_etui(profile, 1)).deal)
    assert {room.auction for room in rooms if room.kind == RoomKind.HALF} == {*RoomAuction}


@pytest.mark.nightly("process")
@pytest.mark.parametrize("kind", ["half", "half past", "day", "week", "hall"])
def test_file_of_a_closed_room_of_each_kind_agrees_with_its_seed(settings, tmp_path, kind):
    settings.ROOMS = True
    rooms = {room.kind.value if room.opens_at.minute == 0 else "half past": room for room in find_rooms(HALF_PAST)}
    rooms |= {"half": open_room(now=NOON), "hall": find_halls(NOON)[0]}
    room = rooms[kind]
    reveal_deal_set(deal_set=room.deal_set, now=NOON)
    Room.objects.filter(pk=room.pk).update(closed_at=NOON)
    file = tmp_path / "set.txt"
    file.write_bytes(Client().get(reverse("room_deals", args=[room.pk])).content)
    command = [sys.executable, "-S", "-E", str(FOLDER / "topage_deals.py"), str(file)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert told.splitlines()[1:] == [f"{room.etuis} of {room.etuis} agree"]


def test_imposed_garde_is_an_auction_in_which_the_taker_alone_bids():
    assert [impose_garde(Seat.N, taker) for taker in (Seat.W, Seat.S, Seat.E, Seat.N)] == [
        "G - - -",
        "- G - -",
        "- - G -",
        "- - - G",
    ]
    assert all(find_taker_in_record(Seat.E, impose_garde(Seat.E, taker)) == taker for taker in (Seat.N, Seat.S))


def test_game_of_a_room_at_half_past_begins_with_the_garde_of_its_taker():
    room, visitor = open_room(now=HALF_PAST, level=0, etuis=2), make_visitor()
    game = play_by_hand(room, visitor, 1, now=HALF_PAST)
    etui, row = room.deal_set.etuis.get(number=1), Game.objects.get(table__is_filler=False)
    assert row.record.startswith(impose_garde(Seat(etui.dealer), Seat(etui.taker)))
    assert (game.is_over, game.view.contract, row.finished_by) == (True, Contract.GARDE, "hand")
    assert row.result["contract"] == Contract.GARDE


@pytest.mark.nightly("story")
def test_room_at_half_past_is_compared_with_bots_who_play_the_same_garde():
    room = open_room(now=HALF_PAST, level=0, etuis=2)
    play_by_hand(room, make_visitor(), 1, now=HALF_PAST)
    assert close_room(room.pk, HALF_PAST + dt.timedelta(hours=1))
    etui = room.deal_set.etuis.get(number=1)
    records = Game.objects.values_list("record", flat=True)
    assert len(records) == 8
    assert {find_taker_in_record(Seat(etui.dealer), record) for record in records} == {Seat(etui.taker)}
    assert {record[:7] for record in records} == {impose_garde(Seat(etui.dealer), Seat(etui.taker))}
