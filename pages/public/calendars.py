"""The calendar of all clubs by month and day, and the calendar files. Both show no player and no result."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.house import is_indexed, list_clubs_by_name
from clubs.models import Club
from clubs.session_settings import YEARS
from pages.everybody import answer_everybody, answer_file, open_club, read_page_number, show_to_everybody
from pages.public.sitemap import let_list
from registration.agenda.events import (
    Event,
    Month,
    last_month,
    next_month,
    of_club,
    over_clubs,
    read_day,
    read_month,
    today_in,
)
from registration.agenda.files import (
    OWN_PAST,
    CalendarEvent,
    find_sessions_of_link,
    open_calendar_link,
    read_all_calendar_events,
    read_calendar_events,
    read_club_calendar_events,
    write_calendar,
)
from tournaments.addresses import link_to
from tournaments.permissions import require_found

A_YEAR = dt.timedelta(days=366)


@dataclass(frozen=True, slots=True)
class CalendarQuery:
    """The part of the calendar to show: a month or one of its days, for all clubs or for one club."""

    month: dt.date
    day: dt.date | None
    club: Club | None
    page: int

    @property
    def shown(self) -> dict[str, str]:
        """The parameter of the address that names the month or the day."""
        return {"day": f"{self.day:%Y-%m-%d}"} if self.day else {"month": f"{self.month:%Y-%m}"}

    @property
    def asked(self) -> dict[str, str]:
        page = {"page": str(self.page)} if self.page > 1 else {}
        return self.shown | ({"club": self.club.slug} if self.club else {}) | page

    def link(self, **others: str) -> str:
        """Return the link to another month or day, for the same clubs."""
        return f"?{urlencode(others | ({'club': self.club.slug} if self.club else {}))}"


def read_wanted(request: HttpRequest, today: dt.date) -> CalendarQuery:
    """Return the part of the calendar that the address asks for. Raise Http404 for a wrong date or an unknown club."""
    given = {name: request.GET.get(name, "").strip() for name in ("month", "day", "club")}
    day = read_date(given["day"]) if given["day"] else None
    month = read_date(f"{given['month']}-01") if given["month"] and not day else day or today
    club = open_club(request, given["club"]) if given["club"] else None
    return CalendarQuery(month.replace(day=1), day, club, read_page_number(request))


def read_date(text: str) -> dt.date:
    try:
        date = dt.datetime.strptime(text[:20], "%Y-%m-%d").replace(tzinfo=dt.UTC).date()
    except ValueError as wrong:
        raise Http404 from wrong
    if date.year not in YEARS:
        raise Http404
    return date


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    today = today_in(None, now)
    wanted = read_wanted(request, today)
    sessions = of_club(wanted.club) if wanted.club else over_clubs()
    clubs = [(slug, name) for slug, name, _zone in list_clubs_by_name()]
    indexed = wanted.club is None or is_indexed(wanted.club)
    context = {"wanted": wanted, "today": today, "club": wanted.club, "clubs": [("", _("all clubs")), *clubs]}
    told: tuple[object, ...]
    if wanted.day:
        page = read_day(sessions, wanted.day, wanted.page, now)
        context |= {"page": page, "month_url": wanted.link(month=f"{wanted.month:%Y-%m}")}
        told, template = (clubs, page), "public/calendar/day.html"
    else:
        month = read_month(sessions, wanted.month, now)
        context |= {"month": month, "links": links_of_month(wanted, month, today)}
        told, template = (today, clubs, month), "public/calendar/month.html"
    return let_list(answer_everybody(request, told, show_to_everybody(template, context), wanted.asked), indexed)


def links_of_month(wanted: CalendarQuery, month: Month, today: dt.date) -> dict[str, str]:
    """Return the links to the month before and after, and to the nearest months with an evening.

    A month that is more than a year from today has no link to earlier (or later) months if they have no evening.
    Otherwise crawlers would follow such links for ever.
    """
    first, links = wanted.month, {}
    if month.before or first > today - A_YEAR:
        links["previous"] = wanted.link(month=f"{last_month(first):%Y-%m}")
    if month.after or first < today + A_YEAR:
        links["next"] = wanted.link(month=f"{next_month(first):%Y-%m}")
    found = {"before": month.before, "after": month.after}
    return links | {name: wanted.link(month=f"{date:%Y-%m}") for name, date in found.items() if date}


@require_safe
def calendar_file(request: HttpRequest) -> HttpResponse:
    told = read_all_calendar_events(timezone.now())
    return public(answer_calendar(request, _("Duplicate Tarot tournaments"), told, "topage"))


@require_safe
def club_calendar_file(request: HttpRequest, club: str) -> HttpResponse:
    found = open_club(request, club)
    response = answer_calendar(request, found.name, read_club_calendar_events(found, timezone.now()), found.slug)
    return response if found.is_practice else public(response)


@require_safe
def own_calendar_file(request: HttpRequest, token: str) -> HttpResponse:
    """Return the evenings of one person as a calendar file.

    Anybody who knows its secret address can read it. The file has nothing about other people.
    """
    link = require_found(open_calendar_link(token))
    told = read_calendar_events(find_sessions_of_link(link), timezone.now(), OWN_PAST)
    response = answer_calendar(request, _("My tarot evenings"), told, "topage")
    patch_cache_control(response, private=True, no_cache=True)
    response["Referrer-Policy"] = "no-referrer"
    return response


def answer_calendar(request: HttpRequest, name: str, told: Sequence[CalendarEvent], file_name: str) -> HttpResponse:
    def address_of(event: Event) -> str:
        place = {"club": event.club_slug, "tournament": event.tournament_slug, "number": event.number}
        # An evening in preparation has no page yet, only the page where people sign up.
        if event.signs_up:
            return link_to(request, reverse("sign_up", kwargs=place))
        if event.state == "draft":
            return link_to(request, reverse("club", args=[event.club_slug]))
        return link_to(request, reverse("session", kwargs=place))

    headers = {
        "Content-Type": "text/calendar; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{file_name}.ics"',
    }
    return answer_file(request, (name, told), lambda: write_calendar(name, told, address_of), headers)


def public(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, public=True, max_age=300)
    return response
