"""The lobby and the page of a room, for readers in both languages."""

import datetime as dt

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from rooms.models import Room, Visitor
from rooms.results.lobby import count_present
from tests.pages.reading import read, words
from tests.rooms.lobby_world import add_players
from tests.rooms.tables import NOON

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def page_of(room, client, **asked):
    return client.get(reverse("room", args=[room.pk]), asked, headers=ENGLISH)


def test_lobby_tells_open_rooms_departures_players_and_the_reader_s_games(world):
    text = words(world.clients["guest"].get(reverse("rooms"), headers=ENGLISH))
    assert "Departure at 13:00 Open until 13:29" in text
    assert "2 players · Solo (no club) · Élise (guest)" in text
    assert "Continue: 1 of 2 played" in text
    assert "Étui of the day, 26 November 2026" in text
    assert "Departure at 13:30 imposed Garde, as in clubs Opens 13:30" in text
    assert "Departure at 12:00, 26 November 2026 2 players" in text


def test_lobby_counts_who_was_here_in_the_last_five_minutes(world):
    caches["process"].delete("rooms-present")
    now = NOON + dt.timedelta(minutes=55)
    Visitor.objects.update(seen_at=now - dt.timedelta(minutes=6))
    Visitor.objects.filter(pk=world.visitors["guest"].pk).update(seen_at=now - dt.timedelta(minutes=4))
    assert count_present(now) == 1
    Visitor.objects.update(seen_at=now)
    assert count_present(now) == 1, "the number is kept for 30 seconds"
    assert "1 player is connected now" in words(world.clients["stranger"].get(reverse("rooms"), headers=ENGLISH))
    caches["process"].delete("rooms-present")


def test_lobby_in_french_has_french_hours_and_words(world):
    text = words(world.clients["stranger"].get(reverse("rooms"), headers={"accept-language": "fr"}))
    assert "Départ de 13:00 Ouverte jusqu’à 13:29" in text
    assert "Jouer maintenant" in text
    assert "Avec deux appareils, on peut voir un étui deux fois, et le site ne peut pas s’en apercevoir." in text


def test_empty_lobby_says_what_comes(world):
    Room.objects.all().delete()
    text = words(Client().get(reverse("rooms"), headers=ENGLISH))
    assert "Nobody has come yet: be the first." in text
    assert "No room has a ranking yet" in text


def test_stranger_gets_a_name_to_play_with_and_an_account_gets_none(world):
    asked = {role: world.clients[role].get(reverse("rooms")) for role in ("stranger", "guest", "account", "director")}
    fields = {role: 'name="name"' in answer.content.decode() for role, answer in asked.items()}
    assert fields == {"stranger": True, "guest": False, "account": False, "director": True}


def test_room_to_come_shows_its_hour_and_its_commitment(world):
    answer = page_of(world.next, world.clients["stranger"])
    assert world.next.deal_set.commitment in words(answer)
    assert "Opens 13:30" in words(answer)
    assert reverse("room_join", args=[world.next.pk]) not in answer.content.decode()


def test_room_that_is_over_and_not_ranked_says_so(world):
    Room.objects.filter(pk=world.open.pk).update(closes_at=NOON - dt.timedelta(seconds=1))
    text = words(page_of(world.open, world.clients["guest"]))
    assert "The room is closed, and the bots finish what was left." in text
    assert "Continue" not in text


def test_closed_room_ranks_players_and_guests_apart_and_marks_the_reader(world):
    page = read(page_of(world.closed, world.clients["guest"]))
    rows = [row for row in page.rows if len(row) == 4 and row[0] == "1"]
    assert [row[1] for row in rows] == ["Solo (no club)", "Élise (guest)"]
    assert all(row[3].endswith("%") for row in rows)
    marked = [row[1] for row, named in zip(page.rows, page.classes, strict=True) if named == "is-me"]
    assert marked == ["Élise (guest)"]
    text = words(page_of(world.closed, world.clients["guest"]))
    assert "7 tables of bots were added for the comparison. They are not ranked." in text
    assert world.closed.deal_set.seed in text


