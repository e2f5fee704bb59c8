"""The tables for four for programs: halls, rooms of one's own, seats, moves and wishes, as on the pages."""

import pytest
from django.test import Client as Browser
from django.urls import reverse

from api.tokens import make_api_token
from deals.domain.cards import Seat
from rooms.models import Game, Room, RoomSeat, Visitor
from tests.api.conftest import V1
from tests.factories import make_user
from tests.rooms.classic.fours import SEATS, START, seat_people
from tests.rooms.tables import make_visitor
from tests.rooms.web.classic.test_four_pages import client_of

pytestmark = pytest.mark.django_db
CHANGES = {"content_type": "application/json"}


@pytest.fixture(autouse=True)
def noon(monkeypatch, settings):
    monkeypatch.setattr("django.utils.timezone.now", lambda: START)
    monkeypatch.setattr("rooms.web.watch.time", START.timestamp)
    settings.ROOMS, settings.ROOM_LEVEL = True, 0


@pytest.fixture
def four():
    return seat_people(4)


@pytest.fixture
def program():
    """Return a client with the token of an account."""
    return Browser(headers={"authorization": f"Token {make_api_token(make_user('robot'))}"})


def look(client, four):
    answer = client.get(reverse("api_room_four", args=[four.table.pk]))
    assert answer.status_code == 200, answer.content
    return answer.json()


def code_of(answer):
    return answer.status_code, answer.json()["error"]["code"]


def test_program_sits_down_in_a_hall_and_is_marked(program):
    halls = Browser().get(reverse("api_rooms_classic")).json()
    assert [(hall["terms"]["hall"], hall["terms"]["is_duplicate"], hall["tables"]) for hall in halls["halls"]] == [
        (1, True, []),
        (2, False, []),
    ]
    sit = reverse("api_room_sit", args=[halls["halls"][0]["id"]])
    assert code_of(program.post(sit, {}, **CHANGES)) == (422, "guest_name_short")
    sat = program.post(sit, {"name": "Robot", "seat": "E"}, **CHANGES).json()
    assert Visitor.objects.get(name="Robot").is_program
    told = program.get(reverse("api_rooms_classic")).json()
    assert (told["own_table"], sat["number"]) == (sat["table"], 1)
    seats = {seat["seat"]: seat for seat in told["halls"][0]["tables"][0]["seats"]}
    assert (seats["E"]["player"]["program"], seats["E"]["mine"], seats["N"]["free"]) == (True, True, True)


def test_program_makes_a_room_of_its_own_and_opens_it_by_its_link(program, monkeypatch):
    monkeypatch.setattr("rooms.classic.halls.OWN_ROOMS_A_DAY", 1)
    own = reverse("api_rooms_own")
    assert Browser().post(own, {}, **CHANGES).status_code == 401
    assert code_of(program.post(own, {"clock": 7}, **CHANGES)) == (400, "invalid")
    made = program.post(own, {"clock": 20, "deals": 4, "is_duplicate": False}, **CHANGES).json()
    room = Room.objects.get(pk=made["room"])
    assert (room.terms.clock, room.terms.deals, room.terms.is_duplicate) == (20, 4, False)
    assert program.post(own, {}, **CHANGES).status_code == 429
    tables = reverse("api_room_tables", args=[room.pk])
    assert [Browser().get(tables, told).status_code for told in ({}, {"link": made["link"]})] == [404, 200]
    sit = reverse("api_room_sit", args=[room.pk])
    assert code_of(program.post(sit, {"name": "Robot"}, **CHANGES))[1] == "room_unknown"
    assert program.post(sit, {"name": "Robot", "link": made["link"]}, **CHANGES).status_code == 200
    assert program.get(tables).status_code == 200


@pytest.mark.nightly("story")
def test_four_programs_play_a_deal_to_its_end(four):
    clients = {seat: client_of(visitor) for seat, visitor in four.people.items()}
    address = reverse("api_room_four", args=[four.table.pk])
    told = look(clients[Seat.S], four)
    while not told["is_over"]:
        seat, token = four.token()
        sent = {"deal": told["deal"], "at": told["length"], "move": token}
        answer = clients[seat].post(address, sent, **CHANGES)
        assert answer.status_code == 200, answer.content
        told = answer.json()
    game = Game.objects.get()
    assert (told["score"], told["length"], game.bot_seats) == (game.score, game.length, "")
    assert sum(seat["total"] for seat in told["seats"]) == 0
    again = clients[seat].post(address, sent, **CHANGES)
    assert (again.status_code, again.json()["length"]) == (200, game.length)


def test_other_move_is_a_conflict_with_the_table_as_it_is(four):
    four.drive()
    seat, token = four.token()
    client, address = client_of(four.people[seat]), reverse("api_room_four", args=[four.table.pk])
    assert client.post(address, {"deal": 1, "at": 0, "move": token}, **CHANGES).status_code == 200
    late = client.post(address, {"deal": 1, "at": 0, "move": "-"}, **CHANGES)
    assert (late.status_code, late.json()["error"]["code"], late.json()["table"]["length"]) == (409, "other_move", 1)
    wrong = client.post(address, {"deal": 1, "at": 1, "move": "zz"}, **CHANGES)
    assert code_of(wrong) == (422, "move_shape")


