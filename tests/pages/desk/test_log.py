"""The log of a session: all lines in words, in pages, with a search by words, action and author."""

import pytest
from django.utils import timezone

from evenings.plays.entering import annul_play
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import enter, make_director, make_tournament, started_session
from tests.pages.reading import read, words
from tournaments.log import log_action
from tournaments.models import LogEntry

pytestmark = pytest.mark.django_db


session = shared_evenings.started


@pytest.fixture
def director_user(session):
    return make_director(session.tournament.club)


director = shared_evenings.browser_of_director_user


def found(client, session, **asked):
    """Return the lines of the log, without its heading."""
    return [row[1:] for row in read(client.get(session_url("log", session), asked)).rows[1:]]


def test_log_tells_what_was_done_by_whom_the_newest_first(director, director_user, session):
    play = session.plays.select_related("etui").first()
    enter(play, by=director_user)
    annul_play(play_id=play.pk, reason="x", by=director_user, now=timezone.now())
    assert found(director, session)[:2] == [
        ["Table 1, position 1, étui 1: annulled", "directrice"],
        ["Table 1, position 1, étui 1: result entered · +74", "directrice"],
    ]


@pytest.mark.nightly("story")
def test_log_is_searched_by_words_action_and_author(director, director_user, session):
    other = make_director(session.tournament.club, "arbitre")
    log_action(
        session, "penalty", now=timezone.now(), by=other, words="Élise Aubert Retard", name="Élise Aubert", points="1"
    )
    log_action(session, "device_writes", now=timezone.now(), device="Table 3 · a81f", words="table 3", table=3)
    enter(session.plays.select_related("etui").first(), by=director_user)
    penalty = [["Élise Aubert: penalty, −1 on the percentage", "arbitre"]]
    assert found(director, session, q="élise") == penalty
    assert found(director, session, q="aubert retard") == penalty
    assert found(director, session, author="arbitre") == penalty
    assert found(director, session, action="penalty") == penalty
    assert found(director, session, q="a81f") == [["Table 3: this device enters results", "Table 3 · a81f"]]
    assert found(director, session, q="étui 1", author="directrice") == [
        ["Table 1, position 1, étui 1: result entered · +74", "directrice"]
    ]


def test_log_that_holds_nothing_says_what_to_do(director, session):
    assert "Nothing in the log matches" in words(director.get(session_url("log", session), {"q": "nulle part"}))
    LogEntry.objects.all().delete()
    assert "Nothing has been done yet" in words(director.get(session_url("log", session)))


def test_log_is_paged_and_keeps_what_was_asked(director, session, django_assert_num_queries):
    for number in range(60):
        log_action(session, "call_answered", now=timezone.now(), words="table", table=number)
    with django_assert_num_queries(7):
        page = director.get(session_url("log", session), {"q": "table"})
    assert len(read(page).rows) == 1 + 50
    assert "?q=table&amp;page=2" in page.content.decode()
    assert len(found(director, session, q="table", page=2)) == 10


@pytest.mark.nightly("story")
def test_log_of_another_session_is_not_in_it(director, director_user, session):
    other = started_session(make_tournament(session.tournament.club, name="Autre"))
    enter(other.plays.select_related("etui").first(), by=director_user)
    assert [row for row in found(director, session) if "result entered" in row[0]] == []
