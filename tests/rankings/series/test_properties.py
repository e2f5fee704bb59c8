"""The things that never change the ranking of a series: orders, corrections taken back, a new computation."""

import datetime as dt
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction as F
from itertools import count

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, note
from hypothesis import strategies as st

from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series, find_stale_series, refresh_series
from tests.examples import draw_examples
from tests.factories import make_club, make_director
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, publish_rows, thursdays
from tournaments.models import Series, SeriesEvent, SeriesStandings, Session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
NAMES = ("Ada", "Bob", "Cyr", "Dan", "Eve")
NUMBERS = count(1)  # no two clubs of one example have the same name
STAGES = ["", "", "", "qualifying", "final"]
BRINGS = [
    {"brings": "percent"},
    {"brings": "places"},
    {"brings": "hundred", "presence": F(1)},
    {"brings": "table", "table": (F(10), F(6), F(7, 2)), "presence": F(1, 2)},
]


def rules(draw):
    """Return drawn rules: every scale, sum or mean, best ones, a least number, a carry-over, the best of the day."""
    return {
        **draw(st.sampled_from(BRINGS)),
        "counting": draw(st.sampled_from(["sum", "mean"])),
        "best_of": draw(st.sampled_from([None, 1, 2])),
        "least": draw(st.sampled_from([1, 2])),
        "carry_over": draw(st.sampled_from([0, 50, 100])),
        "best_of_day": draw(st.booleans()),
    }


def evenings(draw):
    """Return drawn evenings as (day, figures by name, coefficient, stage): no two figures of an evening are equal."""
    drawn = []
    for _ in range(draw(st.integers(1, 4))):
        there = draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
        figures = draw(st.lists(st.integers(3000, 7000), min_size=len(there), max_size=len(there), unique=True))
        day = FIRST + dt.timedelta(days=draw(st.integers(0, 2)))
        weight = Decimal(draw(st.sampled_from(["1", "2", "0.5"])))
        drawn.append((day, dict(zip(there, figures, strict=True)), weight, draw(st.sampled_from(STAGES))))
    return drawn


@contextmanager
def rolled_back():
    """Undo what an example has written."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Season:
    """A season in the database, and what the series of its drawn rules says about it."""

    def __init__(self, number, drawn):
        self.club = make_club(f"club-{number}", f"Club {number}")
        self.director = make_director(self.club, f"directrice-{number}")
        self.players = dict(zip(NAMES, name_players(self.club, *NAMES), strict=True))
        self.tournament, self.drawn, self.sessions = thursdays(self.club), drawn, {}

    def rows(self, figures):
        best_first = sorted(figures.items(), key=lambda each: -each[1])
        return {self.players[name]: F(figure, 100) for name, figure in best_first}

    def play(self, order):
        for place in order:
            day, figures, _weight, _stage = self.drawn[place]
            self.sessions[place] = hold(self.tournament, day, self.rows(figures))

    def correct(self, place, figures):
        publish_rows(self.sessions[place], self.rows(figures))

    def rank(self, told):
        series = make_series(self.club, self.director, **told)
        for place, session in self.sessions.items():
            weight, stage = self.drawn[place][2:]
            SeriesEvent.objects.create(series=series, session=session, coefficient=weight, stage=stage)
        return series


def table_of(season, series):
    """Return name, rank, total and number of events, to the digit, without anything about rows."""
    data = figure_series(series, choose_events(series))
    names = {player.pk: name for name, player in season.players.items()}
    told = [(names[row["player"]], row["rank"], row["total"], row["played"]) for row in data["players"]]
    return sorted(told), sorted((each["day"], each["coefficient"], each["stage"]) for each in data["events"])


def kept(series):
    refresh_series(series.pk, now=timezone.now())
    return SeriesStandings.objects.get(pk=series.pk).data


@draw_examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_order_in_which_evenings_are_made_and_published_changes_nothing(data):
    with rolled_back():
        compare_orders(data)


def compare_orders(data):
    drawn, told = evenings(data.draw), rules(data.draw)
    note(str(told))
    tables = []
    for order in (range(len(drawn)), data.draw(st.permutations(range(len(drawn))))):
        season = Season(next(NUMBERS), drawn)
        season.play(order)
        tables.append(table_of(season, season.rank(told)))
    assert tables[0] == tables[1]


@draw_examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_correction_and_correction_back_change_nothing_and_kept_equals_computed(data):
    with rolled_back():
        correct_and_back(data)


def correct_and_back(data):
    drawn, told = evenings(data.draw), rules(data.draw)
    note(str(told))
    season = Season(next(NUMBERS), drawn)
    season.play(range(len(drawn)))
    series = season.rank(told)
    before = kept(series)
    place = data.draw(st.integers(0, len(drawn) - 1))
    figures = {name: 10_000 - figure for name, figure in drawn[place][1].items()}
    season.correct(place, figures)
    assert find_stale_series() == [series.pk]
    assert kept(series) == figure_series(Series.objects.get(pk=series.pk), choose_events(series))  # to the digit
    Session.objects.filter(pk=season.sessions[place].pk).update(shows_ranking=False)
    kept(series)
    Session.objects.filter(pk=season.sessions[place].pk).update(shows_ranking=True)
    season.correct(place, drawn[place][1])
    assert kept(series) == before
