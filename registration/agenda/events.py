"""The sessions as calendars show them: those of a month, of a day, or the next ones; of all clubs or of one.

This module only reads. Times are in the club's own time zone. An evening has the date that the club gives it, and
counts as today's until six the next morning. If a club is not public, the caller must check `permissions`.
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

from clubs.models import Club, real_clubs
from evenings.plans.free.length import count_deals_with_rests, with_fives
from registration.people.registration import is_registration_open
from tournaments.models import Session
from tournaments.published import standing_now

NIGHT = dt.timedelta(hours=6)
A_DAY_OF_MONTH = 4  # the most evenings that a month's calendar shows for one day; the day's own page lists all
A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Event:
    """A session in a calendar.

    `state`: "draft", "running", "over", "provisional", "official", "withdrawn" or "cancelled".

    `shows_ranking` is True if readers may see a ranking, `signs_up` if people may sign up. `zone` is the time zone of
    the club.
    """

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
        """The moment when the evening begins, in the club's time zone.

        If that hour is skipped when summer time begins, the moment is one hour later.
        """
        local = dt.datetime.combine(self.date, self.starts_at, self.zone)
        return local.astimezone(dt.UTC).astimezone(self.zone)

    @property
    def ends(self) -> dt.datetime:
        """The planned end, in the club's time zone."""
        return (self.begins.astimezone(dt.UTC) + self.length).astimezone(self.zone)

    @property
    def is_elsewhere(self) -> bool:
        """True if the club's time zone differs from the site's."""
        return self.zone.key != timezone.get_default_timezone_name()

    @property
    def place(self) -> str:
        """The name of the time zone as people know it, for example "Martinique"."""
        return self.zone.key.rpartition("/")[2].replace("_", " ")


class Day(NamedTuple):
    """A day with its first evenings. `more` is the number of the other evenings of that day."""

    date: dt.date
    events: Sequence[Event]
    more: int = 0


class Month(NamedTuple):
    """A month of the calendar.

    `weeks` has all days of its weeks, also days of the months before and after it. `before` and `after` are the first
    days of the nearest earlier and later months with an evening, or None. `total` is the number of evenings in the
    month.
    """

    first: dt.date
    weeks: list[list[Day]]
    total: int
    before: dt.date | None
    after: dt.date | None

    @property
    def days(self) -> list[Day]:
        """The days that have an evening."""
        return [day for week in self.weeks for day in week if day.events]

    def holds(self, date: dt.date) -> bool:
        """Return whether the date is in this month."""
        return (date.year, date.month) == (self.first.year, self.first.month)


class EventPage(NamedTuple):
    """One page of a list of evenings. Pages count from 1."""

    events: list[Event]
    number: int
    pages: int

    @classmethod
    def of(cls, sessions: QuerySet[Session], number: int, now: dt.datetime) -> Self:
        """Return a page of the sessions, in their order. If the number is too high, return the last page."""
        pages = max(1, -(-sessions.count() // A_PAGE))
        number = min(max(number, 1), pages)
        return cls(read_events(sessions[(number - 1) * A_PAGE : number * A_PAGE], now), number, pages)


def over_clubs() -> QuerySet[Session]:
    """Return the sessions of all clubs that appear in public lists, without those that are put away."""
    return in_calendars().filter(real_clubs("tournament__club")).exclude(tournament__club__house__listed=False)


def of_club(club: Club) -> QuerySet[Session]:
    """Return the sessions of a club, without those that are put away."""
    return in_calendars().filter(tournament__club=club)


def in_calendars() -> QuerySet[Session]:
    """Return the sessions that are not put away (removed from all lists)."""
    return Session.objects.filter(put_away_at=None, tournament__put_away_at=None)


def read_events(sessions: QuerySet[Session], now: dt.datetime) -> list[Event]:
    """Return the sessions as events. This takes one query."""
    return [read_event(session, now) for session in with_all(sessions)]


def with_all(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Return the sessions with everything that an event needs."""
    joined = sessions.select_related("tournament__club", "registration")
    return with_fives(joined.annotate(standing=standing_now()))


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
        length=dt.timedelta(minutes=count_deals_with_rests(session) * session.minutes_per_etui),
        zone=zone_of(tournament.club),
        state=state,
        shows_ranking=state in ("provisional", "official") and session.shows_ranking,
        signs_up=registration is not None and is_registration_open(session, registration, now),
    )


def state_of(session: Session) -> str:
    """Return the state of a session's event in a calendar: one of the texts that `Event.state` may have."""
    if session.put_away_at or session.tournament.put_away_at:
        return "cancelled"
    standing: str | None = session.standing  # type: ignore[attr-defined]
    return standing or ("over" if session.closed_at else str(session.status))


def zone_of(club: Club) -> ZoneInfo:
    """Return the club's time zone, or the site's if the club has none."""
    return club.zone or ZoneInfo(timezone.get_default_timezone_name())


def today_in(zone: ZoneInfo | None, now: dt.datetime) -> dt.date:
    """Return today's date in that time zone (None: the site's). Until six in the morning, return yesterday's date."""
    return timezone.localdate(now - NIGHT, zone or timezone.get_default_timezone())


def next_sessions(sessions: QuerySet[Session], now: dt.datetime, *, zones: Iterable[str] = ()) -> QuerySet[Session]:
    """Return the sessions from today on, the next first, without those that are closed or published.

    `zones` are the clubs' time zones, as the database has them ("" for the site's). If it is empty, one more query
    finds them.
    """
    zones = zones or sessions.order_by().values_list("tournament__club__time_zone", flat=True).distinct()
    coming = Q(pk=None)
    for zone in zones:
        today = today_in(ZoneInfo(zone) if zone else None, now)
        coming |= Q(tournament__club__time_zone=zone, date__gte=today)
    return sessions.filter(coming, closed_at=None, publications=None).order_by("date", "starts_at", "pk")


def next_events(sessions: QuerySet[Session], now: dt.datetime, limit: int, *, zones: Iterable[str] = ()) -> list[Event]:
    """Return the next evenings of these sessions, by `next_sessions`."""
    return read_events(next_sessions(sessions, now, zones=zones)[:limit], now)


def next_of_club(club: Club, now: dt.datetime, limit: int) -> list[Event]:
    """Return the next evenings of a club. This takes one query."""
    return next_events(of_club(club), now, limit, zones=[club.time_zone])


def read_month(sessions: QuerySet[Session], first: dt.date, now: dt.datetime) -> Month:
    """Return the month whose first day is `first`. Three queries, however many evenings it has."""
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


def read_day(sessions: QuerySet[Session], date: dt.date, page: int, now: dt.datetime) -> EventPage:
    """Return a page of the evenings of one day."""
    return EventPage.of(sessions.filter(date=date).order_by("starts_at", "pk"), page, now)


def next_month(first: dt.date) -> dt.date:
    """Return the first day of the next month."""
    return (first.replace(day=28) + dt.timedelta(days=4)).replace(day=1)


def last_month(first: dt.date) -> dt.date:
    """Return the first day of the month before."""
    return (first - dt.timedelta(days=1)).replace(day=1)
