"""The career of a player, in one season or in all, as the player's page shows it. This module only reads.

The number of queries does not depend on the number of sessions.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import F, QuerySet

from clubs.models import Player
from clubs.shown import PUBLIC
from rankings.careers.figures import MOST_BEST, BestDeal, Mate, Totals, Where, goodness
from rankings.careers.rows import MARKS, SIZE
from rankings.careers.seasons import first_day_of, season_of
from rankings.careers.subjects import CareerState, Subject
from rankings.careers.summaries import CareerSummary, summarise_careers
from scoring.formats import MarkPoints
from scoring.intervals import Interval, Sample, find_interval
from tournaments.models import Appearance, Session
from tournaments.published import Shows

A_PAGE = 20  # sessions listed at once: as many as a usual club plays in a season
MOST_POINTS = 60  # the most points of a curve with one point for each session
MOST_MONTHS = 36  # the most points of a curve with one point for each month
# Of the LOOKED_AT most frequent companions, at most MOST_MATES who are shown by name are listed.
MOST_MATES, LOOKED_AT = 15, 150


class ListedSession(NamedTuple):
    """A player's row in a session of a list, with the session but without the figures of single deals.

    `marks` are those of an evening of donnes libres, as an exact fraction. `size` is 3 or 5 if all tables of étuis had
    so many players, otherwise None.
    """

    row: Appearance
    marks: str | None
    size: int | None

    @property
    def result(self) -> Fraction | None:
        """The percentage or, of an evening of donnes libres, the marks. None if the player has neither."""
        return self.row.percentage if self.marks is None else MarkPoints(self.marks)

    @property
    def shows(self) -> Shows:
        """The parts of the session that readers see."""
        return Shows.to_readers(self.row.session)


class CurvePoint(NamedTuple):
    """A point of the curve: a session, a month or a season. `interval` is the confidence interval of the percentage."""

    date: dt.date
    percentage: Fraction
    interval: Interval | None
    sessions: int


class Companion(NamedTuple):
    """A companion at the table, with the figures of the deals that both played."""

    player: Player
    mate: Mate


class BestEtui(NamedTuple):
    """One of the player's best étuis, with its session."""

    best: BestDeal
    session: Session

    @property
    def date(self) -> dt.date:
        return dt.date.fromisoformat(self.best.where.date)

    @property
    def shows(self) -> Shows:
        return Shows.to_readers(self.session)


class Career:
    """The career of a person, in one season (given by the year in which it began) or, with 0, in all seasons.

    `page` is the number of the page in the list of sessions. `clubs` are the clubs in which the person has played.
    Clubs that only have the person on their list are private and not shown.
    """

    def __init__(self, subject: Subject, known: CareerState, *, season: int = 0, page: int = 1) -> None:
        self.subject, self.season, self.seasons = subject, season, known.seasons
        made = {key: source for key, source in known.made.items() if season in (0, key.season)}
        self.sessions = sum(source.rows for source in made.values())
        self.summary = summarise_careers(made)
        self.totals = self.summary.totals
        self.best = best_of(self.totals)
        self.clubs = [club for club in subject.clubs if club.pk in known.clubs]
        self.page: Page[Any] = Paginator(range(self.sessions), A_PAGE).get_page(page)
        rows = find_appearances(subject, season).order_by("-date", "-session_id")
        first = self.page.start_index() - 1 if self.sessions else 0
        self.evenings = read_listed(rows[first : first + A_PAGE])
        played = {each.where.session for each in self.best}
        sessions = Session.objects.select_related("tournament__club").in_bulk(played)
        self.best_etuis = [BestEtui(each, sessions[each.where.session]) for each in self.best]
        self.companions = companions_of(subject, known, self.totals)
        self.points, self.span = points_of(rows, self.sessions, self.summary)

    @property
    def is_empty(self) -> bool:
        return not self.sessions

    @property
    def without_percentage(self) -> int:
        """The number of evenings of donnes libres, which have marks."""
        return self.summary.in_marks

    @property
    def has_percentages(self) -> bool:
        """True unless all sessions are evenings of donnes libres."""
        return self.sessions > self.without_percentage


