"""The calendar files (iCalendar, RFC 5545), and the secret addresses of personal calendars.

Each evening has a fixed UID. Each change of its data raises its SEQUENCE. An evening may be put away (removed from all
lists) before it begins. The file then shows it as cancelled for a while, and later leaves it out. A deleted evening is
left out at once.

The owner of an address is an account, or a personal link on a player's guide card. Functions take one of the two.
"""

import datetime as dt
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as Entry

from clubs.models import Club, ClubSettings, Player, User, real_clubs
from evenings.teams.membership import find_entries
from registration.agenda.events import Event, read_event, with_all
from tournaments.models import Applicant, CalendarLink, PersonalLink, Session

PAST = dt.timedelta(days=62)  # older evenings are left out of the calendars of clubs
OWN_PAST = dt.timedelta(days=400)
CANCELLED_FOR = dt.timedelta(days=60)
MOST = 1_000
HOURS = 6  # hours after which a program should fetch the calendar again


class CalendarEvent(NamedTuple):
    """An evening with the other data of its calendar entry.

    `version` counts the changes of the entry, `at` is the time of the last one. `address` is the postal address of the
    club, or "".
    """

    event: Event
    uid: str
    version: int
    at: dt.datetime
    address: str


def read_all_calendar_events(now: dt.datetime) -> list[CalendarEvent]:
    """Return the calendar entries of all clubs that appear in public lists."""
    shown = Session.objects.filter(real_clubs("tournament__club")).exclude(tournament__club__house__listed=False)
    return read_calendar_events(shown, now)


def read_club_calendar_events(club: Club, now: dt.datetime) -> list[CalendarEvent]:
    """Return the calendar entries of one club."""
    return read_calendar_events(Session.objects.filter(tournament__club=club), now)


def read_calendar_events(
    sessions: QuerySet[Session], now: dt.datetime, past: dt.timedelta = PAST
) -> list[CalendarEvent]:
    """Return the calendar entries of these sessions, sorted by date, at most MOST. This takes one query.

    Sessions older than `past` are left out.
    """
    gone = now - CANCELLED_FOR
    is_shown = Q(put_away_at=None) | Q(put_away_at__gte=gone)
    is_shown &= Q(tournament__put_away_at=None) | Q(tournament__put_away_at__gte=gone)
    wanted = sessions.filter(is_shown, date__gte=timezone.localdate(now - past)).order_by("date", "starts_at", "pk")
    rows = with_all(wanted).select_related("tournament__club__house", "registration")[:MOST]
    return [read_calendar_event(session, now) for session in rows if not was_put_away_after(session, now)]


def was_put_away_after(session: Session, now: dt.datetime) -> bool:
    """Return whether the evening was put away after it had begun. It is then left out, and not shown as cancelled."""
    moments = [moment for moment in (session.put_away_at, session.tournament.put_away_at) if moment]
    return bool(moments) and min(moments) >= read_event(session, now).begins


def read_calendar_event(session: Session, now: dt.datetime) -> CalendarEvent:
    tournament = session.tournament
    house: ClubSettings = getattr(tournament.club, "house", None) or ClubSettings(club=tournament.club)
    moments = (tournament.created_at, session.told_at, house.told_at)
    return CalendarEvent(
        event=read_event(session, now),
        uid=f"session-{session.pk}-{tournament.created_at:%Y%m%dT%H%M%S%f}@topage",
        version=session.told_version + house.told_version,
        at=max(moment for moment in moments if moment).replace(microsecond=0),
        address=", ".join(house.address.splitlines()) if house.shows_address else "",
    )


def write_calendar(name: str, told: Sequence[CalendarEvent], address_of: Callable[[Event], str]) -> bytes:
    """Return the calendar file. `address_of` returns the full address of an evening's page."""
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


def write_entry(told: CalendarEvent, address: str) -> Entry:
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


TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def find_calendar_link(*, user: User | None = None, personal: PersonalLink | None = None) -> CalendarLink | None:
    """Return the owner's valid calendar link, or None."""
    return CalendarLink.objects.filter(**whose(user, personal), revoked_at=None).first()


@transaction.atomic
def make_calendar_link(
    *, user: User | None = None, personal: PersonalLink | None = None, now: dt.datetime, anew: bool = False
) -> CalendarLink:
    """Return the owner's valid calendar link. If there is none, create one. With `anew`, replace the old one."""
    owner = whose(user, personal)
    if anew:
        revoke_calendar_link(user=user, personal=personal, now=now)
    made = {"token": secrets.token_urlsafe(32), "made_at": now}
    return CalendarLink.objects.get_or_create(**owner, revoked_at=None, defaults=made)[0]


def revoke_calendar_link(*, user: User | None = None, personal: PersonalLink | None = None, now: dt.datetime) -> None:
    """Revoke the owner's calendar link. If there is none, do nothing."""
    CalendarLink.objects.filter(**whose(user, personal), revoked_at=None).update(revoked_at=now)


def ask_calendar_link(
    what: str, *, user: User | None = None, personal: PersonalLink | None = None, now: dt.datetime
) -> None:
    """Do what the owner's form asks: "make" the link, replace it ("anew"), or "end" it. Ignore any other text."""
    if what == "end":
        revoke_calendar_link(user=user, personal=personal, now=now)
    elif what in ("make", "anew"):
        make_calendar_link(user=user, personal=personal, now=now, anew=what == "anew")


def whose(user: User | None, personal: PersonalLink | None) -> dict[str, Any]:
    """Return the owner as a condition on calendar links."""
    assert (user is None) != (personal is None)
    return {"user": user} if personal is None else {"personal": personal}


def open_calendar_link(token: str) -> CalendarLink | None:
    """Return the valid calendar link with this token, or None."""
    if not TOKEN.fullmatch(token):
        return None
    personal = ("personal__entrant__player__merged_into", "personal__member__player__merged_into")
    links = CalendarLink.objects.select_related("user", *personal)
    still = Q(personal=None, user__is_active=True) | Q(personal__isnull=False, personal__revoked_at=None)
    return links.filter(still, token=token, revoked_at=None).first()


def find_sessions_of_link(link: CalendarLink) -> QuerySet[Session]:
    """Return the sessions in which the owner plays, alone or in a team, stands in, or is signed up.

    Sessions that are put away are included, because the calendar shows them as cancelled.
    """
    players = Player.objects.order_by()
    if link.user is not None:
        mine = players.filter(account=link.user)
        own = Q(user=link.user)
    else:
        assert link.personal is not None
        who = link.personal.person.is_now
        mine = players.filter(Q(pk=who.pk) | Q(merged_into=who.pk))
        own = Q(pk=None)
    seated = find_entries(mine.values("pk"))
    down = Applicant.objects.filter(Q(player__in=mine) | own, withdrawn_at=None).order_by()
    is_ours = Q(pk__in=seated.values("session")) | Q(pk__in=down.values("session"))
    return Session.objects.filter(is_ours, real_clubs("tournament__club"))
