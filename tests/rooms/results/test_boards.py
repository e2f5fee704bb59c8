"""The leaderboards "in rooms": ranked results of accounts that are players of a club, with a rating of their own."""

import pytest
from django.urls import reverse

from clubs.accounts.players import tie
from clubs.models import Person, Player
from rankings.leaderboards.keeping import make_leaderboards_anew
from rooms.models import Game, RoomSeat, RoomTable
from rooms.record.strengths import RoomTableMean
from rooms.results.etuis import has_played
from rooms.results.fours import SeatLine, show_seat_line
from rooms.results.rating import read_rated_rooms, read_room_basis, read_room_sessions
from rooms.visitors.guests import ensure_visitor, mark_program
from tests.factories import make_club, make_director, make_user
from tests.pages.reading import words
from tests.rooms.lobby_world import MORNING, play_and_close
from tests.rooms.tables import NOON, make_visitor, open_room
from tournaments.models import LeaderboardRow, PersonRating

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def with_rooms(settings):
    settings.ROOMS, settings.ROOM_LEVEL, settings.ROOM_ETUIS = True, 0, 2


@pytest.fixture
def player():
    club = make_club()
    player = Player.objects.create(club=club, person=Person.objects.create(), last_name="Martin", first_name="Zoé")
    tie(player, make_user("zoe"), by=make_director(club), now=NOON)
    return player


@pytest.fixture
def visitor(player):
    return ensure_visitor(account=player.account, now=MORNING)


@pytest.mark.nightly("story")
def test_ranked_players_of_clubs_count_and_nobody_else(player, visitor):
    guest, account = make_visitor(), ensure_visitor(account=make_user("solo"), name="Solo", now=MORNING)
    room = play_and_close([guest, account, visitor])
    sessions = list(read_room_sessions())
    seat = room.seats.get(visitor=visitor)
    assert [(told.pk, told.club, told.kind) for told in sessions] == [(room.pk, 0, "rooms")]
    rows = sessions[0].players
    assert [(row[0], row[1], row[4:8], row[8]) for row in rows] == [(player.pk, 2, [0, 0, 0, 0], 2)]
    assert f"{rows[0][9]}/{rows[0][3]}" in (seat.notes_sum, f"{seat.notes_sum}/1")


@pytest.mark.nightly("story")
def test_lists_are_made_and_shown_with_a_rating(player, visitor, client):
    play_and_close([visitor])
    make_leaderboards_anew(NOON)
    rows = LeaderboardRow.objects.filter(board__kind="rooms", board__period="all")
    assert {row.measure: float(row.figure) for row in rows}["deals"] == 2
    rating = PersonRating.objects.get(kind="rooms")
    assert (rating.person, rating.sessions, rating.deals) == (player.person_id, 1, 2)
    assert [float(row.figure) for row in rows.filter(measure="rating")] == [float(rating.figure)]
    page = words(client.get(reverse("leaderboards"), {"game": "rooms", "by": "deals"}))
    assert "En salle" in page
    assert "1 Zoé Martin" in page


@pytest.mark.nightly("story")
def test_basis_changes_with_a_room_a_place_and_a_player(player, visitor):
    bases = [list(read_room_basis())]
    room = play_and_close([visitor])
    bases.append(list(read_room_basis()))
    room.seats.filter(visitor=visitor).update(rank=None, left_out_at=NOON)
    bases.append(list(read_room_basis()))
    Player.objects.filter(pk=player.pk).update(account=None)
    bases.append(list(read_room_basis()))
    assert all(one != other for place, one in enumerate(bases) for other in bases[place + 1 :])


@pytest.mark.nightly("story")
def test_programs_are_on_no_list(visitor):
    mark_program(visitor)
    play_and_close([visitor])
    assert list(read_room_sessions()) == []


def test_guest_has_played_a_game_alone_unless_he_left(db):
    for left_at in (None, NOON):
        assert has_played(RoomSeat(is_solo=True, left_at=left_at), Game()) is (left_at is None)


def test_seat_that_nobody_has_is_free(db):
    for seat in (None, RoomSeat()):
        assert show_seat_line(seat, "S", {}, None, NOON) == SeatLine("S", None, False, True, False)


def test_rating_reads_the_seats_of_people_who_play_alone(db):
    room, alone, among_four = open_room(closed_at=NOON), make_visitor(), make_visitor()
    for number, visitor in enumerate((alone, among_four)):
        table = RoomTable.objects.create(room=room, number=number)
        seat = {"room": room, "table": table, "letter": "S", "visitor": visitor, "joined_at": MORNING, "rank": 1}
        RoomSeat.objects.create(**seat, deals=2, notes_sum="90", is_solo=visitor == alone)
    (rated,) = read_rated_rooms({alone.pk: 5, among_four.pk: 6})
    assert rated.tables == (RoomTableMean(5, 45.0, 2),)
