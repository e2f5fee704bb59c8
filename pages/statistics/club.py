"""The statistics of a club for its directors: who comes to its evenings, and who no longer does."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Club
from outgoing.sheets.director_tables import ABSENT, ATTENDANCE, make_absent, make_attendance
from outgoing.sheets.files import CSV, KINDS, write_file
from pages.charts import Bars, Value, draw_bars
from pages.doors import club_page
from pages.downloads import send_file
from rankings.careers.seasons import first_day_of, last_day_of, season_of
from rankings.statistics import Attendance, VisitGroup, find_absent, read_attendance
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.figures import decimal

WEEKS = (4, 8, 13, 26)
USUAL_WEEKS = 8
MOST_ABSENT = 100  # the file has all of them
NamedGroup = tuple[str, VisitGroup[Any]]  # a weekday or a month, with its name


class AttendancePeriod(NamedTuple):
    """A period that a director can choose. `key` stands in the address."""

    key: str
    name: str
    first: dt.date
    last: dt.date


class GroupChart(NamedTuple):
    """A chart of the players an evening by weekday or by month, and its table, whose `rows` have their names."""

    key: str
    title: str
    rows: Sequence[NamedGroup]
    chart: Bars


@club_page(Can.DIRECT, real=True)
def club_statistics(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the attendance in the period of `?period=`, and who has not come for `?weeks=` weeks."""
    today = timezone.localdate()
    periods = list_periods(club, today)
    period = find_period(periods, request.GET.get("period", ""), today)
    attendance = read_attendance(club, period.first, period.last)
    weeks = read_weeks(request)
    absent = find_absent(club, today, weeks)
    context = {
        "club": club,
        "periods": periods,
        "period": period,
        "attendance": attendance,
        "charts": [chart for chart in draw_attendance(attendance) if chart.rows],
        "weeks": weeks,
        "weeks_text": str(weeks),
        "choices": WEEKS,
        "absent": absent[:MOST_ABSENT],
        "absent_total": len(absent),
    }
    return render(request, "statistics/club.html", context)


@club_page(Can.DIRECT, real=True)
def club_statistics_file(request: HttpRequest, club: Club) -> HttpResponse:
    """Answer with the file of `?table=`: the attendance, or those who have not come for long."""
    kind, table = request.GET.get("kind", CSV), request.GET.get("table", ATTENDANCE)
    today = timezone.localdate()
    if kind not in KINDS or table not in (ATTENDANCE, ABSENT):
        raise Http404
    if table == ABSENT:
        made = make_absent(find_absent(club, today, read_weeks(request)))
        return send_file(write_file([made], kind, club.name, made.title, today))
    period = find_period(list_periods(club, today), request.GET.get("period", ""), today)
    made = make_attendance(read_attendance(club, period.first, period.last))
    return send_file(write_file([made], kind, club.name, made.title, period.name))


def read_weeks(request: HttpRequest) -> int:
    asked = read_number(request.GET, "weeks", none=USUAL_WEEKS)
    return asked if asked in WEEKS else USUAL_WEEKS


def list_periods(club: Club, today: dt.date) -> list[AttendancePeriod]:
    """Return the club's own seasons, the newest first. A club without any has the sporting years of its sessions."""
    own = club.seasons.order_by("-starts_on", "-pk")
    found = [AttendancePeriod(str(each.pk), each.name, each.starts_on, each.ends_on) for each in own]
    if found:
        return found
    years = range(season_of(today), find_first_year(club, today) - 1, -1)
    return [AttendancePeriod(f"y{year}", f"{year}-{year + 1}", first_day_of(year), last_day_of(year)) for year in years]


def find_first_year(club: Club, today: dt.date) -> int:
    """Return the sporting year of the club's first session, or the current one."""
    first = club.tournaments.order_by("sessions__date").values_list("sessions__date", flat=True)
    date = first.filter(sessions__date__isnull=False).first()
    return min(season_of(date or today), season_of(today))


def find_period(periods: Sequence[AttendancePeriod], asked: str, today: dt.date) -> AttendancePeriod:
    """Return the period that is asked for, else the one with today, else the newest."""
    chosen = [period for period in periods if period.key == asked]
    current = [period for period in periods if period.first <= today <= period.last]
    return [*chosen, *current, *periods][0]


def draw_attendance(attendance: Attendance) -> list[GroupChart]:
    weekdays = [(str(WEEKDAYS[each.key]), each) for each in attendance.by_weekday]
    months = [(date_format(each.key, "F Y"), each) for each in attendance.by_month]
    short = [date_format(each.key, "M") for each in attendance.by_month]
    return [
        draw_groups("weekdays", _("Players an evening, by weekday"), weekdays, [name for name, _group in weekdays]),
        draw_groups("months", _("Players an evening, by month"), months, short),
    ]


def draw_groups(key: str, title: str, rows: Sequence[NamedGroup], labels: Sequence[str]) -> GroupChart:
    values = [
        Value(label, group.mean, name=f"{name}: {decimal(group.mean)}")
        for (name, group), label in zip(rows, labels, strict=True)
    ]
    return GroupChart(key, title, rows, draw_bars(values, decimal))
