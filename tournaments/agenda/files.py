"""Evenings as a calendar that other programs subscribe to (RFC 5545). Knows no request: whoever asks gives addresses.

An evening keeps its UID whatever is changed; each change of what is said of it raises SEQUENCE. One that is put away
before it began is told as cancelled for a while, then left out; one that is deleted is left out at once.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as Entry

from clubs.models import Club, ClubSettings
from tournaments.agenda.events import Event, read_event, with_all
from tournaments.models import Session

PAST = dt.timedelta(days=62)  # of all clubs, or of one
OWN_PAST = dt.timedelta(days=400)
CANCELLED_FOR = dt.timedelta(days=60)
MOST = 1_000
HOURS = 6  # after which a program asks again, where it does as it is told


class Told(NamedTuple):
    """An evening and what a calendar says beside it: `version` counts what was said of it, the last time at `at`."""

    event: Event
    uid: str
    version: int
    at: dt.datetime
    address: str


def told_over_clubs(now: dt.datetime) -> list[Told]:
    shown = Session.objects.filter(tournament__club__practice_of=None).exclude(tournament__club__house__listed=False)
    return read_told(shown, now)


def told_of_club(club: Club, now: dt.datetime) -> list[Told]:
    return read_told(Session.objects.filter(tournament__club=club), now)


def read_told(sessions: QuerySet[Session], now: dt.datetime, past: dt.timedelta = PAST) -> list[Told]:
    """From so long ago on, MOST of them, in the order of their days. One query."""
    gone = now - CANCELLED_FOR
    there = Q(put_away_at=None) | Q(put_away_at__gte=gone)
    there &= Q(tournament__put_away_at=None) | Q(tournament__put_away_at__gte=gone)
    wanted = sessions.filter(there, date__gte=timezone.localdate(now - past)).order_by("date", "starts_at", "pk")
    rows = with_all(wanted).select_related("tournament__club__house", "registration")[:MOST]
    return [read_one(session, now) for session in rows if not was_put_away_after(session, now)]


def was_put_away_after(session: Session, now: dt.datetime) -> bool:
    """Whether it was on when it was put away: it is in no list then, but nothing was cancelled."""
    moments = [moment for moment in (session.put_away_at, session.tournament.put_away_at) if moment]
    return bool(moments) and min(moments) >= read_event(session, now).begins


def read_one(session: Session, now: dt.datetime) -> Told:
    tournament = session.tournament
    house: ClubSettings = getattr(tournament.club, "house", None) or ClubSettings(club=tournament.club)
    moments = (tournament.created_at, session.told_at, house.told_at)
    return Told(
        event=read_event(session, now),
        uid=f"session-{session.pk}-{tournament.created_at:%Y%m%dT%H%M%S%f}@topage",
        version=session.told_version + house.told_version,
        at=max(moment for moment in moments if moment).replace(microsecond=0),
        address=", ".join(house.address.splitlines()) if house.shows_address else "",
    )


def write_calendar(name: str, told: Sequence[Told], address_of: Callable[[Event], str]) -> bytes:
    """`address_of`: the whole address of an evening's page."""
    written = Calendar()
    written.add("prodid", "-//Topage//topage//FR")
    written.add("version", "2.0")
    written.add("calscale", "GREGORIAN")
    written.add("method", "PUBLISH")
    written.add("name", name)
    written.add("x-wr-calname", name)
    written.add("refresh-interval", dt.timedelta(hours=HOURS), parameters={"VALUE": "DURATION"})
    written.add("x-published-ttl", f"PT{HOURS}H")
    for each in told:
        written.add_component(write_entry(each, address_of(each.event)))
    return bytes(written.to_ical())


def write_entry(told: Told, address: str) -> Entry:
    event, entry = told.event, Entry()
    about = {"name": event.tournament, "number": event.number, "club": event.club}
    entry.add("uid", told.uid)
    entry.add("sequence", told.version)
    entry.add("dtstamp", told.at)
    entry.add("last-modified", told.at)
    entry.add("dtstart", event.begins.astimezone(dt.UTC))
    entry.add("dtend", event.ends.astimezone(dt.UTC))
    entry.add("summary", _("%(name)s, session %(number)s (%(club)s)") % about)
    entry.add("location", told.address or event.club)
    entry.add("url", address)
    entry.add("status", "CANCELLED" if event.state == "cancelled" else "CONFIRMED")
    return entry
