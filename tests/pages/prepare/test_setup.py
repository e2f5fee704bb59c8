"""The director's pages before the evening: the club's players, tournament, session and settings, start."""

import datetime as dt

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from clubs.models import Season
from clubs.players import PlayerGone, add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session, edit_session
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import DATE, draft_session, enter, make_club, make_director, make_tournament, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import read, words
from tournaments.errors import ActionRefused
from tournaments.models import Session, Tournament


@pytest.fixture
def club(db):
    return make_club()


@pytest.fixture
def user(club):
    return make_director(club)


director = shared_evenings.browser_of_user


@pytest.fixture
def tournament(club):
    return make_tournament(club)


def names(club):
    return [(player.last_name, player.first_name, player.licence) for player in club.players.all()]


def lines(response):
    """Return the numbers and the names of the lines, as the page reads them."""
    return [row[:2] for row in read(response).rows[1:]]


def seated(session):
    return {f"{entrant.line}{entrant.number}": entrant.player.last_name for entrant in session.entrants.all()}


# The club's players


def test_players_of_an_empty_club_say_how_to_begin(director, club):
    assert "No players yet" in words(director.get(reverse("players", args=[club.slug])))


def test_players_pasted_are_shown_as_read_before_they_are_added(director, club):
    url = reverse("players", args=[club.slug])
    shown = director.post(url, {"text": "DUPONT Marie\n\nLéa Petit; 12345"})
    assert lines(shown) == [["1", "DUPONT Marie"], ["3", "Petit Léa · 12345"]]
    assert names(club) == []
    saved = director.post(url, {"text": "DUPONT Marie\n\nLéa Petit; 12345", "shown": fields(shown)["shown"]})
    assert saved.url == f"{url}?added#top"
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
    assert lines(response) == [["2", "“123”"], ["4", "“456”"], ["3", "Petit Léa"], ["1", "Petit Léa"]]
    assert "already on line 1: counted once" in words(response)
    assert "contains no name: ignored" in words(response)
    assert fields(response)["text"] == text
    assert names(club) == []


def test_players_read_wrong_are_put_right_by_the_order_of_the_names(director, club):
    url = reverse("players", args=[club.slug])
    mark = fields(director.post(url, {"text": "Oriol Kenza"}))["shown"]
    data = {"text": "Oriol Kenza", "order": "family"}
    again = director.post(url, data | {"shown": mark})
    assert lines(again) == [["1", "Oriol Kenza"]]
    director.post(url, data | {"shown": fields(again)["shown"]})
    assert names(club) == [("Oriol", "Kenza", "")]


def test_players_of_a_file_are_shown_with_the_numbers_of_its_lines(director, club):
    url = reverse("players", args=[club.slug])
    sent = SimpleUploadedFile("liste.csv", "Prénom;Nom;Licence\nLéa;Petit;12345\n;;\nNoé;Grand".encode("cp1252"))
    shown = director.post(url, {"file": sent})
    assert lines(shown) == [["2", "Petit Léa · 12345"], ["4", "Grand Noé"]]
    director.post(url, fields(shown))
    assert names(club) == [("Grand", "Noé", ""), ("Petit", "Léa", "12345")]


def test_file_of_players_that_is_no_text_says_what_to_do(director, club):
    sent = SimpleUploadedFile("liste.xlsx", b"PK\x03\x04\0\0")
    response = director.post(reverse("players", args=[club.slug]), {"file": sent})
    assert "This file is not a list of names: save it as XLSX, CSV or text" in words(response)


def test_players_known_to_the_club_are_told_apart_from_new_ones(director, club):
    add_players(club=club, lines=[RosterLine("Petit", "Léa"), RosterLine("Grand", "Noé", "777")])
    response = director.post(reverse("players", args=[club.slug]), {"text": "PETIT Léa; 12345\nGrand; Noël; 777\nA Bé"})
    _heading, doubt, new, known = read(response).rows
    assert "Grand Noé · 777 the same licence" in doubt[2]
    assert (new[2].split(" ")[0], known[2]) == ("new", "on the club’s list, gets: 12345")
    assert "Add 1 player" in words(response)


def test_players_previewed_while_typing_come_without_the_page(director, club):
    url = reverse("players", args=[club.slug])
    response = director.post(url, {"text": "Léa Petit"}, headers={"hx-request": "true"})
    assert b"<html" not in response.content
    assert "Petit" in words(response)


@pytest.mark.parametrize(
    ("language", "above"),
    [
        ("en", "Rows not read: 1 “Tournoi du jeudi”, 2 “28 novembre”"),
        ("fr", "Lignes non lues : 1 « Tournoi du jeudi », 2 « 28 novembre »"),
    ],
)
def test_rows_above_the_heading_of_a_list_are_told(director, club, language, above):
    table = "Tournoi du jeudi;;\n28 novembre;;\nNom;Prénom;Courriel\nPetit;Léa;lea@example.org"
    director.cookies.load({settings.LANGUAGE_COOKIE_NAME: language})
    shown = words(director.post(reverse("players", args=[club.slug]), {"text": table}))
    assert above in shown.replace("\N{NO-BREAK SPACE}", " ")
    assert "Courriel" in shown


