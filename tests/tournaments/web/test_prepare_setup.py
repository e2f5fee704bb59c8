"""A director's pages before the evening: players, tournament, session, seats, start."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player, Season
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.factories import DATE, draft_session, enter, make_club, make_director, make_tournament, started_session
from tests.tournaments.browsing import browser_of, fields
from tests.tournaments.pages import read, words
from tournaments.errors import Refused
from tournaments.models import Session, Tournament
from tournaments.sessions.setup import create_session, edit_session, seats_in_order, set_entrants
from tournaments.web.doors import session_url


@pytest.fixture
def club(db):
    return make_club()


@pytest.fixture
def user(club):
    return make_director(club)


@pytest.fixture
def director(user):
    return browser_of(user)


@pytest.fixture
def tournament(club):
    return make_tournament(club)


def names(club):
    return [(player.last_name, player.first_name, player.licence) for player in club.players.all()]


def seated(session):
    return {f"{entrant.line}{entrant.number}": entrant.player.last_name for entrant in session.entrants.all()}


# The club's players


def test_players_of_an_empty_club_say_how_to_begin(director, club):
    assert "No player yet" in words(director.get(reverse("players", args=[club.slug])))


def test_players_pasted_are_shown_as_read_before_they_are_added(director, club):
    url = reverse("players", args=[club.slug])
    shown = director.post(url, {"text": "DUPONT Marie\n\nLéa Petit; 12345"})
    assert read(shown).rows[1:] == [["1", "DUPONT", "Marie", ""], ["3", "Petit", "Léa", "12345"]]
    assert names(club) == []
    saved = director.post(url, {"text": "DUPONT Marie\n\nLéa Petit; 12345", "shown": fields(shown)["shown"]})
    assert saved.url == url
    assert names(club) == [("DUPONT", "Marie", ""), ("Petit", "Léa", "12345")]


def test_players_pasted_twice_are_added_once(director, club):
    url = reverse("players", args=[club.slug])
    mark = fields(director.post(url, {"text": "Léa Petit"}))["shown"]
    for _ in range(2):
        director.post(url, {"text": "Léa Petit", "shown": mark})
    assert names(club) == [("Petit", "Léa", "")]


def test_players_changed_since_they_were_shown_are_shown_again(director, club):
    url = reverse("players", args=[club.slug])
    mark = fields(director.post(url, {"text": "Léa Petit"}))["shown"]
    again = director.post(url, {"text": "Léa Petit\nNoé Grand", "shown": mark})
    assert len(read(again).rows) == 3
    assert names(club) == []


def test_players_with_wrong_lines_name_each_and_keep_the_text(director, club):
    text = "Léa Petit\n123\nLéa Petit\n456"
    response = director.post(reverse("players", args=[club.slug]), {"text": text})
    assert [row[0] for row in read(response).rows if "Line" in row[1]] == ["2", "3", "4"]
    assert "Line 3 of the list: Léa Petit stands already on line 1." in words(response)
    assert fields(response)["text"] == text
    assert names(club) == []


def test_players_read_wrong_are_put_right_by_the_order_of_the_names(director, club):
    url = reverse("players", args=[club.slug])
    mark = fields(director.post(url, {"text": "Dupont Marie"}))["shown"]
    data = {"text": "Dupont Marie", "order": "family"}
    again = director.post(url, data | {"shown": mark})
    assert read(again).rows[1] == ["1", "Dupont", "Marie", ""]
    director.post(url, data | {"shown": fields(again)["shown"]})
    assert names(club) == [("Dupont", "Marie", "")]


def test_players_of_a_file_are_shown_with_the_numbers_of_its_lines(director, club):
    url = reverse("players", args=[club.slug])
    sent = SimpleUploadedFile("liste.csv", "Prénom;Nom;Licence\nLéa;Petit;12345\n;;\nNoé;Grand".encode("cp1252"))
    shown = director.post(url, {"file": sent})
    assert read(shown).rows[1:] == [["2", "Petit", "Léa", "12345"], ["4", "Grand", "Noé", ""]]
    director.post(url, fields(shown))
    assert names(club) == [("Grand", "Noé", ""), ("Petit", "Léa", "12345")]


def test_file_of_players_that_is_no_text_says_what_to_do(director, club):
    sent = SimpleUploadedFile("liste.xlsx", b"PK\x03\x04\0\0")
    response = director.post(reverse("players", args=[club.slug]), {"file": sent})
    assert "This file is no list of names: save it as CSV or text" in words(response)


def test_players_known_to_the_club_are_told_apart_from_new_ones(director, club):
    add_players(club=club, lines=[RosterLine("Petit", "Léa"), RosterLine("Grand", "Noé", "777")])
    response = director.post(reverse("players", args=[club.slug]), {"text": "PETIT Léa; 12345\nGrand; Noël; 777\nA Bé"})
    known = ["already on the list" in row[1] for row in read(response).rows[1:]]
    assert known == [True, True, False]
    assert "Add 1 player" in words(response)


def test_players_previewed_while_typing_come_without_the_page(director, club):
    url = reverse("players", args=[club.slug])
    response = director.post(url, {"text": "Léa Petit"}, headers={"hx-request": "true"})
    assert b"<html" not in response.content
    assert "Petit" in words(response)


def test_players_are_found_without_accents_and_capitals(director, club):
    add_players(club=club, lines=[RosterLine("Étienne", "Zoé"), RosterLine("Weiß", "Jürgen")])
    url = reverse("players", args=[club.slug])
    assert "Étienne" in words(director.get(url, {"q": "etienne zoe"}))
    assert "Weiß" not in words(director.get(url, {"q": "etienne"}))
    assert "Nobody is called “nobody”" in words(director.get(url, {"q": "nobody"}))


def test_players_stand_in_the_order_of_french_names(director, club):
    add_players(club=club, lines=[RosterLine(name, "") for name in ("Zola", "Étienne", "de La Tour", "Faure")])
    text = words(director.get(reverse("players", args=[club.slug])))
    assert sorted(("Zola", "Étienne", "de La Tour", "Faure"), key=text.index) == [
        "de La Tour", "Étienne", "Faure", "Zola",
    ]  # fmt: skip


def test_players_cost_the_same_queries_however_many(director, club, django_assert_num_queries):
    url = reverse("players", args=[club.slug])
    for count in (2, 30):
        add_players(club=club, lines=[RosterLine(f"N{number}", "") for number in range(count)])
        with django_assert_num_queries(5):
            director.get(url)


# Tournaments and sessions


def test_tournament_new_leads_to_its_first_session(director, club):
    response = director.post(reverse("tournament_new", args=[club.slug]), {"name": "Été", "auction": "free"})
    tournament = Tournament.objects.get()
    assert (tournament.name, tournament.auction, tournament.season) == ("Été", "free", None)
    assert response.url == reverse("session_new", args=[club.slug, tournament.slug])


def test_tournament_new_offers_the_seasons_of_the_club(director, club):
    season = Season.objects.create(club=club, name="2026", starts_on=DATE, ends_on=DATE)
    data = {"name": "Été", "auction": "imposed", "season": season.pk}
    director.post(reverse("tournament_new", args=[club.slug]), data)
    assert Tournament.objects.get().season == season


def test_tournament_new_of_another_clubs_season_is_refused(director, club):
    season = Season.objects.create(club=make_club("autre"), name="2026", starts_on=DATE, ends_on=DATE)
    Season.objects.create(club=club, name="2026", starts_on=DATE, ends_on=DATE)
    data = {"name": "Été", "auction": "imposed", "season": season.pk}
    assert director.post(reverse("tournament_new", args=[club.slug]), data).status_code == 200
    assert not Tournament.objects.exists()


def test_tournament_new_without_a_name_keeps_what_was_chosen(director, club):
    response = director.post(reverse("tournament_new", args=[club.slug]), {"name": "", "auction": "free"})
    assert "This field is required." in words(response)
    assert fields(response)["auction"] == "free"


def test_session_new_proposes_five_positions_of_four_etuis(director, tournament):
    url = reverse("session_new", args=[tournament.club.slug, tournament.slug])
    proposed = fields(director.get(url))
    assert (proposed["positions"], proposed["etuis_per_position"]) == ("5", "4")
    response = director.post(url, proposed | {"date": "2026-11-20", "positions": 7, "etuis_per_position": 3})
    session = Session.objects.get()
    assert (session.date, session.positions, session.etuis_per_position) == (DATE, 7, 3)
    assert response.url == session_url("session", session)


def test_session_new_with_too_many_positions_is_refused_and_kept(director, tournament):
    url = reverse("session_new", args=[tournament.club.slug, tournament.slug])
    response = director.post(url, {"date": "2026-11-20", "positions": 61, "etuis_per_position": 4})
    assert fields(response)["positions"] == "61"
    assert not Session.objects.exists()


def test_session_edit_changes_a_draft(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    data = fields(director.get(session_url("session_edit", session))) | {"date": "2026-12-01", "positions": 3}
    assert director.post(session_url("session_edit", session), data).url == session_url("session", session)
    session.refresh_from_db()
    assert (session.date, session.positions) == (dt.date(2026, 12, 1), 3)


def test_settings_that_need_no_other_plan_change_while_the_session_is_played(director, tournament):
    session = started_session(tournament)
    url = session_url("session_edit", session)
    shown = fields(director.get(url))
    names = ["check_by", "hidden_positions", "minutes_per_etui", "shows_after"]
    assert sorted(set(shown) - {"csrfmiddlewaretoken", "next"}) == names
    changed = shown | {"check_by": "other", "shows_after": "topage", "minutes_per_etui": "8", "positions": "9"}
    assert director.post(url, changed).url == session_url("session", session)
    session.refresh_from_db()
    assert [getattr(session, name) for name in names] == ["other", 1, 8, "topage"]
    assert session.positions == 5
    logged = session.log.filter(action="edited").values_list("params__setting", "params__before", "params__after")
    assert set(logged) == {
        ("check_by", "same", "other"),
        ("shows_after", "nothing", "topage"),
        ("minutes_per_etui", "9", "8"),
    }
    assert f'href="{url}"' in director.get(session_url("session", session)).content.decode()


def test_tables_of_an_event_of_the_federation_never_see_more_than_nothing(director, tournament):
    session = started_session(tournament)
    Tournament.objects.update(federation=True)
    url = session_url("session_edit", session)
    director.post(url, fields(director.get(url)) | {"shows_after": "topage", "check_by": "none"})
    session.refresh_from_db()
    assert (session.shows_after, session.check_by) == ("nothing", "none")
    with pytest.raises(Refused, match="federation_shows_nothing"):
        edit_session(session_id=session.pk, now=timezone.now(), shows_after="topage")


def test_preparing_a_session_under_way_leads_back_with_the_reason(director, tournament):
    session = started_session(tournament)
    response = director.post(session_url("entrants", session), {}, follow=True)
    assert response.redirect_chain == [(session_url("session", session), 302)]
    assert "The session is under way and its plan is fixed" in words(response)


# Who plays, and where


def join(client, session, **data):
    return client.post(session_url("entrants", session), {"action": "join", **data})


def test_entrants_ticked_and_pasted_sit_table_after_table(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    old = add_players(club=tournament.club, lines=[RosterLine("A", ""), RosterLine("B", "")])
    response = join(director, session, players=[old[1].pk], text="C\nA\nD\nE")
    assert response.url == session_url("entrants", session)
    assert seated(session) == {"N1": "B", "E1": "C", "S1": "A", "W1": "D", "N2": "E"}


def test_entrants_joining_twice_sit_once(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    for _ in range(2):
        join(director, session, text="A\nB")
    assert seated(session) == {"N1": "A", "E1": "B"}


def test_entrants_with_a_wrong_line_seat_nobody_and_keep_the_text(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    response = join(director, session, text="A\n99")
    assert "Line 2 of the list" in words(response)
    assert fields(response)["text"] == "A\n99"
    assert seated(session) == {}
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (27, "27 players: choose how they play."),
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


def test_entrant_taken_out_leaves_a_seat_for_the_next(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="A\nB\nC")
    data = {"action": "leave", "player": session.entrants.get(line="E").player_id, "number": 1, "line": "E"}
    director.post(session_url("entrants", session), data)
    join(director, session, text="D")
    assert seated(session) == {"N1": "A", "E1": "D", "S1": "C"}


def test_entrant_moved_without_a_table_is_refused_at_the_field(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="A")
    player = session.entrants.get().player_id
    response = director.post(session_url("entrants", session), {"action": "move", "player": player, "line": "S"})
    assert "This field is required." in words(response)
    assert seated(session) == {"N1": "A"}


def test_entrant_whose_name_is_pressed_is_ready_to_be_moved(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    join(director, session, text="A\nB")
    player = session.entrants.get(line="E").player_id
    proposed = fields(director.get(session_url("entrants", session), {"player": player}))
    assert (proposed["player"], proposed["number"], proposed["line"]) == (str(player), "1", "E")


def test_entrants_cost_the_same_queries_however_many(director, tournament, django_assert_num_queries):
    session = create_session(tournament=tournament, date=DATE)
    for count in (20, 44):
        players = add_players(club=tournament.club, lines=[RosterLine(f"N{number}", "") for number in range(count)])
        set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
        with django_assert_num_queries(10):
            director.get(session_url("entrants", session))


# Start and its undo


def test_start_lays_out_the_plan_once(director, tournament):
    session = draft_session(tournament)
    for _ in range(2):
        assert director.post(session_url("start", session)).url == session_url("session", session)
    session.refresh_from_db()
    assert session.status == "running"
    assert session.plays.count() == 25


def test_start_before_the_players_says_what_is_missing(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    response = director.post(session_url("start", session), follow=True)
    assert "Nobody plays yet: enter the players first." in words(response)


def test_start_with_a_number_that_leaves_a_choice_asks_for_it(director, tournament):
    session = draft_session(tournament)
    session.entrants.filter(line="W", number=5).delete()
    response = director.post(session_url("start", session), follow=True)
    assert "19 players can play in several ways" in words(response)
    session.refresh_from_db()
    assert session.status == "draft"


def test_unstart_takes_the_start_back_and_keeps_the_seats(director, tournament):
    session = started_session(tournament)
    before = seated(session)
    for _ in range(2):
        assert director.post(session_url("unstart", session)).url == session_url("session", session)
    session.refresh_from_db()
    assert (session.status, session.plays.count(), seated(session)) == ("draft", 0, before)


def test_unstart_after_a_result_is_refused(director, user, tournament):
    session = started_session(tournament)
    enter(session.plays.first(), by=user)
    response = director.post(session_url("unstart", session), follow=True)
    assert "Results depend on this start" in words(response)
    assert session.plays.count() == 25


@pytest.mark.parametrize("action", ["start", "unstart"])
def test_actions_are_no_pages(director, tournament, action):
    session = draft_session(tournament)
    assert director.get(session_url(action, session)).url == session_url("session", session)
    session.refresh_from_db()
    assert session.status == "draft"


def test_action_without_a_login_returns_to_the_session_afterwards(tournament):
    session = draft_session(tournament)
    response = browser_of().post(session_url("start", session))
    assert response.url == f"{reverse('login')}?next={session_url('session', session)}"


def test_forms_without_their_token_are_refused(user, tournament):
    session = draft_session(tournament)
    forged = browser_of(user, enforce_csrf_checks=True)
    club = tournament.club.slug
    addresses = [
        reverse("players", args=[club]),
        reverse("tournament_new", args=[club]),
        reverse("session_new", args=[club, tournament.slug]),
        *(session_url(name, session) for name in ("session_edit", "entrants", "etuis", "start", "unstart")),
    ]
    assert {forged.post(address).status_code for address in addresses} == {403}
