"""The rankings inside pages of other sites: only sites that the club names may show them, at once."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings, settings_of
from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from pages.doors import session_url
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import switch_parts
from tests import shared_evenings
from tests.factories import make_director, make_tournament
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import words
from tests.rankings.events.several import published_sessions
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SITES = ["https://club.example", "https://federation.example:8443"]


session = shared_evenings.published_with_no_page_cached


def name_sites(club, by, sites=SITES):
    change_settings(club, {"embedders": sites}, now=timezone.now(), by=by)


def ancestors(answer):
    (named,) = re.findall(r"frame-ancestors ([^;]*)", answer["Content-Security-Policy"])
    return named


def show(session, client=None, **headers):
    return (client or Client()).get(session_url("ranking_embedded", session), headers=headers)


def test_page_has_no_cookie_no_form_and_no_script(session, director):
    for client in (Client(), browser_of(director)):
        answer = show(session, client)
        page = answer.content.decode()
        assert answer.status_code == 200
        assert [tag for tag in ("<form", "<script", "<input", "<button", "onclick", "style=") if tag in page] == []
        assert not answer.cookies
        assert "script-src" not in answer["Content-Security-Policy"]
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        assert "form-action 'none'" in answer["Content-Security-Policy"]
        assert "My account" not in page
    assert words(answer).count("Zoé Nom") == 20


def test_nobody_may_show_it_before_the_club_names_a_site(session):
    answer = show(session)
    assert ancestors(answer) == "'none'"


def test_sites_that_the_club_names_may_and_no_older_header_contradicts(session, director):
    name_sites(session.tournament.club, director)
    answer = show(session)
    assert ancestors(answer) == " ".join(SITES)
    assert not answer.has_header("X-Frame-Options")


@pytest.mark.nightly("race")
def test_a_change_reaches_what_is_kept_at_once(session, director):
    club = session.tournament.club
    name_sites(club, director)
    first = show(session)
    again = show(session, **{"if-none-match": first["ETag"]})
    assert (again.status_code, ancestors(again)) == (304, " ".join(SITES))
    assert not again.has_header("X-Frame-Options")
    name_sites(club, director, SITES[:1])
    changed = show(session, **{"if-none-match": first["ETag"]})
    assert (changed.status_code, ancestors(changed)) == (200, SITES[0])
    name_sites(club, director, [])
    assert ancestors(show(session)) == "'none'"


@pytest.mark.nightly("story")
def test_every_other_page_stays_out_of_frames(session, director):
    name_sites(session.tournament.club, director)
    show(session)
    for address in (session_url("ranking", session), reverse("home"), reverse("login")):
        answer = Client().get(address)
        assert (ancestors(answer), answer["X-Frame-Options"]) == ("'none'", "DENY"), address


def test_what_is_not_shown_is_not_embedded(session, director):
    name_sites(session.tournament.club, director)
    word = DirectorWord(director, timezone.now())
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=word)
    answer = show(session)
    assert (answer.status_code, ancestors(answer)) == (404, "'none'")


def test_names_stand_as_they_do_on_the_page(session, director):
    show(session)
    player = session.entrants.get(player__last_name="Nom007").player
    choose_shown(player=player, shown=Visibility.HIDDEN, way=Way.DIRECTOR, by=director, now=timezone.now())
    text = words(show(session))
    assert "Nom007" not in text
    assert "Joueur masqué" in text


def test_it_speaks_the_language_of_the_club(session, director):
    assert "Tout le classement" in words(show(session, **{"accept-language": "en"}))
    change_settings(session.tournament.club, {"language": "en"}, now=timezone.now(), by=director)
    assert "The whole ranking" in words(show(session, **{"accept-language": "fr"}))


@pytest.mark.nightly("story")
def test_season_is_embedded_too():
    tournament = make_tournament(name="Championnat d’hiver")
    director = make_director(tournament.club)
    published_sessions(tournament, by=director)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    name_sites(tournament.club, director)
    answer = Client().get(reverse("tournament_embedded", args=[tournament.club.slug, tournament.slug]))
    assert (answer.status_code, ancestors(answer)) == (200, " ".join(SITES))
    assert words(answer).count("Zoé Nom") == len(tournament.publications.get().data["players"])


def test_director_names_the_sites_and_a_wrong_one_is_said_without_losing_any(session, director):
    club = session.tournament.club
    browser = browser_of(director)
    address = reverse("club_settings_public", args=[club.slug])
    typed = {name: value for name, value in fields(browser.get(address)).items() if name not in ("logo", "q")}
    wrong = browser.post(address, typed | {"embedders": "https://club.example\nhttp://plain.example"})
    assert "“http://plain.example” is not the https address" in words(wrong)
    assert "https://club.example" in fields(wrong)["embedders"]
    assert settings_of(club).embedders == []
    assert browser.post(address, typed | {"embedders": "https://club.example/page/, autre.example"}).status_code == 302
    assert settings_of(club).embedders == ["https://club.example", "https://autre.example"]
    assert fields(browser.get(address))["embedders"] == "https://club.example\nhttps://autre.example"
