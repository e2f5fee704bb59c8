"""The calendar over clubs, month by month and day by day, and its files, which name no player and no result."""

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

from clubs.house import is_indexed, listed_clubs
from clubs.models import Club
from tournaments.addresses import link_to
from tournaments.agenda.events import (
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
from tournaments.agenda.files import OWN_PAST, Told, read_told, told_of_club, told_over_clubs, write_calendar
from tournaments.agenda.links import open_calendar_link, sessions_of
from tournaments.permissions import require_found
from tournaments.sessions.setup import YEARS
from tournaments.web.everybody import answer_everybody, answer_file, number_of, open_club, show
from tournaments.web.public.finding import let_list

A_YEAR = dt.timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of the calendar is looked at: a month, or a day of it; of all clubs, or of one."""

    month: dt.date
    day: dt.date | None
    club: Club | None
    page: int

    @property
    def asked(self) -> dict[str, str]:
        shown = {"day": f"{self.day:%Y-%m-%d}"} if self.day else {"month": f"{self.month:%Y-%m}"}
        page = {"page": str(self.page)} if self.page > 1 else {}
        return shown | ({"club": self.club.slug} if self.club else {}) | page

    def link(self, **others: str) -> str:
        """To another month or day, of the same clubs."""
        return f"?{urlencode(others | ({'club': self.club.slug} if self.club else {}))}"


def read_wanted(request: HttpRequest, today: dt.date) -> Wanted:
    """`Http404` for a date or a club that is none."""
    given = {name: request.GET.get(name, "").strip() for name in ("month", "day", "club")}
    day = read_date(given["day"]) if given["day"] else None
    month = read_date(f"{given['month']}-01") if given["month"] and not day else day or today
    club = open_club(request, given["club"]) if given["club"] else None
    return Wanted(month.replace(day=1), day, club, number_of(request))


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
    clubs = list(listed_clubs().values_list("slug", "name"))
    indexed = wanted.club is None or is_indexed(wanted.club)
    common = {"wanted": wanted, "today": today, "clubs": clubs, "club": wanted.club}
    if wanted.day:
        page = read_day(sessions, wanted.day, wanted.page, now)
        context = common | {"page": page, "links": links_of_day(wanted, page.number, page.pages)}
        response = answer_everybody(request, (clubs, page), show("public/calendar/day.html", context), wanted.asked)
        return let_list(response, indexed)
    month = read_month(sessions, wanted.month, now)
    context = common | {"month": month, "links": links_of_month(wanted, month, today)}
    told = (today, clubs, month)
    response = answer_everybody(request, told, show("public/calendar/month.html", context), wanted.asked)
    return let_list(response, indexed)


def links_of_month(wanted: Wanted, month: Month, today: dt.date) -> dict[str, str]:
    """To the months beside this one, and to the nearest that have an evening. Where there is none any more the way ends
    a year from now, for crawlers would follow it for ever."""
    first, links = wanted.month, {}
    if month.before or first > today - A_YEAR:
        links["previous"] = wanted.link(month=f"{last_month(first):%Y-%m}")
    if month.after or first < today + A_YEAR:
        links["next"] = wanted.link(month=f"{next_month(first):%Y-%m}")
    found = {"before": month.before, "after": month.after}
    return links | {name: wanted.link(month=f"{date:%Y-%m}") for name, date in found.items() if date}


def links_of_day(wanted: Wanted, number: int, pages: int) -> dict[str, str]:
    assert wanted.day is not None
    day = f"{wanted.day:%Y-%m-%d}"
    links = {"month": wanted.link(month=f"{wanted.month:%Y-%m}")}
    if number > 1:
        links["previous"] = wanted.link(day=day, page=str(number - 1))
    if number < pages:
        links["next"] = wanted.link(day=day, page=str(number + 1))
    return links


@require_safe
def calendar_file(request: HttpRequest) -> HttpResponse:
    told = told_over_clubs(timezone.now())
    return public(answer(request, _("Duplicate Tarot tournaments"), told, "topage"))


@require_safe
def club_calendar_file(request: HttpRequest, club: str) -> HttpResponse:
    found = open_club(request, club)
    response = answer(request, found.name, told_of_club(found, timezone.now()), found.slug)
    return response if found.practice_of_id else public(response)


@require_safe
def own_calendar_file(request: HttpRequest, token: str) -> HttpResponse:
    """By its secret address, whoever asks: his evenings, and nothing of anybody else."""
    link = require_found(open_calendar_link(token))
    told = read_told(sessions_of(link), timezone.now(), OWN_PAST)
    response = answer(request, _("My tarot evenings"), told, "topage")
    patch_cache_control(response, private=True, no_cache=True)
    response["Referrer-Policy"] = "no-referrer"
    return response


def answer(request: HttpRequest, name: str, told: Sequence[Told], file_name: str) -> HttpResponse:
    def address_of(event: Event) -> str:
        place = {"club": event.club_slug, "tournament": event.tournament_slug, "number": event.number}
        # An evening in preparation has no page yet, but that where people put themselves down.
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
