"""The small words of an evening: the end of the clock, the subject of log lines, versions that were taken back."""

import datetime as dt
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import correct_result
from evenings.plays.ruling import declare_playing
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS
from tests import shared_evenings
from tests.evenings.plans.test_any_line import evening
from tests.factories import enter, garde, make_director, published_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tests.rankings.publication.test_publishing import correct_first
from tournaments.models import Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
GUIDES = {
    "evening.md": "the versions from before the withdrawal stay without figures",
    "evening.fr.md": "celles d’avant le retrait restent sans chiffres",
}


session = shared_evenings.started


def test_clock_says_until_when_in_french(session):
    ends_at = timezone.now() + dt.timedelta(minutes=20)
    Session.objects.filter(pk=session.pk).update(position=1, clock_ends_at=ends_at)
    page = words(Client(headers={"accept-language": "fr"}).get(session_url("hall", session)))
    assert f"jusqu’à {timezone.localtime(ends_at):%H:%M}" in page
    assert "jusqu’au" not in page


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("players", "named"), [(5, "Exempt"), (6, "Exempts")])
def test_one_player_who_rests_is_named_in_the_singular_in_french(players, named):
    session = evening(players, positions=1)
    browser = Client(headers={"accept-language": "fr"})
    browser.force_login(make_director(session.tournament.club))
    assert f" {named} : " in words(browser.get(session_url("session_plan", session)))
    assert f" {named} : " in words(browser.get(session_url("hall", session), {"by": "table"}))
    assert f" {named} à la position 1 : " in words(browser.get(session_url("session", session)))


def told_in_log(user, session, action):
    page = browser_of(user).get(session_url("log", session), {"action": action})
    return [row[1] for row in read(page).rows[1:]]


@pytest.mark.nightly("story")
def test_log_tells_the_figures_of_results(session, director):
    play = session.plays.select_related("etui").first()
    place = "Table 1, position 1, étui 1"
    now = timezone.now()
    enter(play, garde(play.etui.taker), by=director)
    told = {"reason": "misread", "by": director, "now": now}
    correct_result(play_id=play.pk, entry=garde(play.etui.taker, points=51), seen_version=1, **told)
    assert told_in_log(director, session, "entered") == [f"{place}: result entered · +66"]
    assert told_in_log(director, session, "corrected") == [f"{place}: result corrected (version 2) · +66 became +70"]


def test_log_tells_what_the_arbiter_has_fixed(session, director):
    play = session.plays.select_related("etui").first()
    told = {"reason": "fouled", "by": director, "now": timezone.now()}
    adjust_play(play_id=play.pk, score=200, notes={"N": "60"}, **told)
    name = play.seats["N"].name
    assert told_in_log(director, session, "play_adjusted") == [
        f"Table 1, position 1, étui 1: decided by the arbiter · score +200 · note of {name}: 60 · counts for the others"
    ]


def test_log_tells_no_figure_to_a_director_who_has_the_étui_to_play(session, director):
    play = session.plays.select_related("etui").first()
    enter(play, garde(play.etui.taker), by=director)
    others = session.plays.filter(etui=play.etui).exclude(pk=play.pk)
    entrant = next(iter(others.first().seats.values()))
    declare_playing(session_id=session.pk, entrant_id=entrant.pk, by=director, now=timezone.now())
    assert told_in_log(director, session, "entered") == ["Table 1, position 1, étui 1: result entered"]


@pytest.mark.nightly("story")
def test_log_of_many_results_asks_no_more_than_of_few(session, director, django_assert_num_queries):
    plays = list(session.plays.select_related("etui"))
    browser = browser_of(director)
    for some in (plays[:2], plays[2:]):
        for play in some:
            enter(play, by=director)
        with django_assert_num_queries(9):
            browser.get(session_url("log", session))


@pytest.mark.nightly("story")
def test_versions_before_a_ranking_was_taken_back_stay_without_figures():
    session = published_session()
    director = session.tournament.club.memberships.get().user
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, timezone.now(), "étui 4"))
    correct_first(session, director)
    SESSIONS.publish(session.pk, DirectorWord(director, timezone.now(), "étui 4"))
    reader = Client(headers={"accept-language": "en"})
    pages = {version: reader.get(session_url("ranking_version", session, version)) for version in (1, 3)}
    assert {version: len(read(page).rows) > 5 for version, page in pages.items()} == {1: False, 3: True}
    for name, told in GUIDES.items():
        guide = " ".join((Path(settings.BASE_DIR) / "docs" / name).read_text().split())
        assert (name, told in guide) == (name, True)
