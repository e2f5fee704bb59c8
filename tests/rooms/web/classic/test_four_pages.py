"""The pages of tables for four: the halls, a room by link, seats, the table, and what its poll is told."""

import re
from time import process_time
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from clubs.models import User
from deals.domain.cards import Seat
from referee.cards import cards_of
from referee.views import view
from rooms.classic.halls import find_halls
from rooms.classic.sitting import take_seat
from rooms.classic.watching import read_stamp
from rooms.closing import close_room
from rooms.models import ClassicTable, Game, Room, RoomKind, RoomSeat, RoomTable, Visitor
from rooms.visitors.finding import VISITOR_COOKIE
from rooms.visitors.guests import digest_token
from rooms.web.lobby import pages
from tests.rooms.classic.fours import SEATS, SECOND, START, make_room_for_four, seat_people
from tests.rooms.tables import make_visitor

pytestmark = pytest.mark.django_db
HALLS = "/rooms/classic/"
JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def noon(monkeypatch, settings):
    monkeypatch.setattr("django.utils.timezone.now", lambda: START)
    monkeypatch.setattr("rooms.web.watch.time", START.timestamp)
    settings.ROOMS, settings.ROOM_LEVEL = True, 0


def client_of(visitor):
    """Return a client with the cookie of a guest."""
    token = f"token {visitor.pk}"
    Visitor.objects.filter(pk=visitor.pk).update(cookie_digest=digest_token(token))
    client = Client()
    client.cookies[VISITOR_COOKIE] = token
    return client


@pytest.fixture
def four():
    return seat_people(4)


@pytest.fixture
def clients(four):
    return {seat: client_of(visitor) for seat, visitor in four.people.items()}


def address(four):
    return reverse("room_four", args=[four.table.pk])


def text_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.nightly("story")
def test_guest_opens_a_table_in_a_hall_and_another_sits_down():
    one, two = Client(), Client()
    page = text_of(one.get(HALLS))
    assert page.count("Nobody sits here yet") == 2 or page.count("Personne n’est encore assis") == 2
    hall = Room.objects.get(terms__hall=1)
    sent = one.post(reverse("room_sit", args=[hall.pk]), {"name": "Zoé"})
    table = RoomSeat.objects.get().table_id
    assert sent["Location"] == reverse("room_four", args=[table])
    assert one.get(sent["Location"]).status_code == 200
    sent = two.post(reverse("room_sit", args=[hall.pk]), {"name": "Marc", "table": "1", "seat": "E"})
    assert sent["Location"] == reverse("room_four", args=[table])
    assert sorted(RoomSeat.objects.values_list("letter", "visitor__name")) == [("E", "Marc"), ("S", "Zoé")]
    assert "Marc" in text_of(one.get(HALLS))


@pytest.mark.nightly("story")
def test_page_has_one_name_field_and_each_button_of_a_seat_names_its_form():
    page = text_of(Client().get(HALLS))
    assert (page.count('name="name"'), page.count('id="sit"')) == (1, 1)
    seats = re.findall(r'<button class="button" form="sit" formaction="([^"]+)" name="table" value="">', page)
    halls = Room.objects.filter(terms__hall__isnull=False).order_by("terms__hall")
    assert seats == [reverse("room_sit", args=[hall.pk]) for hall in halls]


@pytest.mark.nightly("story")
def test_room_by_link_is_made_and_found_by_the_link_alone():
    sent = Client().post(
        HALLS, {"is_duplicate": "no", "deals": 8, "score": 0, "clock": 20, "takes_over": "yes", "wait": 10}
    )
    room = Room.objects.get(terms__hall=None)
    assert sent["Location"] == reverse("room_with", args=[room.terms.link])
    assert Client().get(sent["Location"]).status_code == 200
    assert Client().get(reverse("room", args=[room.pk])).status_code == 404
    assert Client().get(reverse("room_with", args=["x"])).status_code == 404
    assert (room.terms.deals, room.terms.clock, room.terms.takes_over, room.terms.is_duplicate) == (8, 20, True, False)


