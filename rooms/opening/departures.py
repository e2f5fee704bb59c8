"""The departures: when the rooms of each kind open and close, by the clock of the site's time zone.

Half-hour rooms open whenever the site's clock shows one of the minutes of ROOM_DEPARTURES. The setting says at which of
them the étuis have an imposed garde, the form of clubs. In all other rooms the players bid. When summer time begins, an
hour is left out, and so are its departures. When it ends, an hour comes twice, and so do its departures.
"""

import datetime as dt
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from rooms.models import RoomKind

MINUTE, DAY = dt.timedelta(minutes=1), dt.timedelta(days=1)
WEEK_ETUIS = 24
AUCTION, GARDE = "auction-1", "garde-1"  # the profiles by which étuis are dealt
KINDS = (RoomKind.HALF, RoomKind.DAY, RoomKind.WEEK)  # classic rooms have no departures


class Departure(NamedTuple):
    """The kind of a room, when it opens and closes, its number of étuis, and the profile by which they are dealt."""

    kind: RoomKind
    opens_at: dt.datetime
    closes_at: dt.datetime
    etuis: int
    profile: str = AUCTION

    def is_open(self, now: dt.datetime) -> bool:
        return self.opens_at <= now < self.closes_at


def find_departures(now: dt.datetime) -> list[Departure]:
    """Return the departures whose rooms are open now and the next one of each kind, in the order of KINDS."""
    departures = []
    for kind in KINDS:
        last = find_last_departure(kind, now)
        departures += [last] if last.is_open(now) else []
        departures.append(find_next_departure(kind, now))
    return departures


def find_last_departure(kind: RoomKind, now: dt.datetime) -> Departure:
    """Return the last departure of a kind that is not after `now`."""
    if kind == RoomKind.HALF:
        return make_half(find_half(now, step=-MINUTE))
    return make_days(kind, first_day(kind, now))


def find_next_departure(kind: RoomKind, now: dt.datetime) -> Departure:
    """Return the first departure of a kind after `now`."""
    if kind == RoomKind.HALF:
        return make_half(find_half(now + MINUTE, step=MINUTE))
    return make_days(kind, first_day(kind, now) + dt.timedelta(days=days_of(kind)))


def find_half(moment: dt.datetime, *, step: dt.timedelta) -> dt.datetime:
    """Return the nearest moment with a departure, from the beginning of this minute in steps of a minute."""
    moment = moment.astimezone(dt.UTC).replace(second=0, microsecond=0)
    zone, minutes = timezone.get_default_timezone(), settings.ROOM_DEPARTURES
    while moment.astimezone(zone).minute not in minutes:
        moment += step
    return moment


def make_half(opens_at: dt.datetime) -> Departure:
    """Return the half-hour departure of this moment. Its room is closed when the next one opens, at the latest."""
    following = find_half(opens_at + MINUTE, step=MINUTE)
    closes_at = min(opens_at + settings.ROOM_MINUTES * MINUTE, following)
    minute = opens_at.astimezone(timezone.get_default_timezone()).minute
    profile = GARDE if settings.ROOM_DEPARTURES[minute] else AUCTION
    return Departure(RoomKind.HALF, opens_at, closes_at, settings.ROOM_ETUIS, profile)


def first_day(kind: RoomKind, now: dt.datetime) -> dt.date:
    """Return the first day of the day's or the week's room at this moment."""
    day = timezone.localdate(now, timezone.get_default_timezone())
    return day - dt.timedelta(days=day.weekday()) if kind == RoomKind.WEEK else day


def days_of(kind: RoomKind) -> int:
    """Return for how many days a room of this kind is open."""
    return 7 if kind == RoomKind.WEEK else 1


def make_days(kind: RoomKind, day: dt.date) -> Departure:
    """Return the departure of the day's or the week's room that opens on this day."""
    last = day + dt.timedelta(days=days_of(kind))
    return Departure(kind, find_midnight(day), find_midnight(last), WEEK_ETUIS if kind == RoomKind.WEEK else 1)


def find_midnight(day: dt.date) -> dt.datetime:
    """Return the moment when a day of the site's time zone begins."""
    return dt.datetime.combine(day, dt.time(), timezone.get_default_timezone()).astimezone(dt.UTC)
