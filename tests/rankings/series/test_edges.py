"""The edges of series: typed ranks, lists and percentages, a next session, a corrected day, the turns of the sweep."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction as F
from itertools import chain

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.matching import MatchedLine
from clubs.roster import RosterLine
from deals.sets import create_set_dealt_at_table
from evenings.practice import make_practice
from evenings.sessions.setup import create_session
from rankings.series.choosing import choose_events
from rankings.series.computing import SWEPT_EVERY, TURNS, find_stale_series, refresh_series
from rankings.series.lists import ListGiven, type_list
from rankings.series.membership import ask_club
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.setup import (
    EventDecision,
    SeriesGiven,
    SeriesRefused,
    change_series,
    decide_events,
    preview_rules,
    put_series_away,
)
from tests.factories import make_club
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, LAST, hold, make_series, publish_rows, thursdays
from tests.rankings.series.test_counting import totals
from tournaments.models import Series, SeriesEvent, Session
from tournaments.rules.series import SeriesSettings
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
WEEK = dt.timedelta(weeks=1)

club = season.club
director = season.director
people = season.people


def type_figures(series, by, figures, rows):
    lines = [MatchedLine(RosterLine(each.last_name, each.first_name), each.pk) for each, _told in rows]
    known = [(place, line, Decimal(told)) for place, (line, (_each, told)) in enumerate(zip(lines, rows, strict=True))]
    given = ListGiven(title="Open", day=FIRST, source="feuille", figures=figures, rows=known)
    return type_list(series_id=series.pk, given=given, by=by, now=timezone.now())


def change(series, by, **rules):
    given = SeriesGiven(series.title, FIRST, LAST, SeriesSettings(**rules))
    preview_rules(series, given)
    return change_series(series_id=series.pk, given=given, by=by, now=timezone.now())


def test_typed_ranks_stay_those_of_the_whole_event(club, director, people):
    ada, bob, cyr, dan = people
    series = make_series(club, director, brings="table", table=(F(25), F(20), F(16)))
    type_figures(series, director, "rank", [(ada, 2), (bob, 40), (cyr, 3), (dan, 3)])
    # the two players of rank 3 share 16 and 0
    assert totals(series) == [("Ada", 20, 1), ("Cyr", 8, 2), ("Dan", 8, 2), ("Bob", 0, 4)]


@pytest.mark.parametrize("scale", ["places", "hundred"])
def test_typed_ranks_need_a_table(club, director, people, scale):
    series = make_series(club, director, brings=scale)
    with pytest.raises(SeriesRefused, match="series_list_of_ranks"):
        type_figures(series, director, "rank", [(people[0], 12)])
    assert not SeriesEvent.objects.exists()
    table = make_series(club, director, title="Autre", brings="table", table=(F(25),))
    type_figures(table, director, "rank", [(people[0], 1)])
    with pytest.raises(SeriesRefused, match="series_list_of_ranks"):
        change(table, director, brings=scale)


def test_list_that_counts_keeps_percentages_away_until_it_is_left_out(club, director, people):
    hold(thursdays(club), FIRST, {people[0]: 60})
    series = make_series(club, director, brings="places")
    typed = type_figures(series, director, "points", [(people[0], 12)])
    with pytest.raises(SeriesRefused, match="series_list_beside_percent"):
        change(series, director, brings="percent")
    decide(series, director, f"l{typed.event_id}", counts=False)
    assert totals(change(series, director, brings="percent")) == [("Ada", 60, 1)]
    with pytest.raises(SeriesRefused, match="series_list_beside_percent"):
        decide(series, director, f"l{typed.event_id}", counts=True)
    assert totals(series) == [("Ada", 60, 1)]


def decide(series, by, key, *, counts):
    decide_events(series_id=series.pk, decisions={key: EventDecision(counts=counts)}, by=by, now=timezone.now())


def test_event_with_a_coefficient_counts_only_within_the_days_of_the_series(club, director, people):
    evenings = thursdays(club)
    hold(evenings, FIRST, {people[0]: 60})
    late = hold(evenings, FIRST + WEEK, {people[0]: 50})
    series = make_series(club, director)
    told = {f"s{late.pk}": EventDecision(counts=True, coefficient=Decimal(2))}
    decide_events(series_id=series.pk, decisions=told, by=director, now=timezone.now())
    assert totals(series) == [("Ada", 160, 1)]
    Series.objects.filter(pk=series.pk).update(ends_on=FIRST)
    series.refresh_from_db()
    assert totals(series) == [("Ada", 60, 1)]
    decide(series, director, f"s{late.pk}", counts=True)
    assert totals(series) == [("Ada", 110, 1)]


def test_next_session_takes_no_held_tournament_away(club, director, people):
    cup = thursdays(club, "Coupe")
    held = hold(cup, FIRST, {people[0]: 60})
    told = {"club": club, "name": "étuis", "count": 5, "now": timezone.now(), "by": None}
    running = {"status": Session.Status.RUNNING, "started_at": timezone.now()}
    Session.objects.filter(pk=held.pk).update(deal_set=create_set_dealt_at_table(**told), **running)
    series = make_series(club, director, chooses="tournaments")
    create_session(tournament=cup, date=LAST + WEEK)
    assert totals(series) == [("Ada", 60, 1)]
    (event,) = choose_events(series)
    assert (event.session, event.day, event.sessions) == (held.pk, FIRST, 1)


def test_corrected_day_makes_the_standings_stale(club, director, people):
    evenings = thursdays(club)
    hold(evenings, FIRST, {people[0]: 60})
    second = hold(evenings, FIRST + WEEK, {people[0]: 50})
    series = make_series(club, director, best_of_day=True)
    refresh_series(series.pk, now=timezone.now())
    Session.objects.filter(pk=second.pk).update(date=FIRST)
    assert find_stale_series() == [series.pk]
    assert refresh_series(series.pk, now=timezone.now())
    assert totals(series) == [("Ada", 60, 1)]


def test_sweep_looks_at_a_series_in_its_turn_and_in_no_other(club, director):
    series = make_series(club, director)
    start = timezone.now()
    turns = [find_stale_series(start + dt.timedelta(seconds=SWEPT_EVERY * turn)) for turn in range(TURNS)]
    assert sorted(turns) == [*[[]] * (TURNS - 1), [series.pk]]


@pytest.mark.nightly("story")
def test_sweep_looks_at_each_series_in_its_turn(club, director):
    made = [make_series(club, director, title=f"Challenge {number}").pk for number in range(TURNS + 2)]
    start = timezone.now()
    turns = [find_stale_series(start + dt.timedelta(seconds=SWEPT_EVERY * turn)) for turn in range(TURNS)]
    assert sorted(chain.from_iterable(turns)) == made
    assert max(map(len, turns)) <= 2


def test_sweep_leaves_series_out_that_are_put_away_or_official(club, director, people):
    hold(thursdays(club), FIRST, {people[0]: 60})
    away, over, provisional = (make_series(club, director, title=title) for title in ("Un", "Deux", "Trois"))
    put_series_away(series_id=away.pk, by=director, now=timezone.now())
    for series in (over, provisional):
        SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now()))
    over.publications.update(status="official")
    with CaptureQueriesContext(connection) as told:
        assert find_stale_series() == [provisional.pk]
    assert len(told) <= 9


@pytest.mark.nightly("story")
def test_evening_of_practice_brings_nothing(club, director, people):
    own = hold(thursdays(club), FIRST, dict(zip(people, (60, 50, 40, 30), strict=True)))
    series = make_series(club, director)
    practice = make_practice(club=club, by=director, now=timezone.now())
    Session.objects.filter(pk=practice.pk).update(date=FIRST + WEEK)
    players = [entrant.player for entrant in practice.entrants.select_related("player")[:3]]
    publish_rows(practice, dict(zip(players, (70, 60, 50), strict=True)))
    assert [event.session for event in choose_events(series)] == [own.pk]
    with pytest.raises(SeriesRefused, match="series_event_unknown"):
        decide_events(
            series_id=series.pk,
            decisions={f"s{practice.pk}": EventDecision(counts=True)},
            by=director,
            now=timezone.now(),
        )
    assert series.events.count() == 0
    assert totals(series) == [("Ada", 60, 1), ("Bob", 50, 2), ("Cyr", 40, 3), ("Dan", 30, 4)]
    with pytest.raises(SeriesRefused, match="series_club_unknown"):
        ask_club(series_id=series.pk, slug=practice.tournament.club.slug, by=director, now=timezone.now())


def test_log_lines_of_two_clubs_are_written_in_the_order_of_their_ids(director, club):
    owner = make_club("voisins")
    assert owner.pk > club.pk
    series = make_series(owner, director)
    with CaptureQueriesContext(connection) as told:
        ask_club(series_id=series.pk, slug=club.slug, by=director, now=timezone.now())
    lines = [query["sql"] for query in told if 'INSERT INTO "clubs_clublogentry"' in query["sql"]]
    assert [f"({pk}," in line for pk, line in zip((club.pk, owner.pk), lines, strict=True)] == [True, True]
