"""A table for a file, and its writing as CSV for a French spreadsheet, as a workbook, or as JSON for programs.

A CSV file begins with a BOM, so that the spreadsheet reads it as UTF-8. Semicolons separate the cells, decimals come
after a comma, and each line ends with CR and LF. No text is read as a formula or a date (`wording.table`).

The library of workbooks keeps one row in memory at a time. Texts stay texts: none becomes a formula or a link.
"""

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import xlsxwriter
from django.utils.text import slugify
from django.utils.timezone import localtime

from scoring.formats import MatchPoints
from wording.figures import decimal_text, round_half, write_comma_decimal
from wording.table import flatten_text, write_inert

SheetCell = str | int | Fraction | dt.date | dt.datetime | None
SheetRow = Sequence[SheetCell]


class CellKind(Enum):
    """The kind of the cells in a column. FIGURE is an exact number with two decimals, POINTS one with three.

    Match points are POINTS, because they are defined with three decimals.
    """

    TEXT = "text"
    WHOLE = "whole"
    FIGURE = "figure"
    DAY = "day"
    MOMENT = "moment"
    POINTS = "points"


PLACES = 2  # the number of decimals of a figure
POINT_PLACES = 3  # the number of decimals of match points


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a table. `name` is its name for programs, `label` its heading in the reader's language.

    `read` gives its cell in a row from what the row is about, by default the attribute `name`.
    """

    name: str
    label: str
    kind: CellKind = CellKind.TEXT
    read: Callable[[Any], SheetCell] | None = None

    def read_cell(self, about: Any) -> SheetCell:
        cell: SheetCell = getattr(about, self.name) if self.read is None else self.read(about)
        return cell


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table of a file. `code` is its name for programs, `title` its name in the reader's language."""

    code: str
    title: str
    columns: Sequence[SheetColumn]
    rows: Sequence[SheetRow]


def fill_table(code: str, title: str, columns: Sequence[SheetColumn], about: Iterable[Any]) -> SheetTable:
    """Return a table with a row about each of these, whose cells the columns read."""
    return SheetTable(code, title, columns, [[column.read_cell(each) for column in columns] for each in about])


BOM = "\ufeff"


def write_french_csv(table: SheetTable) -> bytes:
    """Return the table as a file. The first line has the headings."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([write_inert(column.label) for column in table.columns])
    kinds = [column.kind for column in table.columns]
    for row in table.rows:
        writer.writerow([write_csv_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)])
    return f"{BOM}{out.getvalue()}".encode()


def write_csv_cell(cell: SheetCell, kind: CellKind) -> str:
    if cell is None:
        return ""
    if isinstance(cell, dt.datetime):
        return f"{localtime(cell):%d/%m/%Y %H:%M}"
    if isinstance(cell, dt.date):
        return f"{cell:%d/%m/%Y}"
    if isinstance(cell, str):
        return write_inert(cell)
    if kind in (CellKind.POINTS, CellKind.FIGURE):
        return write_comma_decimal(Fraction(cell), POINT_PLACES if kind is CellKind.POINTS else PLACES)
    return str(cell)


def write_tables_json(tables: Sequence[SheetTable]) -> bytes:
    """Return the tables as JSON, by their codes.

    Figures are texts with four decimals, as `write_json_cell` writes them.
    """
    rows_by_code = {
        table.code: [
            {column.name: write_json_cell(cell) for column, cell in zip(table.columns, row, strict=True)}
            for row in table.rows
        ]
        for table in tables
    }
    return json.dumps(rows_by_code, ensure_ascii=False, indent=1).encode()


def write_json_cell(cell: SheetCell) -> str | int | None:
    """Return a cell for JSON. A figure is a text with four decimals, so that no program rounds it on reading."""
    if isinstance(cell, Fraction):
        return decimal_text(cell, 4)
    return cell.isoformat() if isinstance(cell, dt.date) else cell


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


CSV, XLSX, JSON = "csv", "xlsx", "json"
KINDS = {
    CSV: "text/csv; charset=utf-8",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    JSON: "application/json",
}


class SheetFile(NamedTuple):
    """A file: its bytes, its content type, and the name under which it is saved."""

    content: bytes
    content_type: str
    name: str


def write_file(tables: Sequence[SheetTable], kind: str, *parts: object) -> SheetFile:
    """Return the tables as a file of this kind. `parts` make its name. A CSV file has the first table only."""
    name = "-".join(slugify(str(part)) for part in parts if part) + f".{kind}"
    if kind == CSV:
        content = write_french_csv(tables[0])
    else:
        content = write_workbook(tables) if kind == XLSX else write_tables_json(tables)
    return SheetFile(content, KINDS[kind], name)
