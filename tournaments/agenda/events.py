"""Evenings as calendars have them: a month's, a day's, the next ones, of all clubs or of one. Reads only.

Hours are those of the club's own zone; a day is the date that the club gives, and lasts until six in the morning after.
Whoever calls has asked `permissions` where a club is not everybody's.
"""

import calendar
import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from clubs.models import Club
from tournaments.models import Session
from tournaments.people.registration import is_open
from tournaments.sessions.checklist import length_of
from tournaments.sessions.lists import standing_now

NIGHT = dt.timedelta(hours=6)
A_DAY_OF_MONTH = 4  # evenings that a month names of each day; the day has the others
A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Event:
    """An evening. `state`: "draft", "running", "over", "provisional", "official", "withdrawn" or "cancelled".
    `shows_ranking` where there is one to be read. `signs_up`: whether people may put themselves down."""

    session: int
    number: int
    tournament: str
    tournament_slug: str
    club: str
    club_slug: str
    date: dt.date
    starts_at: dt.time
    length: dt.timedelta
    zone: ZoneInfo
    state: str
    shows_ranking: bool
    signs_up: bool

    @property
    def begins(self) -> dt.datetime:
        """The moment; of an hour that the clocks pass over, the one after it."""
        local = dt.datetime.combine(self.date, self.starts_at, self.zone)
        return local.astimezone(dt.UTC).astimezone(self.zone)

    @property
    def ends(self) -> dt.datetime:
        return (self.begins.astimezone(dt.UTC) + self.length).astimezone(self.zone)

    @property
    def is_elsewhere(self) -> bool:
        """Whether its hours are another zone's than the site's."""
        return self.zone.key != timezone.get_default_timezone_name()

    @property
    def place(self) -> str:
        """The zone as people name it: "Martinique"."""
        return self.zone.key.rpartition("/")[2].replace("_", " ")


class Day(NamedTuple):
    """`more`: how many evenings of it are not among `events`."""

    date: dt.date
    events: Sequence[Event]
    more: int = 0


class Month(NamedTuple):
    """`weeks`: its days, with those of other months that fill its first and last week. `before` and `after`: the first
    of the nearest months that have an evening."""

    first: dt.date
    weeks: list[list[Day]]
    total: int
    before: dt.date | None
    after: dt.date | None

    @property
    def days(self) -> list[Day]:
        """Those that have an evening."""
        return [day for week in self.weeks for day in week if day.events]

    def holds(self, date: dt.date) -> bool:
        return (date.year, date.month) == (self.first.year, self.first.month)


