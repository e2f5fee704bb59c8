"""The seats of a session: players who join one by one and from files, a filler's seat, the draw and its wishes."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.choosing import choice_of, shape_of
from evenings.sessions.setup import create_session, seats_in_order, set_entrants
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import (
    DATE,
    make_director,
    published_session,
)
from tests.pages.browsing import fields, press_preview
from tests.pages.reading import words
from tests.pages.wizard import choose, evening


@pytest.fixture
def user(tournament):
    return make_director(tournament.club)


director = shared_evenings.browser_of_user


@pytest.fixture
def filled(director, tournament):
    """Return a session of 27 players, with a filler on the last seat of the seventh table."""
    session = evening(tournament, 27)
    choose(director, session, action="choose", choice="0", shape=shape_of(session))
    return session


def seats(session):
    return {(entrant.line, entrant.number): entrant.player_id for entrant in session.entrants.all()}


def draw(client, session, **data):
    return client.post(session_url("entrants", session), {"action": "draw", "by": "chance"} | data, follow=True)


@pytest.mark.nightly("story")
def test_club_that_has_not_played_yet_ticks_its_whole_list_by_one_press(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    url = session_url("entrants", session)
    assert "Everybody on the list" not in words(director.get(url))
    add_players(club=tournament.club, lines=[RosterLine("Petit", "Léa"), RosterLine("Roux", "Luc")])
    assert director.get(url).content.decode().count(" checked") == 1  # the order of names is the only mark
    page = director.get(url, {"everybody": ""})
    assert "Everybody on the list" in words(page)
    assert page.content.decode().count(" checked") == 3
    published_session(tournament, by=tournament.club.memberships.get().user)
    # by now the page offers the players of the last session
    assert "Everybody on the list" not in words(director.get(url))


@pytest.mark.parametrize("given", [{"text": " \n"}, {"quick": ""}, {}])
def test_nobody_chosen_is_said_and_no_success(director, tournament, given):
    session = create_session(tournament=tournament, date=DATE)
    answer = director.post(session_url("entrants", session), {"action": "join"} | given)
    assert "Nobody is chosen" in words(answer)
    assert not session.entrants.exists()


def test_one_name_is_added_at_once_and_the_next_can_be_typed(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    add_players(club=tournament.club, lines=[RosterLine("Petit", "Léa", "12345")])
    url = session_url("entrants", session)
    assert '<option value="Petit, Léa, 12345">' in director.get(url).content.decode()
    response = director.post(url, {"action": "join", "quick": "Petit, Léa, 12345"})
    assert response.url == f"{url}?quick=1#quick"
    assert b"autofocus" in director.get(response.url).content
    assert session.entrants.get().player.licence == "12345"
    assert tournament.club.players.count() == 1


def test_players_of_a_file_are_seated(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    sent = SimpleUploadedFile("liste.csv", "Nom;Prénom\nPetit;Léa\nGrand;Noé".encode())
    join(director, session, file=sent)
    assert [entrant.player.name for entrant in session.entrants.all()] == ["Léa Petit", "Noé Grand"]


@pytest.mark.nightly("story")
def test_seat_of_a_filler_stays_free_for_him(director, filled):
    last = filled.entrants.get(line="S", number=7)
    director.post(
        session_url("entrants", filled), {"action": "leave", "player": last.player_id, "number": 7, "line": "S"}
    )
    join(director, filled, text="A\nB")
    seated = {(entrant.line, entrant.number) for entrant in filled.entrants.filter(player__last_name__in="AB")}
    assert seated == {("S", 7), ("W", 7)}
    filled.entrants.filter(player__last_name="B").delete()
    filled.entrants.filter(player__last_name="A").update(line="N", number=9)
    page = director.get(session_url("entrants", filled))
    assert "to be completed" in words(page)
    assert "Close the gaps" in words(page)
    director.post(session_url("entrants", filled), {"action": "close"})
    assert filled.entrants.get(player__last_name="A").line == "S"
    assert ("W", 7) not in seats(filled)


def test_player_who_joins_leaves_the_seat_of_the_filler_free(director, filled):
    gone = filled.entrants.get(line="N", number=2)
    director.post(
        session_url("entrants", filled), {"action": "leave", "player": gone.player_id, "number": 2, "line": "N"}
    )
    filled.entrants.filter(line="S", number=7).update(line="N", number=2)
    join(director, filled, text="A")
    assert filled.entrants.get(player__last_name="A").line == "S"


@pytest.mark.nightly("story")
def test_draw_tells_its_number_and_repeats_it(director, tournament):
    session = evening(tournament, 12)
    assert "The seats are drawn; number of the draw: 7." in words(draw(director, session, seed="7"))
    first = seats(session)
    text = words(draw(director, session))
    number = text.partition("number of the draw: ")[2].partition(".")[0]
    assert seats(session) != first
    draw(director, session, seed="7")
    assert seats(session) == first
    assert [entry.params["seed"] for entry in session.log.order_by("id")] == [7, int(number), 7]


@pytest.mark.nightly("story")
def test_draw_keeps_the_filler_on_his_seat(director, filled):
    choose(director, filled, action="fill", line="W", number="7", name="Camille Bon")
    draw(director, filled, seed="3")
    assert filled.entrants.get(ranked=False).player.name == "Camille Bon"
    assert seats(filled)["W", 7] == filled.entrants.get(ranked=False).player_id


@pytest.mark.nightly("story")
def test_draw_keeps_a_family_apart_and_remembers_the_wish(director, tournament):
    session = evening(tournament, 8)
    add_players(club=tournament.club, lines=[RosterLine("Dupont", name) for name in ("Marie", "Jean")])
    join(director, session, text="Dupont, Marie\nDupont, Jean\nA\nB")
    for seed in range(6):
        response = draw(director, session, seed=str(seed), apart="dupont")
        one, other = session.entrants.filter(player__last_name="Dupont")
        assert one.number != other.number
    assert fields(response)["apart"] == "dupont"


def test_draw_says_who_could_not_be_kept_apart(director, tournament):
    session = evening(tournament, 4)
    text = words(draw(director, session, apart="J000, J001"))
    assert "could not be kept apart." in text
    assert len(seats(session)) == 4


@pytest.mark.nightly("story")
def test_draw_by_the_table_of_position_one_where_a_plan_is_chosen(director, tournament):
    session = evening(tournament, 30)
    choose(director, session, action="choose", choice="0", shape=shape_of(session))
    plan = choice_of(session, 30)
    tables = {
        (line, number): stop["table"]
        for stop in plan.data["stops"]
        if stop["position"] == 1
        for line, number in zip("NESW", stop["seats"], strict=True)
    }
    for seed in range(4):
        draw(director, session, seed=str(seed), apart="J000, J001, J002, J003")
        found = [
            tables.get((entrant.line, entrant.number), f"rest {entrant.pk}")
            for entrant in session.entrants.filter(player__last_name__in=["J000", "J001", "J002", "J003"])
        ]
        assert len(set(found)) == 4


@pytest.mark.parametrize(
    ("apart", "sentence"),
    [
        ("J000\nNobody, J001", "Line 2: nobody this evening is called “Nobody”."),
        ("J000", "Line 1 has only one player"),
        ("-, J000", "Line 1: nobody this evening is called “-”."),
    ],
)
def test_draw_with_a_name_that_nobody_has_keeps_the_seats_and_the_text(director, tournament, apart, sentence):
    session = evening(tournament, 8)
    before = seats(session)
    response = draw(director, session, apart=apart)
    assert sentence in words(response)
    assert fields(response)["apart"] == apart
    assert seats(session) == before


@pytest.mark.nightly("story")
def test_draw_by_the_last_ranking_gives_each_table_one_of_each_quarter(director, user, tournament):
    assert "by the last ranking" not in words(director.get(session_url("entrants", evening(tournament, 8))))
    published = published_session(tournament, by=user)
    ranks = {row["id"]: row["rank_general"] for row in published.publications.get().data["players"]}
    best = sorted(published.entrants.all(), key=lambda entrant: (ranks[entrant.pk], entrant.pk))
    quarter = {entrant.player_id: place // 5 for place, entrant in enumerate(best)}
    session = create_session(tournament=tournament, date=DATE)
    set_entrants(session_id=session.pk, seats=seats_in_order(sorted(quarter)))
    draw(director, session, by="strength", seed="1")
    drawn = seats(session)
    for table in range(1, 6):
        assert sorted(quarter[drawn[line, table]] for line in "NESW") == [0, 1, 2, 3]


def seated(session):
    return {f"{entrant.line}{entrant.number}": entrant.player.last_name for entrant in session.entrants.all()}


def join(client, session, **data):
    return press_preview(client, session_url("entrants", session), {"action": "join", **data})


def test_entrants_ticked_and_pasted_sit_table_after_table(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    old = add_players(club=tournament.club, lines=[RosterLine("A", ""), RosterLine("B", "")])
    response = join(director, session, players=[old[1].pk], text="C\nA\nD\nE")
    assert response.url == session_url("entrants", session) + "#top"
    assert seated(session) == {"N1": "B", "E1": "C", "S1": "A", "W1": "D", "N2": "E"}


@pytest.mark.parametrize(
    "given", [{"text": "A\nB"}, {"quick": "A"}, {"quick": "A; B; 12345"}], ids=["list", "one name", "with a licence"]
)
def test_new_names_are_seated_only_after_their_preview(director, tournament, given):
    session = create_session(tournament=tournament, date=DATE)
    page = director.post(session_url("entrants", session), {"action": "join"} | given)
    told = len(given.get("text", "A").splitlines())
    assert f"Seat {told} player{'s' * (told > 1)}, add {told} player{'s' * (told > 1)} to the club’s list" in words(
        page
    )
    assert (seated(session), Player.objects.count()) == ({}, 0)


@pytest.mark.nightly("story")
def test_entrants_joining_twice_sit_once(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    for _ in range(2):
        join(director, session, text="A\nB")
    assert seated(session) == {"N1": "A", "E1": "B"}


def test_entrants_with_a_wrong_line_seat_nobody_and_keep_the_text(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    response = join(director, session, text="A\n99")
    assert "contains no name" in words(response)
    assert fields(response)["text"] == "A\n99"
    assert seated(session) == {}
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (27, "27 players: choose tables and positions."),
        (28, "28 players: 7 tables, nobody rests."),
        (24, "24 players: 6 tables, nobody rests."),
        (3, "3 players: a table needs four."),
    ],
)
def test_entrants_being_typed_are_told_how_they_can_play(director, tournament, count, text):
    session = create_session(tournament=tournament, date=DATE)
    typed = "\n".join(f"J{number}" for number in range(count))
    data = {"action": "join", "text": typed}
    response = director.post(session_url("entrants", session), data, headers={"hx-request": "true"})
    assert text in words(response)
    assert seated(session) == {}


@pytest.mark.nightly("story")
def test_entrants_already_seated_do_not_count_twice(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="\n".join(f"J{number}" for number in range(20)))
    data = {"action": "join", "text": "J1\nJ2"}
    response = director.post(session_url("entrants", session), data, headers={"hx-request": "true"})
    assert "20 players: 5 tables" in words(response)


def test_entrant_moved_changes_seats_with_who_sits_there_and_only_once(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="A\nB\nC")
    player = session.entrants.get(line="N").player_id
    for _ in range(2):
        director.post(session_url("entrants", session), {"action": "move", "player": player, "number": 1, "line": "S"})
    assert seated(session) == {"N1": "C", "E1": "B", "S1": "A"}


def test_entrant_moved_to_an_empty_seat_leaves_a_gap_that_can_be_closed(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="A\nB\nC")
    url = session_url("entrants", session)
    player = session.entrants.get(line="N").player_id
    director.post(url, {"action": "move", "player": player, "number": 2, "line": "W"})
    assert seated(session) == {"E1": "B", "S1": "C", "W2": "A"}
    assert "Close the gaps" in words(director.get(url))
    director.post(url, {"action": "close"})
    assert seated(session) == {"N1": "B", "E1": "C", "S1": "A"}
    assert "Close the gaps" not in words(director.get(url))


@pytest.mark.nightly("story")
def test_entrant_taken_out_leaves_a_seat_for_the_next(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="A\nB\nC")
    data = {"action": "leave", "player": session.entrants.get(line="E").player_id, "number": 1, "line": "E"}
    director.post(session_url("entrants", session), data)
    join(director, session, text="D")
    assert seated(session) == {"N1": "A", "E1": "D", "S1": "C"}


@pytest.mark.nightly("story")
def test_entrant_moved_without_a_table_is_refused_at_the_field(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="A")
    player = session.entrants.get().player_id
    response = director.post(session_url("entrants", session), {"action": "move", "player": player, "line": "S"})
    assert "This field is required." in words(response)
    assert seated(session) == {"N1": "A"}


@pytest.mark.nightly("story")
def test_entrant_whose_name_is_pressed_is_ready_to_be_moved(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="A\nB")
    player = session.entrants.get(line="E").player_id
    proposed = fields(director.get(session_url("entrants", session), {"player": player}))
    assert (proposed["player"], proposed["number"], proposed["line"]) == (str(player), "1", "E")


@pytest.mark.nightly("crawl")
def test_entrants_cost_the_same_queries_however_many(director, tournament, django_assert_num_queries):
    session = create_session(tournament=tournament, date=DATE)
    for count in (20, 44):
        players = add_players(club=tournament.club, lines=[RosterLine(f"N{number}", "") for number in range(count)])
        set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
        with django_assert_num_queries(10):
            director.get(session_url("entrants", session))