def best_of(totals: Totals) -> list[BestDeal]:
    """Return the best étuis, the best first."""
    return sorted(totals.best, key=goodness)[:MOST_BEST]


def find_appearances(subject: Subject, season: int = 0) -> QuerySet[Appearance]:
    """Return the person's rows in this season, or with 0 in all seasons."""
    rows = Appearance.objects.filter(player__in=subject.ids)
    return rows.filter(season=season) if season else rows


def read_listed(rows: QuerySet[Appearance]) -> list[ListedSession]:
    """Return these rows with their sessions, as a list shows them. This takes one query."""
    rows = rows.defer("figures", "plays").select_related("session__tournament__club")
    appearances: Iterable[Any] = rows.annotate(marks=F(f"figures__{MARKS}"), size=F(f"figures__{SIZE}"))
    return [ListedSession(row, row.marks, row.size) for row in appearances]


def companions_of(subject: Subject, known: CareerState, totals: Totals) -> list[Companion]:
    """Return the most frequent companions at the table, the most frequent first. This takes two queries.

    Companions who are not shown by name are left out.
    """
    people = Player.objects.filter(pk__in=totals.mates, erased_at=None, merged_into__erased_at=None)
    persons = dict(people.values_list("pk", "person_id"))
    by_person: defaultdict[int, Mate] = defaultdict(Mate)
    for number, mate in totals.mates.items():
        if number in persons:
            by_person[persons[number]].join(mate)
    by_person.pop(subject.player.person_id, None)
    often = sorted(by_person, key=lambda person: (-by_person[person].deals, person))[:LOOKED_AT]
    named = Player.objects.keep_named().filter(person__in=often, club__in=known.clubs).order_by("-pk")
    first = {player.person_id: player for player in named.select_related(*PUBLIC)}
    shown = [person for person in often if person in first][:MOST_MATES]
    return [Companion(first[person], by_person[person]) for person in shown]


def points_of(rows: QuerySet[Appearance], sessions: int, summary: CareerSummary) -> tuple[list[CurvePoint], str]:
    """Return the points of the curve, the oldest first, and what a point is: "session", "month" or "season".

    Up to MOST_POINTS sessions have a point each. More sessions have a point for each month. If these are more than
    MOST_MONTHS months, there is a point for each season.
    `rows` are the rows of the sessions, the newest first; they are only read if a point is a session.
    """
    if sessions <= MOST_POINTS:
        shares = [(row, share) for row in reversed(rows.defer("plays")) if (share := row.percentage) is not None]
        return [CurvePoint(row.date, share, interval_of(row), 1) for row, share in shares], "session"
    months = {dt.date.fromisoformat(month): sample for month, sample in sorted(summary.months.items())}
    if len(months) <= MOST_MONTHS:
        return gather(months), "month"
    seasons: defaultdict[dt.date, Sample] = defaultdict(Sample)
    for month, sample in months.items():
        seasons[first_day_of(season_of(month))] += sample
    return gather(seasons), "season"


def interval_of(row: Appearance) -> Interval | None:
    """Return the confidence interval of a session's percentage, computed from its deals."""
    totals = Totals()
    totals.add(row.figures, is_free=row.is_free, where=Where(row.session_id, row.version, str(row.date)))
    return totals.interval


def gather(samples: Mapping[dt.date, Sample]) -> list[CurvePoint]:
    """Return one point for each sample of sessions: its mean percentage, with the confidence interval of this mean.

    The samples are by their first day.
    """
    points = []
    for first, sample in samples.items():
        assert sample.mean is not None
        interval = find_interval((Fraction(1), sample))
        points.append(CurvePoint(first, sample.mean, interval and interval.within(0, 100), sample.count))
    return points