def test_wishes_are_those_of_the_page(four):
    four.drive()
    client, wish = client_of(four.people[Seat.E]), reverse("api_room_wish", args=[four.table.pk])

    def send(do):
        return client.post(wish, {"do": do}, **CHANGES)

    assert send("say-hello").status_code == 204
    assert look(client, four)["said"] == [{"seat": "E", "code": "hello"}]
    assert code_of(send("say-luck")) == (422, "phrase_soon")
    assert code_of(send("dance")) == (400, "invalid")
    assert (send("away").status_code, look(client, four)["is_away"]) == (204, True)
    assert look(client, four)["game"]["asks"]["kind"] == "wait"
    assert (send("back").status_code, four.held.present) == (204, set(SEATS))
    assert send("next").status_code == 204
    assert (send("leave").status_code, RoomSeat.objects.get(letter="E").left_at) == (204, START)
    assert code_of(client.get(reverse("api_room_four", args=[four.table.pk]))) == (422, "not_at_table")


def test_stranger_and_others_see_no_table(four):
    four.drive()
    address = reverse("api_room_four", args=[four.table.pk])
    for client in (Browser(), client_of(make_visitor())):
        assert client.get(address).status_code in (401, 422)
        assert client.post(address, {"deal": 1, "at": 0, "move": "-"}, **CHANGES).status_code in (401, 422)
    assert Game.objects.get().length == 0


def test_each_seat_is_told_its_own_hand_and_the_names_of_the_others(four):
    four.drive()
    hands = {}
    for seat, visitor in four.people.items():
        told = look(client_of(visitor), four)
        assert (told["seat"], told["game"]["viewer"]) == (str(seat), str(seat))
        hands[seat] = set(told["game"]["hand"])
        assert {each["seat"] for each in told["seats"] if each["player"]} == {"N", "E", "S", "W"}
    assert all(len(hand) == 18 for hand in hands.values())
    assert len(set.union(*hands.values())) == 72


def test_poll_of_programs_is_answered_from_the_cache(four, django_assert_num_queries):
    client = client_of(four.people[Seat.S])
    told = look(client, four)
    state = f"{V1}rooms/tables/{four.table.pk}/state"
    with django_assert_num_queries(0):
        assert client.get(state, {"seen": told["seen"]}).status_code == 204
        assert client.get(state, {"seen": "0" * 12}).json() == {"changed": True}


def test_moves_are_limited(four, monkeypatch):
    monkeypatch.setattr("rooms.api.moves.PlayThrottle.get_rate", lambda _self: "2/min")
    client, address = client_of(four.people[Seat.S]), reverse("api_room_four", args=[four.table.pk])
    assert [client.get(address).status_code for _time in range(3)] == [200, 200, 429]


def test_site_without_rooms_or_tables_answers_404(four, settings):
    settings.ROOM_TABLES = False
    assert Browser().get(reverse("api_rooms_classic")).json() == {"halls": [], "own_table": None}
    settings.ROOMS = False
    for path in (reverse("api_rooms_classic"), reverse("api_room_four", args=[four.table.pk])):
        assert Browser().get(path).status_code == 404


@pytest.mark.nightly("story")
def test_address_opens_so_many_tables_of_a_hall_by_page_and_by_program(program, monkeypatch):
    monkeypatch.setattr("rooms.opening.TABLES_OF_A_ROOM", 1)
    hall = Browser().get(reverse("api_rooms_classic")).json()["halls"][0]["id"]
    page, sit = reverse("room_sit", args=[hall]), reverse("api_room_sit", args=[hall])
    assert [Browser().post(page, {"name": f"Paul {number}"}).status_code for number in range(2)] == [302, 429]
    refused = program.post(sit, {"name": "Robot"}, **CHANGES)
    assert (refused.status_code, "Retry-After" in refused) == (429, True)
    assert program.post(sit, {"name": "Robot"}, REMOTE_ADDR="203.0.113.9", **CHANGES).status_code < 300


@pytest.mark.nightly("story")
def test_address_makes_so_many_guests_on_the_page_to_sit_down(monkeypatch):
    monkeypatch.setattr("rooms.opening.GUESTS_A_MINUTE", 1)
    hall = Browser().get(reverse("api_rooms_classic")).json()["halls"][0]["id"]
    page = reverse("room_sit", args=[hall])
    assert [Browser().post(page, {"name": f"Paul {number}"}).status_code for number in range(2)] == [302, 429]


def test_program_joins_so_many_tables_of_an_address(program, monkeypatch):
    monkeypatch.setattr("rooms.opening.TABLES_OF_A_ROOM", 0)
    join = reverse("api_room_join", args=[seat_people(4).table.room_id])
    assert program.post(join, {"name": "Robot"}, **CHANGES).status_code == 429
