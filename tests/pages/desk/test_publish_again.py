"""The preview of a new version: players who move are shown before a ranking is published again.

It is the same for a tournament, and compares with the version that readers see. A first publication has no preview.
"""

import pytest
from django.urls import reverse
from django.utils import timezone

from evenings.plays.ruling import declare_playing
from pages.doors import session_url
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.differences import list_changes
from rankings.publication.publishing import SESSIONS
from tests.factories import published_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tests.rankings.publication.test_publishing import correct_first
from tournaments.errors import ActionRefused
from tournaments.models import Session
from tournaments.published import Shows
from tournaments.versions import DirectorWord
from tournaments.words.messages import say

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return Session.objects.select_related("tournament__club").get(pk=published_session().pk)


@pytest.fixture
def user(session):
    return session.tournament.club.memberships.get().user


@pytest.fixture
def page(session, user):
    return lambda: browser_of(user).get(session_url("publish", session))


def moves_in(publication):
    """Return the number of players whose rank in the classement général changed, from the publication itself."""
    (change,) = [change for change in publication.changes if change["code"] == "ranks"]
    return change["count"]


@pytest.mark.nightly("story")
def test_publish_page_shows_who_moves_against_the_version_before(session, user, page):
    assert "change rank" not in words(page())
    correct_first(session, user)
    found = page()
    assert "Compared with version 1, with the results as they are now:" in words(found)
    assert any("→" in cell for row in read(found).rows for cell in row)
    count = moves_in(SESSIONS.publish(session.pk, DirectorWord(user, timezone.now(), "corrected")))
    assert f"{count} players change rank" in words(found) or f"{count} player changes" in words(found)
    assert "Compared with version" not in words(page())


@pytest.mark.nightly("story")
def test_director_who_has_étuis_to_play_is_shown_no_ranking(session, user, page):
    correct_first(session, user)
    play = session.plays.last()
    play.entries.all().delete()
    entrant = next(iter(play.seats.values()))
    declare_playing(session_id=session.pk, entrant_id=entrant.pk, by=user, now=timezone.now())
    found = page()
    assert "the ranking before and after is hidden from you" in words(found)
    assert not any("→" in cell for row in read(found).rows for cell in row)


@pytest.mark.nightly("story")
def test_publish_page_of_a_tournament_shows_who_moves(user, session):
    tournament = session.tournament
    published_session(tournament, by=user)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(user, timezone.now()))
    address = reverse("tournament_publish", args=[tournament.club.slug, tournament.slug])
    assert "What changes for readers" not in words(browser_of(user).get(address))
    correct_first(session, user)
    SESSIONS.publish(session.pk, DirectorWord(user, timezone.now(), "corrected"))
    page = words(browser_of(user).get(address))
    version = TOURNAMENTS.publish(tournament.pk, DirectorWord(user, timezone.now(), "corrected"))
    told = list_changes(version.changes, Shows())
    moves = [move for change in told for move in change.moves]
    assert moves
    assert [change.text for change in told if change.text not in page] == []
    assert [move.player for move in moves if move.player not in page] == []


@pytest.mark.nightly("story")
def test_publish_page_of_a_tournament_promises_nothing_that_would_be_refused(user, session):
    tournament = session.tournament
    other = published_session(tournament, by=user)
    word = DirectorWord(user, timezone.now(), "étuis mêlés")
    TOURNAMENTS.publish(tournament.pk, word)
    TOURNAMENTS.withdraw(tournament.pk, word)
    address = reverse("tournament_publish", args=[tournament.club.slug, tournament.slug])
    found = browser_of(user).get(address)
    assert "Publish it again to bring it back." in words(found)
    assert 'class="button button-primary"' in found.text
    for each in (session, other):
        SESSIONS.withdraw(each.pk, word=word)
    found = browser_of(user).get(address)
    assert "Publish it again to bring it back." not in words(found)
    assert say(ActionRefused("no_session_published")) in words(found)
    assert 'class="button button-primary"' not in found.text
    answer = browser_of(user).post(address)
    assert say(ActionRefused("no_session_published")) in words(answer)
