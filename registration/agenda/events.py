"""The events of calendars: those of a month, of a day, or the next ones; of all clubs or of one.

An event is a session, several sessions of a tournament on one day, or the sessions of the clubs of a simultaneous on
one day. This module only reads. Times are in the club's own time zone. An evening has the date that the club gives it,
and counts as today's until six the next morning. If a club is not public, the caller must check `permissions`.
"""

import calendar
import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self
from zoneinfo import ZoneInfo

from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery, When, Window
from django.db.models.functions import JSONObject, RowNumber
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, real_clubs
from clubs.names import simplify_name
from evenings.plans.free.length import count_deals_with_rests, with_fives
from evenings.sessions.lists import newest_sessions
from rankings.kinds import Whose
from rankings.publication.newest import find_simultaneous
from rankings.simultaneous.field.publishing import FIELDS
from registration.people.registration import is_registration_open
from tournaments.models import Session, Tournament
from tournaments.published import standing_now
from tournaments.versions import WITHDRAWN

NIGHT = dt.timedelta(hours=6)
A_DAY_OF_MONTH = 4  # the most evenings that a month's calendar shows for one day; the day's own page lists all
A_PAGE = 50


class EventPart(NamedTuple):
    """A session of an event with several: the club, the number of the session, and the path where readers go on."""

    club: str
    number: int
    path: str


@dataclass(frozen=True, slots=True)
class Event:
    """A session in a calendar, or several that are one event.

    `state`: "draft", "running", "over", "provisional", "official", "withdrawn" or "cancelled".

    `ranking` is the path of the ranking that readers may see, or "". `signs_up` is True if people may sign up. `zone`
    is the time zone of the club. An event of several sessions has the data of the first one that is not closed. Its
    `parts` are the sessions, and `page` is the path of the page about all of them.
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
    ranking: str
    signs_up: bool
    parts: tuple[EventPart, ...] = ()
    page: str = ""

    @property
    def is_of_clubs(self) -> bool:
        """True if several clubs play the event."""
        return len({part.club for part in self.parts}) > 1

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
        firsts = first_of_events(sessions)
        pages = max(1, -(-firsts.count() // A_PAGE))
        number = min(max(number, 1), pages)
        listed = with_all(firsts)[(number - 1) * A_PAGE : number * A_PAGE]
        return cls(read_grouped(sessions, listed, now), number, pages)


def over_clubs() -> QuerySet[Session]:
    """Return the sessions of all clubs that appear in public lists, without those that are put away."""
    return in_calendars().filter(real_clubs("tournament__club")).exclude(tournament__club__house__listed=False)


def of_club(club: Club) -> QuerySet[Session]:
    """Return the sessions of a club, without those that are put away."""
    return in_calendars().filter(tournament__club=club)


def in_calendars() -> QuerySet[Session]:
    """Return the sessions that are not put away (removed from all lists)."""
    return Session.objects.filter(put_away_at=None, tournament__put_away_at=None)


def mark_simultaneous(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Return the sessions with `simultaneous`, its id or None, and `evening`, the tournament of the other sessions.

    `common` is what `read_common` reads.
    """
    evening = Case(When(simultaneous=None, then="tournament"))
    return sessions.annotate(simultaneous=find_simultaneous("pk"), evening=evening, common=find_common())


