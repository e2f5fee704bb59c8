"""The writer of tables as a workbook, with a sheet for each table.

The library keeps one row in memory at a time. Texts stay texts: none becomes a formula or a link.
"""

import datetime as dt
import io
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import xlsxwriter
from django.utils.timezone import localtime

from outgoing.sheets.table import PLACES, POINT_PLACES, CellKind, SheetCell, SheetTable
from scoring.formats import MatchPoints
from wording.figures import round_half
from wording.table import flatten_text

FORMATS = {
    CellKind.TEXT: "@",
    CellKind.WHOLE: "0",
    CellKind.FIGURE: "0.00",
    CellKind.POINTS: "0.000",
    CellKind.DAY: "dd/mm/yyyy",
    CellKind.MOMENT: "dd/mm/yyyy hh:mm",
}
NARROWEST, WIDEST = 6, 40  # the least and the greatest width of a column, in letters
MEASURED = 500  # the number of rows that are read to choose the width of a column
MOST_TITLE = 31  # the most letters of a sheet's name
MOST_LETTERS = 32_767  # the most letters of one cell
NOT_IN_TITLE = re.compile(r"[\[\]:*?/\\']")
CREATED = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)  # the same tables give the same bytes
OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def write_workbook(tables: Sequence[SheetTable]) -> bytes:
    """Return the tables as an XLSX file. The heading of each sheet stays in view."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, OPTIONS)
    book.set_properties({"created": CREATED})
    head = book.add_format({"bold": True, "bottom": 1})
    pointed = any(column.kind is CellKind.POINTS for table in tables for column in table.columns)
    used = {kind: text for kind, text in FORMATS.items() if pointed or kind is not CellKind.POINTS}
    formats = {kind: book.add_format({"num_format": text}) for kind, text in used.items()}
    for table, title in zip(tables, name_sheets(table.title for table in tables), strict=True):
        write_sheet(book.add_worksheet(title), table, head, formats)
    book.close()
    return out.getvalue()


def write_sheet(sheet: Any, table: SheetTable, head: Any, formats: dict[CellKind, Any]) -> None:
    for place, column in enumerate(table.columns):
        sheet.set_column(place, place, measure_column(table, place), formats[column.kind])
    sheet.freeze_panes(1, 0)
    for place, column in enumerate(table.columns):
        sheet.write_string(0, place, flatten_text(column.label), head)
    kinds = [column.kind for column in table.columns]
    for number, row in enumerate(table.rows, start=1):
        for place, (cell, kind) in enumerate(zip(row, kinds, strict=True)):
            write_xlsx_cell(sheet, (number, place), cell, formats[kind])


def write_xlsx_cell(sheet: Any, place: tuple[int, int], cell: SheetCell, form: Any) -> None:
    if cell is None or cell == "":
        return
    if isinstance(cell, dt.datetime):
        sheet.write_datetime(*place, localtime(cell).replace(tzinfo=None), form)
    elif isinstance(cell, dt.date):
        sheet.write_datetime(*place, cell, form)
    elif isinstance(cell, str):
        sheet.write_string(*place, flatten_text(cell)[:MOST_LETTERS], form)
    elif isinstance(cell, Fraction):
        places = POINT_PLACES if isinstance(cell, MatchPoints) else PLACES
        sheet.write_number(*place, round_half(cell, places) / 10**places, form)
    else:
        sheet.write_number(*place, cell, form)


def measure_column(table: SheetTable, place: int) -> int:
    """Return the width of a column in letters: that of its longest cell, within limits."""
    kind, label = table.columns[place].kind, table.columns[place].label
    if kind in (CellKind.DAY, CellKind.MOMENT):
        return max(len(label) + 2, len(FORMATS[kind]) + 1)
    longest = max((len(str(row[place])) for row in table.rows[:MEASURED] if isinstance(row[place], str)), default=0)
    return min(max(NARROWEST, longest + 1, len(label) + 2), WIDEST)


def name_sheets(titles: Iterable[str]) -> list[str]:
    """Return a name for each sheet: short enough, without forbidden signs, each different from the others."""
    names: list[str] = []
    for title in titles:
        plain = " ".join(NOT_IN_TITLE.sub(" ", flatten_text(title)).split()) or "1"
        name, number = plain[:MOST_TITLE], 1
        while name.casefold() in {other.casefold() for other in names}:
            number += 1
            name = f"{plain[: MOST_TITLE - 4]} {number}"
        names.append(name)
    return names
