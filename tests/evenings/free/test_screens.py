"""The screens of an evening at which the tables deal: the players, the checklist, the clock, the hall, the podium."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from evenings.plans.free.people import FromDeal, join_games
from evenings.sessions.checklist import preparation_of
from evenings.sessions.running import call_position
from pages.doors import session_url
from pages.public import all_kinds
from tests.evenings.free.test_crawl import play_deals
from tests.evenings.free.test_reading import text_of
from tests.factories import make_director, publish
from tests.free_evenings import add_named_players, draft_free_session, lay_out_tables, start_free_session
from tests.pages.browsing import browser_of
from tournaments.models import Publication, Session

pytestmark = pytest.mark.django_db
FRENCH = {"accept-language": "fr"}


def read(session, name, *where, browser=None, **query):
    browser = browser or browser_of(make_director(session.tournament.club))
    return text_of(browser.get(session_url(name, session, *where), query, headers=FRENCH)).replace("\xa0", " ")


def test_players_page_lists_names_without_seats():
    session = draft_free_session(13)
    text = read(session, "entrants")
    assert "Tables de quatre : 1, tables de trois : 3." in text
    assert "Numéros et places sont tirés au sort au départ." in text
    assert text.count("Nom0") == 2 * 13  # in the list, and in the form that removes a player
    assert [word for word in ("Nord", "Ouest", "Déplacer", "Tirer les places") if word in text] == []


def test_players_page_says_how_many_tables_pasted_names_would_make():
    session = draft_free_session(13)
    browser = browser_of(make_director(session.tournament.club))
    sent = {"action": "join", "text": "Neuf Zoé\nDix Yves\nOnze Xavier", "order": "first"}
    preview = browser.post(
        session_url("entrants", session), sent, headers={**FRENCH, "hx-request": "true"}
    ).content.decode()
    assert "Tables de quatre : 4." in preview.replace("\xa0", " ")


def test_player_is_removed_before_the_start():
    session = draft_free_session(13)
    browser = browser_of(make_director(session.tournament.club))
    leaving = session.entrants.get(number=2, line="N").player_id
    answer = browser.post(session_url("entrants", session), {"action": "leave", "player": leaving}, follow=True)
    assert "The list of players is changed." in text_of(answer)
    assert session.entrants.count() == 12
    assert not session.entrants.filter(player_id=leaving).exists()


@pytest.mark.usefixtures("english")
def test_checklist_without_players_names_no_impossible_number():
    session = draft_free_session(13)
    session.entrants.all().delete()
    players, games, start = preparation_of(session).steps
    assert (players.ready, games.ready, start.ready) == (False, False, False)
    assert games.text == "Games: 3, deals in each: 4. By the ranking after each game, and nobody meets again."


@pytest.mark.parametrize(
    ("people", "odd", "fits", "minutes"),
    [(9, "mort", False, 45), (8, "mort", False, 36), (9, "mort", True, 36), (9, "five", False, 36)],
)
def test_clock_of_a_game_has_time_for_the_deals_in_which_one_of_five_rests(people, odd, fits, minutes):
    session = start_free_session(people, odd_tables=odd, fits_deals=fits)
    by, now = make_director(session.tournament.club), timezone.now()
    assert session.minutes_per_etui == 9
    call_position(session_id=session.pk, position=1, by=by, now=now)
    session.refresh_from_db()
    assert session.clock_ends_at - now == dt.timedelta(minutes=minutes)


def test_desk_ends_the_evening_after_the_deals_of_a_mort():
    session = start_free_session(9, odd_tables="mort")
    by = make_director(session.tournament.club)
    call_position(session_id=session.pk, position=1, by=by, now=timezone.now())
    head = browser_of(by).get(session_url("session", session)).context["head"]
    assert head.evening_ends - head.now == dt.timedelta(seconds=head.seconds, minutes=2 * 45)


def test_desk_knows_which_games_have_more_deals():
    session = start_free_session(8, odd_tables="mort", seating="fixed")
    by, now = make_director(session.tournament.club), timezone.now()
    extra = add_named_players(session.tournament.club, 9)[-1]
    join_games(session_id=session.pk, player_id=extra.pk, moment=FromDeal(3), by=by, now=now)
    call_position(session_id=session.pk, position=1, by=by, now=now)
    head = browser_of(by).get(session_url("session", session)).context["head"]
    assert head.evening_ends - head.now == dt.timedelta(seconds=head.seconds, minutes=36 + 45)


def test_form_of_the_session_ends_after_the_deals_of_a_mort():
    session = draft_free_session(9, odd_tables="mort")
    text = read(session, "session_edit", browser=browser_of(make_director(session.tournament.club)))
    assert "De 20:30 à 22:45 environ : 12 donnes pour chaque joueur" in text


@pytest.mark.nightly("story")
def test_hall_speaks_of_games():
    session = lay_out_tables([4, 3], games=3)
    assert "Partie 1 sur 3" in read(session, "hall", browser=Client())
    Session.objects.filter(pk=session.pk).update(position=0)
    assert "Prenez place pour la partie 1" in read(session, "hall", browser=Client())
    Session.objects.filter(pk=session.pk).update(position=2)
    text = read(session, "hall", browser=Client())
    assert "Partie 1, résultats attendus aux tables : 1, 2" in text
    assert "Position" not in text


def test_podium_without_players_speaks_of_deals(monkeypatch):
    session = lay_out_tables([4], games=1)
    by = make_director(session.tournament.club)
    play_deals(session, by)
    publish(session, by=by)
    drawn = []
    monkeypatch.setattr(all_kinds, "draw_podium", lambda heading, _steps, **_: drawn.append(heading.nobody) or b"")
    version = Publication.objects.get(session=session).version
    assert Client().get(session_url("podium", session, version)).status_code == 200
    assert drawn == ["Le classement complet, avec toutes les donnes"]