def test_seat_that_is_left_out_shows_the_reason_and_the_others_move_up(world):
    add_players(world.closed, 1)
    seats = world.closed.seats.filter(is_guest=True, visitor__isnull=False).order_by("pk")
    place = reverse("room_place", args=[world.closed.pk])
    client = world.clients["administrator"]
    answer = client.post(place, {"seat": seats[0].pk, "act": "out", "reason": "two devices"})
    assert answer["Location"] == reverse("room", args=[world.closed.pk])
    assert [seat.rank for seat in seats.all()] == [None, 1]
    assert "Left out of the ranking: two devices" in words(page_of(world.closed, Client()))
    client.post(place, {"seat": seats[0].pk, "act": "back"})
    assert {seat.left_out_at for seat in seats.all()} == {None}
    assert all(seat.rank for seat in seats.all())


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"act": "out", "reason": " \u202e "}, "Say why: the players read the reason."),
        ({"act": "out", "reason": "x", "seat": "999999"}, "This player of the rooms is not known any more."),
        ({"act": "?"}, "This player of the rooms is not known any more."),
    ],
)
def test_wrong_change_of_a_ranking_says_why_and_changes_nothing(world, told, text):
    seat = world.closed.seats.get(visitor=world.visitors["guest"])
    client = world.clients["administrator"]
    place = reverse("room_place", args=[world.closed.pk])
    answer = client.post(place, {"seat": seat.pk} | told, headers=ENGLISH, follow=True)
    assert text in words(answer)
    seat.refresh_from_db()
    assert (seat.rank, seat.left_out_at) == (1, None)


def test_ranking_of_hundreds_has_pages_and_leads_to_the_own_line(world):
    add_players(world.closed, 130)
    first = page_of(world.closed, world.clients["guest"])
    assert "?guests=2" in first.content.decode()
    second = read(page_of(world.closed, Client(), guests="2"))
    assert len([row for row in second.rows if "(guest)" in row[1]]) == 50
    last = read(page_of(world.closed, Client(), guests="99"))
    assert len([row for row in last.rows if "(guest)" in row[1]]) == 31
    elsewhere = page_of(world.closed, world.clients["guest"], guests="2").content.decode()
    assert 'href="?guests=1#me"' in elsewhere


def test_etui_shows_every_table_and_replays_the_own_one(world):
    address = reverse("room_etui", args=[world.closed.pk, 1])
    answer = world.clients["guest"].get(address, headers=ENGLISH)
    rows = [row for row in read(answer).rows if len(row) == 4][1:]
    assert len(rows) == 9
    assert sum("bots" in row[1] for row in rows) == 7
    assert {float(row[3]) <= 100 for row in rows} == {True}
    assert [row[1].split(" (")[0] for row in rows if "Élise" in row[1]] == ["Élise"]
    text = answer.content.decode()
    assert text.count('id="trick-') == 18
    assert text.index('class="hand"') < text.index("<table")  # the cards first
    assert "Élise (" in words(answer)


def test_replay_shows_two_tables_side_by_side(world):
    address = reverse("room_etui", args=[world.closed.pk, 1])
    games = [game.pk for game in world.closed.tables.order_by("number")[0].games.filter(etui__number=1)]
    others = [table.games.get(etui__number=1).pk for table in world.closed.tables.order_by("number")[1:3]]
    answer = Client().get(address, {"replay": games[0], "beside": others[0]}, headers=ENGLISH)
    assert answer.status_code == 200
    assert Client().get(address, {"replay": "x", "beside": "-1", "page": "y"}).status_code == 200
    assert Client().get(reverse("room_etui", args=[world.closed.pk, 3])).status_code == 404


def test_file_of_a_closed_room_deals_its_etuis_again(world):
    answer = Client().get(reverse("room_deals", args=[world.closed.pk]))
    lines = answer.content.decode().splitlines()
    assert f"commitment {world.closed.deal_set.commitment}" in lines
    assert f"seed {world.closed.deal_set.seed}" in lines
    assert sum(line[0].isdigit() for line in lines) == 2


def test_best_of_the_month_lists_ranked_accounts_from_24_deals_on(world):
    assert "Nobody is on this list yet" in words(Client().get(reverse("rooms_best"), headers=ENGLISH))
    world.closed.seats.filter(visitor=world.visitors["account"]).update(deals=24, notes_sum="1500")
    world.closed.closed_at += dt.timedelta(seconds=1)
    world.closed.save()
    page = read(world.clients["account"].get(reverse("rooms_best"), headers=ENGLISH))
    assert [row[:1] + row[2:] for row in page.rows[1:]] == [["1", "62.5%", "1", "24"]]
    assert page.classes[1] == "is-me"
    older = read(Client().get(reverse("rooms_best"), {"month": "2026-10", "kind": "half"}))
    assert older.rows == []


@pytest.mark.nightly("story")
def test_page_of_a_room_loads_itself_again_until_the_ranking_is_there(world):
    room = Room.objects.filter(closed_at=None, kind="half", opens_at__lte=NOON).latest("opens_at")
    again = '<meta http-equiv="refresh" content="10">'
    client = world.clients["stranger"]
    assert again not in page_of(room, client).content.decode()
    Room.objects.filter(pk=room.pk).update(
        opens_at=NOON - 2 * dt.timedelta(hours=1), closes_at=NOON - dt.timedelta(hours=1)
    )
    assert again in page_of(room, client).content.decode()