@pytest.mark.parametrize(("opens_at", "shown"), [(START, "tables"), (START + SECOND, "room")])
def test_open_room_for_four_shows_its_tables(rf, monkeypatch, opens_at, shown):
    made = {
        "find_reader": lambda _request: None,
        "show_classic_room": lambda _request, _room: "tables",
        "describe_rooms": lambda _rooms, _visitor, _now: [SimpleNamespace(state="before")],
        "describe_reader": lambda _request, _visitor: {},
        "render": lambda _request, _template, _context: "room",
    }
    for name, value in made.items():
        monkeypatch.setattr(pages, name, value)
    room = Room(kind=RoomKind.CLASSIC, opens_at=opens_at, closes_at=START + 60 * SECOND)
    assert pages.room.__wrapped__(rf.get("/"), room) == shown


@pytest.mark.nightly("story")
def test_wrong_name_is_asked_again_and_the_seat_is_kept():
    Client().get(HALLS)
    hall = Room.objects.get(terms__hall=2)
    page = Client().post(reverse("room_sit", args=[hall.pk]), {"name": "!", "seat": "N", "table": ""})
    assert (page.status_code, RoomSeat.objects.count()) == (200, 0)
    assert 'name="seat" value="N"' in text_of(page)


def test_viewer_of_each_seat_sits_at_the_bottom(four, clients):
    for seat, client in clients.items():
        page = text_of(client.get(address(four)))
        bottom = re.search(r'class="slot slot-s" data-slot="(.)"', page)
        assert bottom[1] == str(seat)


def test_move_by_form_and_by_script_and_a_refused_one(four, clients):
    clients[Seat.S].get(address(four))
    seat, token = four.token()
    sent = clients[seat].post(address(four), {"etui": 1, "at": 0, "move": token})
    assert (sent.status_code, sent["Location"], Game.objects.get().length) == (302, address(four), 1)
    wrong = clients[seat].post(address(four), {"etui": 1, "at": 1, "move": "-"}, headers=JSON)
    assert (wrong.status_code, set(wrong.json())) == (400, {"refused"})
    late = clients[seat].post(address(four), {"etui": 1, "at": 0, "move": "-"}, headers=JSON)
    assert (late.status_code, late.json()["conflict"]) == (409, True)


def test_stranger_sees_no_table(four):
    four.drive()
    for client in (Client(), client_of(make_visitor())):
        assert client.get(address(four))["Location"] == HALLS
        assert client.get(address(four), headers=JSON).json() == {"go": HALLS}
        assert client.post(address(four), {"do": "say-hello"})["Location"] in (HALLS, address(four))
    assert four.held.classic.phrases == []


def test_poll_is_answered_from_the_cache_without_a_query(four, clients, django_assert_num_queries):
    page = clients[Seat.S].get(address(four))
    seen = re.search(r'data-state="(\w+)"', page.content.decode())[1]
    state = f"{address(four)}state"
    with django_assert_num_queries(0):
        assert clients[Seat.S].get(state, {"seen": seen}).status_code == 204
        assert Client().get(state, {"seen": "0" * 12}).status_code == 200
        assert Client().get(state).json() == {"changed": True}


@pytest.mark.nightly("story")
def test_poll_tells_of_each_change(four, clients, django_capture_on_commit_callbacks):
    def is_new():
        page = clients[Seat.N].get(address(four))
        return re.search(r'data-state="(\w+)"', page.content.decode())[1]

    state, seen = f"{address(four)}state", is_new()
    for act in (
        lambda: four.move(*four.token()),
        lambda: clients[Seat.W].post(address(four), {"do": "say-hello"}),
        lambda: clients[Seat.W].post(address(four), {"do": "away"}),
        lambda: clients[Seat.W].post(address(four), {"do": "back"}),
    ):
        assert Client().get(state, {"seen": seen}).status_code == 204
        with django_capture_on_commit_callbacks(execute=True):
            act()
        assert Client().get(state, {"seen": seen}).status_code == 200
        seen = is_new()


def test_poll_asks_again_when_something_is_due(monkeypatch):
    four = seat_people(1, wait=30)
    client = client_of(four.people[Seat.S])
    page = client.get(address(four)).content.decode()
    seen = re.search(r'data-state="(\w+)"', page)[1]
    moment = START.timestamp()
    monkeypatch.setattr("rooms.web.watch.time", lambda: moment + 29)
    assert Client().get(f"{address(four)}state", {"seen": seen}).status_code == 204
    monkeypatch.setattr("rooms.web.watch.time", lambda: moment + 31)
    assert Client().get(f"{address(four)}state", {"seen": seen}).status_code == 200