def first_of_events(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Return one of the sessions for each event: the first that is not closed. They keep their order.

    `others` is the number of the other sessions of the event.
    """
    event = [F("simultaneous"), F("evening"), F("date")]
    order: list[Any] = [F("closed_at").asc(nulls_first=True), F("starts_at"), F("pk")]
    placed = mark_simultaneous(sessions).annotate(
        place=Window(RowNumber(), partition_by=event, order_by=order),
        others=Window(Count("pk"), partition_by=event) - 1,
    )
    return placed.filter(place=1)


def read_grouped(sessions: QuerySet[Session], firsts: Iterable[Any], now: dt.datetime) -> list[Event]:
    """Return the events of these first sessions, which were read by `first_of_events(sessions)` and `with_all`.

    This takes one query if there are events of several sessions.
    """
    listed = list(firsts)
    wanted = pick_events((each.simultaneous, each.evening, each.date) for each in listed if each.others)
    several = any(each.others for each in listed)
    return group_events(listed, mark_simultaneous(with_all(sessions)).filter(wanted) if several else (), now)


def pick_events(events: Iterable[tuple[object, ...]]) -> Q:
    """Return the condition that a session with the columns of `mark_simultaneous` belongs to one of these events."""
    wanted = Q(pk=None)
    for simultaneous, evening, date in events:
        wanted |= Q(**({"tournament": evening} if evening else {"simultaneous": simultaneous}), date=date)
    return wanted


def group_events(firsts: Iterable[Any], others: Iterable[Any], now: dt.datetime) -> list[Event]:
    """Return the events of these first sessions. `others` are all sessions of the events that have several."""
    parts: dict[object, list[EventPart]] = {}
    for each in sorted(others, key=place_in_event):
        parts.setdefault(key_session(each), []).append(read_part(read_event(each, now)))
    events = []
    for each in firsts:
        event, sessions_of_event = read_event(each, now), tuple(parts.get(key_session(each), ()))
        title, page, ranking = read_common(each.common)
        if sessions_of_event:
            page = page or reverse("tournament", args=[event.club_slug, event.tournament_slug])
            event = replace(event, tournament=title or event.tournament, parts=sessions_of_event, page=page, ranking="")
        events.append(replace(event, ranking=ranking or event.ranking))
    return events


def place_in_event(session: Session) -> tuple[str, dt.time, int]:
    """Return what sorts the sessions of an event: the club, the hour and the number."""
    return simplify_name(session.tournament.club.name), session.starts_at, session.number


def key_session(session: Any) -> tuple[object, ...]:
    """Return the event of a session that has the columns of `mark_simultaneous`."""
    return session.simultaneous, session.evening, session.date


def read_part(event: Event) -> EventPart:
    place = [event.club_slug, event.tournament_slug, event.number]
    if event.signs_up:
        path = reverse("sign_up", args=place)
    elif event.state == "draft":
        path = reverse("tournament", args=place[:2])
    else:
        path = event.ranking or reverse("session", args=place)
    return EventPart(event.club, event.number, path)


def find_common() -> Subquery:
    """Return a subquery for a session: the words of its simultaneous' paths, and whether readers see its ranking."""
    news = FIELDS.find_news(Whose()).filter(simultaneous=OuterRef("simultaneous")).exclude(status=WITHDRAWN)
    place = {"club": "simultaneous__club__slug", "slug": "simultaneous__slug"}
    words = JSONObject(title="simultaneous__title", **place, is_ranked=Exists(news))
    return find_simultaneous("pk", words=words)


def read_common(words: dict[str, Any] | None) -> tuple[str, str, str]:
    """Return the title, the page, and the path of the common ranking of a simultaneous, from `find_common`.

    The path is "" if readers see no such ranking. The page is then the list of its clubs, else the ranking.
    """
    if words is None:
        return "", "", ""
    page = reverse("field" if words["is_ranked"] else "simultaneous", args=[words["club"], words["slug"]])
    return words["title"], page, page if words["is_ranked"] else ""


def with_all(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Return the sessions with everything that an event needs."""
    joined = sessions.select_related("tournament__club", "registration")
    return with_fives(joined.annotate(standing=standing_now()))


def read_event(session: Session, now: dt.datetime) -> Event:
    tournament = session.tournament
    registration = getattr(session, "registration", None)
    state = state_of(session)
    place = [tournament.club.slug, tournament.slug, session.number]
    shows_ranking = state in ("provisional", "official") and session.shows_ranking
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
        ranking=reverse("ranking", args=place) if shows_ranking else "",
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
    """Return the next evenings of these sessions, as `next_sessions` finds them.

    This takes two queries, or one with `zones`, and more for events of several sessions.
    """
    coming = next_sessions(sessions, now, zones=zones)
    return read_grouped(coming, with_all(first_of_events(coming))[:limit], now)


def next_of_club(club: Club, now: dt.datetime, limit: int) -> list[Event]:
    """Return the next evenings of a club. This takes one query, and more for events of several sessions."""
    coming = next_sessions(of_club(club), now, zones=[club.time_zone])
    return read_grouped(coming, with_all(first_of_events(coming))[:limit], now)


class TournamentLine(NamedTuple):
    """A tournament in a list: its next evening and its last one with a ranking. Each may be None."""

    tournament: Tournament
    next: Event | None
    last: Event | None


def read_tournament_lines(tournaments: Sequence[Tournament], club: Club, now: dt.datetime) -> list[TournamentLine]:
    """Return the lines of the club's tournaments. This takes one query."""
    today = today_in(club.zone, now)
    listed: list[Any] = list(mark_simultaneous(with_all(newest_sessions(tournaments, today)))) if tournaments else []
    events: dict[int, list[Event]] = {}
    for session, event in zip(listed, group_events(listed, (), now), strict=True):
        events.setdefault(session.tournament_id, []).append(event)

    def read_line(tournament: Tournament) -> TournamentLine:
        own = events.get(tournament.pk, [])
        coming = [each for each in own if each.state in ("draft", "running") and each.date >= today]
        last = next((each for each in own if each.ranking), None)
        return TournamentLine(tournament, min(coming, key=lambda each: each.date, default=None), last)

    return [read_line(each) for each in tournaments]


def read_month(sessions: QuerySet[Session], first: dt.date, now: dt.datetime) -> Month:
    """Return the month whose first day is `first`. This takes three queries."""
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    after = next_month(first)
    inside = sessions.filter(date__gte=first, date__lt=after).order_by("date", "starts_at", "pk")
    shown, several, counts = set[int](), list[tuple[object, ...]](), Counter[dt.date]()
    firsts: Any = first_of_events(inside)
    for pk, others, *event in firsts.values_list("pk", "others", "simultaneous", "evening", "date"):
        date = event[-1]
        counts[date] += 1
        if counts[date] <= A_DAY_OF_MONTH:
            shown.add(pk)
            several += [tuple(event)] if others else []
    listed: list[Any] = []
    if shown:
        listed = list(mark_simultaneous(with_all(inside)).filter(Q(pk__in=shown) | pick_events(several)))
    by_day: dict[dt.date, list[Event]] = {}
    events_with_parts = set(several)
    parts = [each for each in listed if key_session(each) in events_with_parts]
    for event in group_events([each for each in listed if each.pk in shown], parts, now):
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
