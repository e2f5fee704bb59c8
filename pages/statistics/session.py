"""The page of how a session went, for its directors: by table and by étui, with its files."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from outgoing.sheets.director_tables import COURSE_ETUIS, COURSE_TABLES, make_course
from outgoing.sheets.files import CSV, KINDS, write_file
from pages.charts import Bars, Value, draw_bars
from pages.doors import Phase, author, session_page
from pages.downloads import send_file
from rankings.statistics import CourseRow, EveningCourse, read_course
from tournaments.models import Session
from tournaments.permissions import Can
from tournaments.words.figures import decimal

MOST_SWINGS = 12


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def session_course(request: HttpRequest, session: Session) -> HttpResponse:
    course = read_course(session, author(request))
    charts = {"pace": draw_pace(course), "swings": draw_swings(course.swings[:MOST_SWINGS])}
    return render(request, "statistics/session.html", {"session": session, "course": course} | charts)


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def session_course_file(request: HttpRequest, session: Session) -> HttpResponse:
    """Answer with the file of `?table=`: the session's course by table or by étui."""
    kind, table = request.GET.get("kind", CSV), request.GET.get("table", COURSE_TABLES)
    if kind not in KINDS or table not in (COURSE_TABLES, COURSE_ETUIS):
        raise Http404
    made = make_course(read_course(session, author(request)), table)
    return send_file(write_file([made], kind, session.tournament.name, session.number, made.title))


def draw_pace(course: EveningCourse) -> Bars | None:
    """Return the chart of the minutes a deal by table, or None if no time is known."""
    text = _("Table %(table)s: %(minutes)s min")
    values = [
        Value(str(row.number), minutes, text % {"table": row.number, "minutes": decimal(minutes)})
        for row in course.tables
        if (minutes := row.minutes) is not None
    ]
    return draw_bars(values, decimal) if values else None


def draw_swings(rows: Sequence[CourseRow]) -> Bars | None:
    """Return the chart of the largest swings by étui, or None without any."""
    text = _("Étui %(etui)s: %(swing)s points")
    values = [Value(str(row.number), row.swing, text % {"etui": row.number, "swing": row.swing}) for row in rows]
    return draw_bars(values) if values else None