def test_lost_cache_only_costs_one_more_look(four, clients):
    clients[Seat.S].get(address(four))
    before = read_stamp(four.table.pk)
    cache.clear()
    assert Client().get(f"{address(four)}state", {"seen": before}).status_code == 200
    assert read_stamp(four.table.pk) != before


@pytest.mark.nightly("crawl")
def test_queries_of_a_table_do_not_depend_on_its_deals(four, clients, django_assert_max_num_queries):
    clients[Seat.S].get(address(four))
    with django_assert_max_num_queries(14):
        clients[Seat.S].get(address(four))
    for _deal in range(3):
        four.play()
        four.drive(20)
    with django_assert_max_num_queries(14):
        clients[Seat.S].get(address(four))


@pytest.mark.nightly("crawl")
def test_queries_of_the_halls_do_not_depend_on_the_tables(django_assert_max_num_queries):
    Client().get(HALLS)
    hall = Room.objects.get(terms__hall=1)
    for _table in range(5):
        seat_people(4, room=hall)
    with django_assert_max_num_queries(8):
        Client().get(HALLS)


def test_leaver_has_a_bot_and_takes_the_seat_back(four, clients):
    client = clients[Seat.E]
    client.get(address(four))
    client.post(address(four), {"do": "away"})
    assert four.held.present == set(SEATS) - {Seat.E}
    page = text_of(client.get(address(four)))
    assert 'value="back"' in page
    assert 'name="move"' not in page
    client.post(address(four), {"do": "back"})
    assert four.held.present == set(SEATS)


@pytest.mark.nightly("story")
def test_every_seat_sees_only_its_own_hand(four, clients):
    four.drive()
    four.play(8)
    state = four.held.hold(Seat.S).position.state
    for seat, client in clients.items():
        page = client.get(address(four)).content.decode()
        found = {int(card) for card in re.findall(r'data-card="(\d+)"', page)}
        assert found == set(cards_of(view(state, seat).hand))


@pytest.mark.nightly("story")
def test_closed_room_shows_each_etui_with_its_players():
    room = make_room_for_four()
    one, two = seat_people(4, room=room), seat_people(4, room=room)
    one.play()
    two.play()
    assert close_room(room.pk, room.closes_at + 60 * SECOND)
    for name in (reverse("room", args=[room.pk]), reverse("room_etui", args=[room.pk, 1])):
        page = text_of(Client().get(name, {"link": room.terms.link}))
        assert all(four.people[Seat.S].name in page for four in (one, two))
    assert "robots" not in page.split("<tbody>")[1]
    mine = client_of(one.people[Seat.S]).get(reverse("rooms_me"))
    assert f'href="{reverse("room", args=[room.pk])}"' in text_of(mine)
    assert Client().get(address(one))["Location"] == HALLS
    assert client_of(one.people[Seat.S]).get(address(one))["Location"] == reverse("room", args=[room.pk])


def test_site_without_rooms_or_tables_has_no_halls(settings, four):
    settings.ROOM_TABLES = False
    assert Client().get(HALLS).status_code == 404
    settings.ROOMS = False
    assert Client().get(address(four)).status_code == 404
    assert Client().get(f"{address(four)}state").status_code == 404


@pytest.mark.nightly("story")
def test_own_rooms_of_one_address_are_limited(monkeypatch):
    terms = {"is_duplicate": "no", "deals": 8, "score": 0, "clock": 20, "takes_over": "yes", "wait": 10}
    monkeypatch.setattr("rooms.classic.halls.OWN_ROOMS_A_DAY", 2)
    answers = [Client().post(HALLS, terms).status_code for _room in range(3)]
    assert (answers, Room.objects.filter(terms__hall=None).count()) == ([302, 302, 429], 2)
    assert Client().post(HALLS, terms, REMOTE_ADDR="203.0.113.9").status_code == 302


@pytest.fixture
def played():
    """Return a table of a room by link which two tables have played, and which is closed."""
    room = make_room_for_four()
    one, two = seat_people(4, room=room), seat_people(4, room=room)
    for table in (one, two):
        table.play()
    assert close_room(room.pk, room.closes_at + 60 * SECOND)
    return one


def addresses_of_room(room):
    names = ("room", "room_deals", "api_room", "api_room_ranking")
    return [
        *(reverse(name, args=[room.pk]) for name in names),
        *(reverse(name, args=[room.pk, 1]) for name in ("room_etui", "api_room_etui")),
    ]


