"""The career of a player: the figures of all sessions or of a season. Reads rows, and the companions at the table.

It needs the same few queries for one session and for two thousand.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Self

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from clubs.models import Player
from clubs.shown import PUBLIC
from scoring.intervals import Interval, Sample, find_interval
from tournaments.careers.figures import MOST_BEST, BestDeal, Mate, Totals, Where, goodness
from tournaments.careers.seasons import first_day_of, season_of
from tournaments.careers.subjects import CareerState, Subject
from tournaments.careers.summaries import CareerSummary, summarise_careers
from tournaments.models import Appearance, Session
from tournaments.published import Shows

A_PAGE = 25  # sessions listed at once
MOST_POINTS = 60  # of a curve that has one for each session
# Companions that are listed; companions that are searched for players who are shown by name
MOST_MATES, LOOKED_AT = 15, 150


class CareerRow(NamedTuple):
    """A row of `Appearance` without its single deals."""

    session_id: int
    player: int
    entrant: int
    version: int
    date: dt.date
    field: int
    is_free: bool
    is_stand_in: bool
    rank: int | None
    rank_general: int | None
    ranked: int
    overall: str
    deals: int
    figures: dict[str, Any]

    @classmethod
    def read(cls, rows: QuerySet[Appearance]) -> list[Self]:
        return [cls(*row) for row in rows.values_list(*cls._fields)]

    @property
    def percentage(self) -> Fraction | None:
        return Fraction(self.overall) if self.overall else None


@dataclass(frozen=True, slots=True)
class CareerSession:
    """A session of the list, with the parts of it that readers may see."""

    row: Any
    session: Session

    @property
    def shows(self) -> Shows:
        return Shows.of(self.session)


class CurvePoint(NamedTuple):
    """One point of the curve: a session, a month or a season, with the interval of its percentage."""

    date: dt.date
    percentage: Fraction
    interval: Interval | None
    sessions: int


class Companion(NamedTuple):
    player: Player
    mate: Mate


class BestEtui(NamedTuple):
    best: BestDeal
    session: Session

    @property
    def date(self) -> dt.date:
        return dt.date.fromisoformat(self.best.where.date)

    @property
    def shows(self) -> Shows:
        return Shows.of(self.session)


class Career:
    """The career of a person, in one season (given by the year in which it began) or in all seasons.

    `page` is the page of the list of sessions.

    `clubs` are the clubs in which the person has played. Other clubs that list the person are not shown: that is
    private.
    """

    def __init__(self, subject: Subject, known: CareerState, *, season: int = 0, page: int = 1) -> None:
        self.subject, self.season, self.seasons = subject, season, known.seasons
        made = {key: told for key, told in known.made.items() if season in (0, key.season)}
        self.sessions = sum(told.rows for told in made.values())
        self.summary = summarise_careers(made)
        self.totals = self.summary.totals
        self.best = best_of(self.totals)
        self.clubs = [club for club in subject.clubs if club.pk in known.clubs]
        self.page: Page[Any] = Paginator(range(self.sessions), A_PAGE).get_page(page)
        rows = find_appearances(subject, season).order_by("-date", "-session_id")
        first = self.page.start_index() - 1 if self.sessions else 0
        listed = CareerRow.read(rows[first : first + A_PAGE])
        sessions = read_sessions([row.session_id for row in listed] + [each.where.session for each in self.best])
        self.evenings = [CareerSession(row, sessions[row.session_id]) for row in listed]
        self.best_etuis = [BestEtui(each, sessions[each.where.session]) for each in self.best]
        self.companions = companions_of(subject, known, self.totals)
        self.points, self.span = points_of(CareerRow.read(rows[: MOST_POINTS + 1]), self.summary)

    @property
    def is_empty(self) -> bool:
        return not self.sessions


def best_of(totals: Totals) -> list[BestDeal]:
    return sorted(totals.best, key=goodness)[:MOST_BEST]


def find_appearances(subject: Subject, season: int = 0) -> QuerySet[Appearance]:
    rows = Appearance.objects.filter(player__in=subject.ids)
    return rows.filter(season=season) if season else rows


def read_sessions(ids: Iterable[int]) -> dict[int, Session]:
    return Session.objects.select_related("tournament__club").in_bulk(set(ids))


def companions_of(subject: Subject, known: CareerState, totals: Totals) -> list[Companion]:
    """Return the companions who sat most often at the same table and are shown by name. Two queries."""
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


def points_of(rows: Sequence[CareerRow], summary: CareerSummary) -> tuple[list[CurvePoint], str]:
    """Return the points of the curve in order of time, and the unit of a point: "session", "month" or "season".

    A point is a session. If those are too many it is a month, and if those are too many a season.
    """
    if len(rows) <= MOST_POINTS:
        told = [(row, share) for row in reversed(rows) if (share := row.percentage) is not None]
        return [CurvePoint(row.date, share, interval_of(row), 1) for row, share in told], "session"
    months = {dt.date.fromisoformat(month): sample for month, sample in sorted(summary.months.items())}
    if len(months) <= MOST_POINTS:
        return gather(months), "month"
    seasons: defaultdict[dt.date, Sample] = defaultdict(Sample)
    for month, sample in months.items():
        seasons[first_day_of(season_of(month))] += sample
    return gather(seasons), "season"


def interval_of(row: CareerRow) -> Interval | None:
    """Return the interval of a session's percentage, by its deals."""
    totals = Totals()
    totals.add(row.figures, is_free=row.is_free, where=Where(row.session_id, row.version, str(row.date)))
    return totals.interval


def gather(samples: Mapping[dt.date, Sample]) -> list[CurvePoint]:
    """Return the means of sessions that are grouped together, with the intervals of these means."""
    points = []
    for first, sample in samples.items():
        assert sample.mean is not None
        found = find_interval((Fraction(1), sample))
        points.append(CurvePoint(first, sample.mean, found and found.within(0, 100), sample.count))
    return points
