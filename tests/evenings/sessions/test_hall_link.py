"""The link with which the page of the hall shows full names: how long it works, and what ends it."""

import datetime as dt

import pytest
from django.utils import timezone

from evenings.sessions.hall_link import HallLink, find_key, renew_hall_link
from evenings.sessions.running import close_session, reopen_session
from tests.factories import enter, make_director, started_session
from tournaments.errors import ActionRefused
from tournaments.models import ResultEntry, Session

MIDNIGHT = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
HOUR, A_MINUTE = dt.timedelta(hours=1), dt.timedelta(minutes=1)
EVENING = MIDNIGHT - HOUR


@pytest.mark.parametrize(
    ("last", "renewed", "ends"),
    [
        (None, None, MIDNIGHT),
        (EVENING, None, EVENING + 12 * HOUR),
        (MIDNIGHT - 20 * HOUR, None, MIDNIGHT - 8 * HOUR),  # a morning, though its day is not over
        (None, EVENING, EVENING + 12 * HOUR),
        (None, MIDNIGHT - 20 * HOUR, MIDNIGHT),
        (EVENING, EVENING + 3 * HOUR, EVENING + 15 * HOUR),
        (EVENING + 3 * HOUR, EVENING, EVENING + 15 * HOUR),
    ],
    ids=["no result", "last result", "morning", "renewed", "renewed early", "renewed late", "result after it"],
)
def test_link_of_the_hall_ends_twelve_hours_after_the_last_result(last, renewed, ends):
    link = HallLink("k", False, MIDNIGHT, renewed)
    assert [link.is_open(last, ends - A_MINUTE), link.is_open(last, ends)] == [True, False]
    assert not HallLink("k", True, MIDNIGHT, renewed).is_open(last, ends - A_MINUTE)


def test_result_of_a_clock_that_was_set_back_since_does_not_count():
    link = HallLink("k", False, MIDNIGHT, None)
    assert link.is_open(MIDNIGHT + 900 * HOUR, EVENING)
    assert not link.is_open(MIDNIGHT + 900 * HOUR, MIDNIGHT + HOUR)


@pytest.fixture
def session(db):
    return started_session(positions=2)


def keys(session, *moments):
    found = Session.objects.get(pk=session.pk)
    return [find_key(found, moment) for moment in moments]


@pytest.mark.nightly("story")
def test_key_of_a_hall_goes_on_with_results_until_the_evening_is_closed(session):
    now, by = timezone.now(), make_director(session.tournament.club)
    Session.objects.filter(pk=session.pk).update(date=timezone.localdate(), revision=session.revision + 1)
    (key,) = keys(session, now)
    assert (len(key), keys(session, now + 24 * HOUR)) == (32, [""])
    enter(session.plays.select_related("etui").first(), by=by)
    last = ResultEntry.objects.get().entered_at
    assert keys(session, last + 11 * HOUR, last + 12 * HOUR) == [key, ""]
    close_session(session_id=session.pk, by=by, now=now)
    assert keys(session, now) == [""]
    reopen_session(session_id=session.pk, reason="trop tôt", by=by, now=now)
    assert keys(session, now) == [key]
    other = started_session(session.tournament)
    assert keys(other, now) not in ([key], [""])


def test_renewed_link_of_a_hall_is_another_one_and_lives_again(session):
    now, by = timezone.now(), make_director(session.tournament.club)
    (old,) = keys(session, now)
    later = now + 100 * HOUR
    renew_hall_link(session_id=session.pk, by=by, now=later)
    new, gone = keys(session, later + 11 * HOUR, later + 12 * HOUR)
    assert (gone, new not in ("", old)) == ("", True)
    assert session.log.filter(action="hall_link_renewed", author=by).count() == 1
    close_session(session_id=session.pk, by=by, now=later)
    with pytest.raises(ActionRefused, match="closed"):
        renew_hall_link(session_id=session.pk, by=by, now=later)