@pytest.mark.nightly("story")
def test_closed_room_by_link_opens_by_its_link_and_to_its_players_alone(played):
    stranger, holder, chief = Client(), Client(), Client()
    chief.force_login(User.objects.create_superuser("chief", password="a long passphrase for tests"))
    assert holder.get(reverse("room_with", args=[played.room.terms.link])).status_code == 302
    player = client_of(played.people[Seat.S])
    for path in addresses_of_room(played.room):
        told = [client.get(path).status_code for client in (stranger, client_of(make_visitor()), holder, player, chief)]
        assert told == [404, 404, 200, 200, 200], path
        assert stranger.get(path, {"link": played.room.terms.link}).status_code == 200
        assert stranger.get(path, {"link": "x"}).status_code == 404
    report = reverse("room_report", args=[played.room.pk])
    assert (stranger.post(report).status_code, holder.post(report).status_code) == (404, 302)


@pytest.mark.nightly("story")
def test_room_shows_twenty_tables_on_a_page_and_leads_to_the_next():
    room = make_room_for_four()
    for _table in range(22):
        take_seat(room_id=room.pk, visitor=make_visitor(), now=START, link=room.terms.link)
    address = reverse("room_with", args=[room.terms.link])
    first, second = (Client().get(address, query).content.decode() for query in ({}, {"page": 2}))
    assert [re.findall(r"<strong>\s*Table (\d+)\s*</strong>", page) for page in (first, second)] == [
        [str(number) for number in range(1, 21)],
        ["21", "22"],
    ]
    assert [re.findall(r'href="\?page=(\d+)" rel="(\w+)"', page) for page in (first, second)] == [
        [("2", "next")],
        [("1", "prev")],
    ]


@pytest.mark.nightly("story")
def test_device_keeps_a_few_links():
    rooms, client = [make_room_for_four() for _room in range(10)], Client()
    for room in rooms:
        client.get(reverse("room_with", args=[room.terms.link]))
    told = [client.get(reverse("room", args=[room.pk])).status_code for room in rooms]
    assert told == [404] * 2 + [200] * 8


@pytest.mark.nightly("story")
def test_latest_rankings_have_closed_halls_and_no_room_by_link(played):
    Client().get(HALLS)
    hall = Room.objects.get(terms__hall=1)
    for four in (seat_people(4, room=hall), seat_people(4, room=hall)):
        four.play()
    seat_people(1, room=Room.objects.get(terms__hall=2))
    for room in Room.objects.filter(closed_at=None, kind="classic"):
        assert close_room(room.pk, room.closes_at + 60 * SECOND)
    page = text_of(Client(headers={"accept-language": "en"}).get(reverse("rooms")))
    latest = page.split("Latest rankings")[1]
    assert re.findall(r'href="/rooms/(\d+)/"', latest) == [str(hall.pk)]
    assert re.search(r"Hall no. 1, [^<]*2026", latest)
    assert "8 players" in latest
    closed = Client().get(reverse("api_rooms")).json()["closed"]
    assert [(room["id"], room["players"]) for room in closed] == [(hall.pk, 8)]


def haunt(hall, count):
    """Let a ghost, a guest who has gone, sit at each of so many tables of a hall."""
    ghosts = Visitor.objects.bulk_create(
        Visitor(name=f"Ghost {number}", cookie_digest=f"ghost {number}", created_at=START, seen_at=START)
        for number in range(count)
    )
    tables = RoomTable.objects.bulk_create(RoomTable(room=hall, number=number + 1) for number in range(count))
    ClassicTable.objects.bulk_create(ClassicTable(table=table, begins_at=START) for table in tables)
    RoomSeat.objects.bulk_create(
        RoomSeat(room=hall, table=table, letter="S", visitor=ghost, is_solo=False, joined_at=START)
        for table, ghost in zip(tables, ghosts, strict=True)
    )


@pytest.mark.nightly("statistics")
def test_halls_with_2000_ghosts_take_100_ms_and_60_kb():
    haunt(find_halls(START)[0], 2000)
    times = []
    for _time in range(5):
        began = process_time()
        answer = Client().get(HALLS)
        times.append(process_time() - began)
    assert "Ghost 0" in answer.content.decode()
    assert len(answer.content) < 60_000
    assert min(times) < 0.1
