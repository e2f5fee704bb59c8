"""The figures beside the log: scores that were entered, corrected, contested or adjusted, and who may see them."""

import datetime as dt
from uuid import uuid4

import pytest
from django.utils import translation

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import SentEntry, annul_play, correct_result, enter_result
from evenings.plays.logged import find_figures
from evenings.plays.ruling import declare_playing
from tests import shared_evenings
from tests.factories import garde, make_user, started_session
from tournaments.models import LogEntry

pytestmark = pytest.mark.django_db
START = dt.datetime(2026, 11, 20, 20, 0, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


play = shared_evenings.first_play


def at(minute):
    return START + dt.timedelta(minutes=minute)


def figures(session, user):
    """Return the action and the figures of each line of the log since START, the oldest first."""
    lines = list(LogEntry.objects.filter(session=session, at__range=(START, at(59))).order_by("id"))
    with translation.override("en"):
        found = find_figures(session, lines, user)
    return [(line.action, found.get(line.pk)) for line in lines]


def test_each_version_of_a_result_has_its_score_and_a_correction_the_score_before(session, play, director):
    taker, told = play.etui.taker, {"play_id": play.pk}
    enter_result(entry=garde(taker, points=49), by=director, now=at(1), **told)
    phone = SentEntry("Table 1", uuid4(), "N")
    enter_result(entry=garde(taker, points=60), now=at(2), sent=phone, **told)  # contests the first one
    correct_result(entry=garde(taker, points=52), seen_version=1, reason="relu", by=director, now=at(3), **told)
    annul_play(reason="x", by=director, now=at(4), **told)
    assert figures(session, director) == [
        ("entered", "+66"),
        ("contested", "+88"),
        ("corrected", "+66 became +72"),
        ("annulled", None),
    ]


def test_two_plays_entered_at_the_same_moment_keep_their_own_scores(session, director):
    plays = session.plays.select_related("etui").order_by("pk")[:3]
    for points, play in zip((49, 52, 60), plays, strict=True):
        entry = garde(play.etui.taker, points=points)
        enter_result(play_id=play.pk, entry=entry, by=director, now=at(1))
    assert [score for _action, score in figures(session, director)] == ["+66", "+72", "+88"]


def test_line_of_an_older_release_names_no_version_and_means_the_first(session, play, director):
    enter_result(play_id=play.pk, entry=garde(play.etui.taker), by=director, now=at(1))
    line = LogEntry.objects.get(session=session, action="entered")
    line.params.pop("version", None)
    line.save()
    assert figures(session, director) == [("entered", "+66")]


def test_adjustment_has_the_score_and_the_notes_with_names(session, play, director):
    said = {"play_id": play.pk, "by": director, "reason": "x"}
    adjust_play(score=90, now=at(1), **said)
    adjust_play(notes={"N": "60"}, now=at(2), **said)
    (first, second) = figures(session, director)
    assert (first[0], second[0]) == ("play_adjusted", "play_adjusted")
    assert "+90" in first[1]
    assert play.north.name in second[1]
    assert "60" in second[1]


def test_etui_that_the_reader_has_still_to_play_has_no_figures(session, director):
    one, other = session.plays.filter(etui__number=1).select_related("etui")[:2]
    enter_result(play_id=one.pk, entry=garde(one.etui.taker), by=director, now=at(1))
    adjust_play(play_id=one.pk, score=90, reason="x", by=director, now=at(2))
    declare_playing(session_id=session.pk, entrant_id=other.north_id, by=director, now=at(3))
    assert [score for _action, score in figures(session, director)] == [None, None, None]
    assert [score is None for _action, score in figures(session, make_user("lecteur"))] == [False, False, True]


def test_log_without_figures_takes_no_query(session, play, director, django_assert_num_queries):
    annul_play(play_id=play.pk, reason="x", by=director, now=at(1))
    lines = list(LogEntry.objects.filter(session=session, at__range=(START, at(59))))
    with django_assert_num_queries(0):
        assert find_figures(session, lines, director) == {}
        assert find_figures(session, [], director) == {}


@pytest.mark.parametrize(("adjusts", "queries"), [(False, 2), (True, 3)])
def test_only_what_the_lines_are_about_is_read(session, play, director, django_assert_num_queries, adjusts, queries):
    if adjusts:
        adjust_play(play_id=play.pk, score=90, reason="x", by=director, now=at(1))
    else:
        enter_result(play_id=play.pk, entry=garde(play.etui.taker), by=director, now=at(1))
    lines = list(LogEntry.objects.filter(session=session, at__range=(START, at(59))))
    with django_assert_num_queries(queries):
        assert len(find_figures(session, lines, director)) == 1