class Page(NamedTuple):
    """One page of a longer list; pages count from 1."""

    events: list[Event]
    number: int
    pages: int

    @classmethod
    def of(cls, sessions: QuerySet[Session], number: int, now: dt.datetime) -> Self:
        """Of sessions in their order; a number past the end is the last page."""
        pages = max(1, -(-sessions.count() // A_PAGE))
        number = min(max(number, 1), pages)
        return cls(read_events(sessions[(number - 1) * A_PAGE : number * A_PAGE], now), number, pages)


def over_clubs() -> QuerySet[Session]:
    """The evenings of every club that lets itself be found; what is put away is in no calendar."""
    return in_calendars().filter(tournament__club__practice_of=None).exclude(tournament__club__house__listed=False)


def of_club(club: Club) -> QuerySet[Session]:
    return in_calendars().filter(tournament__club=club)


def in_calendars() -> QuerySet[Session]:
    return Session.objects.filter(put_away_at=None, tournament__put_away_at=None)


def read_events(sessions: QuerySet[Session], now: dt.datetime) -> list[Event]:
    """One query."""
    return [read_event(session, now) for session in with_all(sessions)]


def with_all(sessions: QuerySet[Session]) -> QuerySet[Session]:
    joined = sessions.select_related("tournament__club", "registration")
    return joined.annotate(standing=standing_now())


def read_event(session: Session, now: dt.datetime) -> Event:
    tournament = session.tournament
    registration = getattr(session, "registration", None)
    state = state_of(session)
    return Event(
        session=session.pk,
        number=session.number,
        tournament=tournament.name,
        tournament_slug=tournament.slug,
        club=tournament.club.name,
        club_slug=tournament.club.slug,
        date=session.date,
        starts_at=session.starts_at,
        length=length_of(session),
        zone=zone_of(tournament.club),
        state=state,
        shows_ranking=state in ("provisional", "official") and session.shows_ranking,
        signs_up=registration is not None and is_open(session, registration, now),
    )


def state_of(session: Session) -> str:
    if session.put_away_at or session.tournament.put_away_at:
        return "cancelled"
    standing: str | None = session.standing  # type: ignore[attr-defined]
    return standing or ("over" if session.closed_at else str(session.status))


def zone_of(club: Club) -> ZoneInfo:
    return club.zone or ZoneInfo(timezone.get_default_timezone_name())


def today_in(zone: ZoneInfo | None, now: dt.datetime) -> dt.date:
    """The date whose evening is on or comes; None: the site's zone."""
    return timezone.localdate(now - NIGHT, zone or timezone.get_default_timezone())


def next_sessions(sessions: QuerySet[Session], now: dt.datetime, *, zones: Iterable[str] = ()) -> QuerySet[Session]:
    """From tonight on, the next first; what is over or published is past. `zones`: those of the clubs, as they have
    them, where they are known; else one query asks for them."""
    zones = zones or sessions.order_by().values_list("tournament__club__time_zone", flat=True).distinct()
    coming = Q(pk=None)
    for zone in zones:
        today = today_in(ZoneInfo(zone) if zone else None, now)
        coming |= Q(tournament__club__time_zone=zone, date__gte=today)
    return sessions.filter(coming, closed_at=None, publications=None).order_by("date", "starts_at", "pk")


def next_events(sessions: QuerySet[Session], now: dt.datetime, limit: int) -> list[Event]:
    """Two queries."""
    return read_events(next_sessions(sessions, now)[:limit], now)


def next_of_club(club: Club, now: dt.datetime, limit: int) -> list[Event]:
    """One query."""
    return read_events(next_sessions(of_club(club), now, zones=[club.time_zone])[:limit], now)


def read_month(sessions: QuerySet[Session], first: dt.date, now: dt.datetime) -> Month:
    """Of the month that begins with `first`. Three queries, however many evenings it has."""
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    after = next_month(first)
    inside = sessions.filter(date__gte=first, date__lt=after)
    counts = dict(inside.order_by().values_list("date").annotate(count=Count("pk")))
    place = Window(RowNumber(), partition_by="date", order_by=[F("starts_at"), F("pk")])
    shown = inside.annotate(place=place).filter(place__lte=A_DAY_OF_MONTH).order_by("date", "starts_at", "pk")
    by_day: dict[dt.date, list[Event]] = {}
    for event in read_events(shown, now) if counts else []:
        by_day.setdefault(event.date, []).append(event)
    outside = sessions.order_by().aggregate(
        before=Max("date", filter=Q(date__lt=first)), after=Min("date", filter=Q(date__gte=after))
    )

    def read_day(date: dt.date) -> Day:
        events = by_day.get(date, [])
        return Day(date, events, counts.get(date, 0) - len(events))

    return Month(
        first,
        [[read_day(date) for date in week] for week in weeks],
        sum(counts.values()),
        *(outside[side] and outside[side].replace(day=1) for side in ("before", "after")),
    )


def read_day(sessions: QuerySet[Session], date: dt.date, page: int, now: dt.datetime) -> Page:
    return Page.of(sessions.filter(date=date).order_by("starts_at", "pk"), page, now)


def read_list(sessions: QuerySet[Session], page: int, now: dt.datetime) -> Page:
    """In the order of their days."""
    return Page.of(sessions.order_by("date", "starts_at", "pk"), page, now)


def next_month(first: dt.date) -> dt.date:
    return (first.replace(day=28) + dt.timedelta(days=4)).replace(day=1)


def last_month(first: dt.date) -> dt.date:
    return (first - dt.timedelta(days=1)).replace(day=1)
