"""The tables of statistics, for directors only: the attendance, who has not come for long, how a session went."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from outgoing.sheets.table import CellKind, SheetCell, SheetColumn, SheetRow, SheetTable
from rankings.statistics.attendance import AbsentPlayer, Attendance
from rankings.statistics.course import CourseRow, EveningCourse

ATTENDANCE, ABSENT, COURSE_TABLES, COURSE_ETUIS = "attendance", "absent", "course_tables", "course_etuis"


def make_attendance(attendance: Attendance) -> SheetTable:
    """Return the evenings of a period with their numbers of players."""
    columns = [
        SheetColumn("date", _("Date"), CellKind.DAY),
        SheetColumn("players", _("Players"), CellKind.WHOLE),
    ]
    return SheetTable(ATTENDANCE, _("Attendance"), columns, attendance.evenings)


def make_absent(absent: Iterable[AbsentPlayer]) -> SheetTable:
    """Return the players who have not come for long."""
    columns = [
        SheetColumn("last_name", _("Family name")),
        SheetColumn("first_name", _("First name")),
        SheetColumn("last_evening", _("Last evening"), CellKind.DAY),
        SheetColumn("evenings", _("Evenings"), CellKind.WHOLE),
    ]
    rows: list[SheetRow] = [[player.last_name, player.first_name, last, evenings] for player, last, evenings in absent]
    return SheetTable(ABSENT, _("Not seen for a long time"), columns, rows)


def make_course(course: EveningCourse, code: str) -> SheetTable:
    """Return a session's course by table or by étui: `code` is COURSE_TABLES or COURSE_ETUIS."""
    by_etui = code == COURSE_ETUIS
    number = SheetColumn("etui", _("Étui"), CellKind.WHOLE) if by_etui else None
    columns = [
        number or SheetColumn("table", _("Table"), CellKind.WHOLE),
        SheetColumn("deals", _("Deals"), CellKind.WHOLE),
        SheetColumn("minutes", _("Minutes a deal"), CellKind.FIGURE),
        SheetColumn("corrections", _("Corrections"), CellKind.WHOLE),
        SheetColumn("doubts", _("Doubts"), CellKind.WHOLE),
    ]
    if by_etui:
        columns += [
            SheetColumn("worst", _("Worst score"), CellKind.WHOLE),
            SheetColumn("best", _("Best score"), CellKind.WHOLE),
        ]
    rows = [list_course_cells(row, by_etui=by_etui) for row in (course.etuis if by_etui else course.tables)]
    return SheetTable(code, _("By étui") if by_etui else _("By table"), columns, rows)


def list_course_cells(row: CourseRow, *, by_etui: bool) -> SheetRow:
    cells: list[SheetCell] = [row.number, len(row.deals), row.minutes, row.corrections, row.doubts]
    if by_etui:
        cells += [row.scores[0], row.scores[-1]] if row.scores else [None, None]
    return cells
