"""An official ranking of a tournament that gets further sessions: when a new version needs a reason.

It needs none as long as nothing changes in the results that were published before.
"""

import datetime as dt

import pytest
from django.utils import timezone

from evenings.sessions.put_away import put_session_away
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.setup import edit_session
from rankings.events import publishing
from rankings.events.publishing import adds_sessions_alone
from tests import shared_evenings
from tests.factories import publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.events.several import played_sessions, published_sessions
from tests.rankings.events.test_publishing import correct
from tournaments.errors import ActionRefused
from tournaments.models import TournamentPublication
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


director = shared_evenings.director_of_tournament


@pytest.fixture
def say(tournament, director):
    def say(do, reason=""):
        return do(tournament.pk, word=DirectorWord(director, timezone.now(), reason))

    return say


@pytest.fixture
def sessions(tournament, director, say):
    """Return two sessions with an official ranking of both."""
    found = published_sessions(tournament, by=director)
    say(publishing.TOURNAMENTS.publish)
    say(publishing.TOURNAMENTS.make_official)
    return found


def is_refused(say):
    with pytest.raises(ActionRefused) as refusal:
        say(publishing.TOURNAMENTS.publish)
    assert refusal.value.code == "reason_missing"
    return True


@pytest.mark.nightly("story")
def test_a_further_session_takes_no_reason(tournament, director, say, sessions):
    published_sessions(tournament, by=director, count=1)
    version = say(publishing.TOURNAMENTS.publish)
    assert (version.version, version.status, version.reason) == (3, "provisional", "")
    assert {"code": "session_came", "session": 3} in version.changes


@pytest.mark.nightly("story")
def test_best_sessions_that_a_further_one_displaces_take_no_reason(tournament, director, say, sessions):
    change_rules(tournament_id=tournament.pk, by=director, now=timezone.now(), best_of=1)
    say(publishing.TOURNAMENTS.publish, "une seule séance compte")
    say(publishing.TOURNAMENTS.make_official)
    published_sessions(tournament, by=director, count=1)
    assert say(publishing.TOURNAMENTS.publish).version == 5


def test_a_window_that_is_over_is_as_official_as_a_word(tournament, director, say):
    published_sessions(tournament, by=director)
    first = say(publishing.TOURNAMENTS.publish)
    over = timezone.now() - dt.timedelta(hours=1)
    TournamentPublication.objects.filter(pk=first.pk).update(official_from=over)
    published_sessions(tournament, by=director, count=1)
    assert say(publishing.TOURNAMENTS.publish).version == 3


def change_a_result(tournament, director, sessions):
    correct(sessions[0], director)
    publish(sessions[0], by=director)


def change_the_weight(tournament, director, sessions):
    edit_session(session_id=sessions[0].pk, by=director, now=timezone.now(), coefficient=2)


def change_the_rules(tournament, director, sessions):
    change_rules(tournament_id=tournament.pk, by=director, now=timezone.now(), counting="mean")


def take_one_out(tournament, director, sessions):
    put_session_away(session_id=sessions[0].pk, by=director, now=timezone.now())


@pytest.mark.nightly("story")
@pytest.mark.parametrize("change", [change_a_result, change_the_weight, change_the_rules, take_one_out])
def test_what_changes_otherwise_takes_a_reason_beside_a_further_session_too(
    tournament, director, say, sessions, change
):
    change(tournament, director, sessions)
    published_sessions(tournament, by=director, count=1)
    assert is_refused(say)
    assert say(publishing.TOURNAMENTS.publish, "corrigé").reason == "corrigé"


@pytest.mark.nightly("story")
def test_page_asks_for_a_reason_only_where_one_is_wanted(tournament, director, say, sessions):
    browser = browser_of(director)
    url = f"/clubs/{tournament.club.slug}/tournaments/{tournament.slug}/publish/"
    played_sessions(tournament, by=director, count=1)
    assert "you need no reason" not in words(browser.get(url))  # readers would see nothing new
    (third,) = tournament.sessions.filter(number=3)
    publish(third, by=director)
    page = browser.get(url)
    assert "you need no reason" in words(page)
    assert not page.context["wants_reason"]
    assert browser.post(url).status_code == 302
    assert tournament.publications.first().version == 3
    say(publishing.TOURNAMENTS.make_official)
    correct(third, director)
    publish(third, by=director, allow_missing=True)
    assert browser.get(url).context["wants_reason"]
    assert "reason" in browser.post(url).context["form"].errors


def row(player, *results):
    told = ("session", "overall", "attack", "defence", "unranked")
    return {"player": player, "results": [each and dict(zip(told, each, strict=True)) for each in results]}


def test_another_section_of_a_counted_session_moves_nobody_s_result():
    def data(sessions, players):
        one = {"coefficient": "1", "stage": "", "sessions": [{"id": n, "number": n, "date": ""} for n in sessions]}
        return {"auction": "imposed", "counting": "mean", "rounds": [one], "players": players}

    before = data([1], [row(7, (1, "50", "50", "50", ""))])
    other = row(8, (2, "40", "40", "40", ""))
    assert adds_sessions_alone(before, data([1, 2], [row(7, (1, "50", "50", "50", "")), other]))
    assert not adds_sessions_alone(before, data([1, 2], [row(7, (2, "60", "60", "60", "")), other]))
    assert not adds_sessions_alone(before, data([1, 2], [other]))
    assert not adds_sessions_alone(before, data([1], [row(7, (1, "60", "60", "60", ""))]))
    assert not adds_sessions_alone(before, before)