def test_player_who_leaves_the_list_while_it_is_read_is_told(director, club, monkeypatch):
    def leave(*_taken):
        raise PlayerGone("player_gone", name="Léa Petit")

    monkeypatch.setattr("pages.roster_forms.foresee_list", leave)
    answer = director.post(reverse("players", args=[club.slug]), {"text": "Léa Petit"})
    assert "Léa Petit is no longer on the club’s list" in words(answer)
    assert names(club) == []


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
        with django_assert_num_queries(7):
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
    page = director.get(url)
    shown = fields(page)
    names = ["check_by", "coefficient", "hidden_positions", "minutes_per_etui", "shows_after", "stage", "whole_records"]
    assert sorted(page.context["form"].fields) == names
    changed = shown | {"check_by": "other", "shows_after": "topage", "minutes_per_etui": "8", "positions": "9"}
    assert director.post(url, changed).url == session_url("session", session)
    session.refresh_from_db()
    assert [getattr(session, name) for name in names] == ["other", 1, 1, 8, "topage", "", False]
    assert session.positions == 5
    logged = session.log.filter(action="edited").values_list("params__setting", "params__before", "params__after")
    assert set(logged) == {
        ("check_by", "same", "other"),
        ("shows_after", "nothing", "topage"),
        ("minutes_per_etui", "9", "8"),
    }
    assert f'href="{url}"' in director.get(session_url("session", session)).content.decode()


def test_evening_of_a_year_that_no_calendar_has_is_not_taken(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    url = session_url("session_edit", session)
    for year in ("9999", "0026"):
        answer = director.post(url, fields(director.get(url)) | {"date": f"{year}-12-31"})
        assert answer.status_code == 200
        assert "Nothing is saved yet" in words(answer)
    session.refresh_from_db()
    assert session.date == DATE
    with pytest.raises(ActionRefused, match="session_year"):
        create_session(tournament=tournament, date=dt.date.max)
    assert director.get(reverse("calendar_file")).status_code == 200


def test_tables_of_an_event_of_the_federation_never_see_more_than_nothing(director, tournament):
    session = started_session(tournament)
    Tournament.objects.update(federation=True)
    url = session_url("session_edit", session)
    director.post(url, fields(director.get(url)) | {"shows_after": "topage", "check_by": "none"})
    session.refresh_from_db()
    assert (session.shows_after, session.check_by) == ("nothing", "none")
    with pytest.raises(ActionRefused, match="federation_shows_nothing"):
        edit_session(session_id=session.pk, now=timezone.now(), shows_after="topage")


def test_preparing_a_session_under_way_leads_back_with_the_reason(director, tournament):
    session = started_session(tournament)
    response = director.post(session_url("entrants", session), {}, follow=True)
    assert response.redirect_chain == [(session_url("session", session), 302)]
    assert "The session is under way and its plan is fixed" in words(response)


# The start and its undo


@pytest.mark.nightly("story")
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
    assert "No players are seated yet: seat the players first." in words(response)


def test_start_with_a_number_that_leaves_a_choice_asks_for_it(director, tournament):
    session = draft_session(tournament)
    session.entrants.filter(line="W", number=5).delete()
    response = director.post(session_url("start", session), follow=True)
    assert "19 players can play in several ways" in words(response)
    session.refresh_from_db()
    assert session.status == "draft"


@pytest.mark.nightly("story")
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


# Hours and settings of a session


def test_session_form_tells_the_end_while_it_is_typed(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    typed = fields(director.get(session_url("session_edit", session))) | {"positions": "7", "starts_at": "20:00"}
    response = director.post(session_url("session_edit", session), typed, headers={"hx-request": "true"})
    assert words(response) == "From 20:00 to about 00:12: 28 étuis at each table, 9 minutes each."
    assert Session.objects.get(pk=session.pk).positions == 5


def test_session_form_tells_the_end_from_what_it_can_read(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    typed = fields(director.get(session_url("session_edit", session))) | {"positions": ""}
    response = director.post(session_url("session_edit", session), typed, headers={"hx-request": "true"})
    assert "20 étuis at each table" in words(response)


def test_draft_tells_when_the_evening_ends(director, tournament):
    text = words(director.get(session_url("session", create_session(tournament=tournament, date=DATE))))
    assert "From 20:30 to about 23:30: 20 étuis at each table, 9 minutes each." in text


def test_session_form_keeps_every_setting(director, tournament):
    session = create_session(tournament=tournament, date=DATE)
    url = session_url("session_edit", session)
    wished = {
        "barometer": "on", "minutes_per_etui": "8", "devices": "desk", "check_by": "blind", "shows_after": "topage",
        "hidden_positions": "2",
    }  # fmt: skip
    director.post(url, fields(director.get(url)) | wished)
    session.refresh_from_db()
    kept = (session.barometer, session.minutes_per_etui, session.devices, session.check_by, session.shows_after)
    assert (*kept, session.hidden_positions) == (True, 8, "desk", "blind", "topage", 2)
    assert "barometer" in fields(director.get(url))


def test_federation_shows_its_tables_nothing(director, tournament):
    club = tournament.club
    director.post(f"/clubs/{club.slug}/tournaments/new/", {"name": "Ligue", "auction": "imposed", "federation": "on"})
    event = Tournament.objects.get(name="Ligue")
    assert event.federation
    session = create_session(tournament=event, date=DATE)
    url = session_url("session_edit", session)
    assert "Nothing, in an official FFT event." in words(director.get(url))
    director.post(url, fields(director.get(url)) | {"shows_after": "topage", "positions": "4"})
    session.refresh_from_db()
    assert (session.shows_after, session.positions) == ("nothing", 4)
