"""The published rankings as a PDF to pin up: linked from their pages, with the same names, gone with them."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings, read_logo
from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from evenings.plays.entering import annul_play
from pages.doors import session_url
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.factories import make_director, make_tournament, play_and_publish, publish
from tests.outgoing.paper.test_pdf import flat, printed
from tests.pages.browsing import browser_of
from tests.pages.club.test_settings import PNG
from tests.pages.reading import read
from tests.rankings.events.several import published_sessions
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


session = shared_evenings.published_with_no_page_cached


def pinned(session, version=1, **asked):
    return browser_of().get(session_url("ranking_pdf", session, version), asked)


def word_of(director, reason=""):
    return DirectorWord(director, timezone.now(), reason)


@pytest.mark.nightly("story")
def test_page_leads_to_the_ranking_to_pin_up(session):
    page = browser_of().get(session_url("ranking", session), {"by": "general"})
    assert session_url("ranking_pdf", session, 1) + "?by=general" in read(page).links
    answer = pinned(session)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["X-Robots-Tag"] == "noindex"
    text = flat(answer.content)
    report = session.publications.get().data
    assert text.count("Nom0") == len(report["players"]) == 20
    for told in (
        "Duplicate d’été",
        "Club des Étuis",
        "Ranking of session 1, 20 November 2026 · Alterné",
        "Provisional",
    ):
        assert told in text


@pytest.mark.nightly("story")
def test_each_order_of_the_page_has_its_own(session):
    heads = {by: flat(pinned(session, by=by).content) for by in ("alterne", "general", "line", "nonsense")}
    assert "· Général" in heads["general"]
    assert "· By line" in heads["line"]
    assert [name for name in ("North", "East", "South", "West") if name not in heads["line"]] == []
    assert "· Alterné" in heads["nonsense"]
    assert heads["line"].count("Nom0") == 20


def test_it_speaks_the_readers_language(session):
    text = flat(Client(headers={"accept-language": "fr"}).get(session_url("ranking_pdf", session, 1)).content)
    assert "Classement de la séance 1, 20 novembre 2026 · Alterné" in text.replace("\xa0", " ")
    assert "Provisoire" in text


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("shown", "stands"), [(Visibility.HIDDEN, "Hidden player"), (Visibility.INITIALS, "Z. N.")])
def test_who_does_not_stand_by_name_on_the_page_does_not_in_the_file(session, director, shown, stands):
    assert "Nom007" in flat(pinned(session).content), "kept from before"
    player = session.entrants.get(player__last_name="Nom007").player
    choose_shown(player=player, shown=shown, way=Way.DIRECTOR, by=director, now=timezone.now())
    text = flat(pinned(session).content)
    assert "Nom007" not in text
    assert stands in text


@pytest.mark.nightly("story")
def test_version_keeps_its_figures_and_says_that_it_is_replaced(session, director):
    before = flat(pinned(session).content)
    annul_play(play_id=session.plays.first().pk, reason="x", by=director, now=timezone.now())
    publish(session, by=director)
    first, second = flat(pinned(session).content), flat(pinned(session, 2).content)
    assert "Version 1, replaced since" in first
    assert [word for word in before.split() if "%" in word] == [word for word in first.split() if "%" in word]
    assert "Provisional" in second
    assert [word for word in second.split() if "%" in word] != [word for word in first.split() if "%" in word]


def test_what_readers_may_not_see_is_in_no_file(session, director):
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=word_of(director))
    assert pinned(session).status_code == 404
    switch_parts(session_id=session.pk, shows=Shows(), word=word_of(director))
    assert pinned(session).status_code == 200
    SESSIONS.withdraw(session.pk, word=word_of(director, "x"))
    assert pinned(session).status_code == 404
    assert b"%PDF" not in pinned(session).content


@pytest.mark.nightly("race")
def test_logo_of_the_club_is_on_it_at_once(session, director):
    assert pinned(session).content.count(b"/Subtype/Image") == 0
    change_settings(session.tournament.club, {}, now=timezone.now(), by=director, logo=read_logo(PNG))
    assert pinned(session).content.count(b"/Subtype/Image") == 1


@pytest.mark.nightly("story")
def test_season_is_pinned_up_too():
    tournament = make_tournament(name="Championnat d’hiver")
    director = make_director(tournament.club)
    published_sessions(tournament, by=director)
    TOURNAMENTS.publish(tournament.pk, word_of(director))
    place = [tournament.club.slug, tournament.slug]
    address = reverse("tournament_pdf", args=[*place, 1])
    assert address in read(browser_of().get(reverse("tournament_ranking", args=place))).links
    answer = browser_of().get(address)
    text = flat(answer.content)
    assert len(printed(answer.content)) == 1
    assert "Tournament ranking after 2 sessions, 20 November 2026" in text
    assert text.count("Nom0") == len(tournament.publications.get().data["players"])


@pytest.mark.nightly("story")
def test_practice_is_pinned_up_for_its_team_alone(session, director):
    club = session.tournament.club
    practice = type(club).every.create(name="Essai", slug="essai", practice_of=club, created_at=timezone.now())
    invented = play_and_publish(make_tournament(practice), director)
    assert pinned(invented).status_code == 404
    assert browser_of(director).get(session_url("ranking_pdf", invented, 1)).status_code == 200
