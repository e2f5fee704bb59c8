"""The reader of uploaded spreadsheets (XLSX, XLS, ODS). It gives the rows of one sheet, and names the other sheets.

A child process reads the file, because a small file may claim more cells than there is memory.

A cell is read as the spreadsheet shows it: a number keeps the zeros that its format puts in front.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, ClassVar, NamedTuple
from xml.etree import ElementTree

from clubs.lists import MOST_COLUMNS, count_columns
from clubs.uploads.child import UploadRefused, open_packed, read_in_child
from wording import Texts
from wording import gettext_noop as _
from wording.table import TOP, Rows

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

ZIP = b"PK\x03\x04"  # the first bytes of a ZIP, which XLSX and ODS are
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OPEN_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
VALUE_TYPE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value-type"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
IN_FORMAT = re.compile(r'\[[^]]*\]|[\\"\s_]')  # signs of a format that are not shown, and blanks
CELL = re.compile(r"([A-Z]+)(\d+)")


Place = tuple[int, int]  # of a cell: its row and its column, from 0


class OtherSheet(NamedTuple):
    """A sheet that is not read, with the number of its rows."""

    name: str
    hidden: bool
    rows: int


class Book(NamedTuple):
    """A spreadsheet: the rows of the sheet that is read, and the other sheets."""

    rows: Rows
    others: list[OtherSheet]


def read_book(data: bytes) -> Book:
    """Return the rows of the first visible sheet with a heading or, without one, of the first with two rows.

    Raise `SpreadsheetError` if the file or the sheet is too large.
    """
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    packed = open_small(data) if data.startswith(ZIP) else None
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    places = [place for place, each in enumerate(book.sheets_metadata) if each.typ == SheetTypeEnum.WorkSheet] or [0]
    shown = [place for place in places if book.sheets_metadata[place].visible == SheetVisibleEnum.Visible]
    chosen = choose_sheet(book, shown or places)
    others = [
        OtherSheet(sheet.name, place not in shown, sheet.height)
        for place in places
        if place != chosen and (sheet := book.get_sheet_by_index(place)).height
    ]
    zeros = find_zeros(packed, book.sheets_metadata[chosen].name) if packed else {}
    rows = read_sheet(book.get_sheet_by_index(chosen), zeros, MOST_ROWS + 1)
    if len(rows) > MOST_ROWS:
        raise SpreadsheetError("upload_rows", "file", most=MOST_ROWS)
    if (widest := max(map(len, rows), default=0)) > MOST_COLUMNS:
        raise SpreadsheetError("upload_columns", "file", most=MOST_COLUMNS, found=widest)
    return Book(rows, others)


def choose_sheet(book: "CalamineWorkbook", places: list[int]) -> int:
    """Return the place of the sheet that is the list."""
    tops = {place: read_sheet(book.get_sheet_by_index(place), {}, TOP) for place in places}
    with_heading = (place for place, rows in tops.items() if any(map(count_columns, rows)))
    with_rows = (place for place, rows in tops.items() if sum(map(any, rows)) > 1)
    return next(with_heading, next(with_rows, places[0]))


def read_sheet(sheet: "CalamineSheet", zeros: Mapping[Place, int], most_rows: int) -> Rows:
    """Return the cells of a sheet as text, without the empty ones at the end of rows and of the sheet.

    `zeros` has the width of the numbers that are shown with zeros in front.
    """
    rows: Rows = []
    for y, cells in enumerate(sheet.to_python(skip_empty_area=False, nrows=most_rows)):
        row = [write_cell(cell, zeros.get((y, x), 0)) for x, cell in enumerate(cells)]
        while row and not row[-1]:
            row.pop()
        rows.append(row)
    while rows and not rows[-1]:
        rows.pop()
    return rows


def write_cell(value: object, width: int = 0) -> str:
    """Return a cell as text on one line. A number such as a licence loses its “.0”, a day is written as 2026-08-31."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value)).zfill(width)
    return value.isoformat()[:10] if isinstance(value, date) else " ".join(str(value).split())


def find_zeros(packed: zipfile.ZipFile, name: str) -> dict[Place, int]:
    """Return the widths of the numbers of a sheet that are shown with zeros in front, such as 0012345."""
    find = find_zeros_of_ods if "content.xml" in packed.namelist() else find_zeros_of_xlsx
    return dict(find(packed, name))


def find_zeros_of_ods(packed: zipfile.ZipFile, name: str) -> Iterator[tuple[Place, int]]:
    """Yield each such cell with its width. An ODS has the text that a cell shows."""
    sheet, y, x = "", 0, 0
    with packed.open("content.xml") as file:
        for event, element in ElementTree.iterparse(file, ("start", "end")):
            kind = element.tag.removeprefix(OPEN_TABLE)
            if kind == "table":
                sheet, y = element.get(f"{OPEN_TABLE}name", ""), 0
            elif event == "end" and kind in ("table-cell", "covered-table-cell"):
                shown = "".join(element.itertext()) if element.get(VALUE_TYPE) == "float" else ""
                if sheet == name and re.fullmatch(r"0\d{1,19}", shown):
                    yield (y, x), len(shown)
                x += int(element.get(f"{OPEN_TABLE}number-columns-repeated", 1))
            elif event == "end" and kind == "table-row":
                y, x = y + int(element.get(f"{OPEN_TABLE}number-rows-repeated", 1)), 0
                element.clear()


def find_zeros_of_xlsx(packed: zipfile.ZipFile, name: str) -> Iterator[tuple[Place, int]]:
    """Yield each such cell with its width. An XLSX has the format of a cell, such as 0000000."""
    if "xl/styles.xml" not in packed.namelist():
        return
    widths = find_widths(ElementTree.fromstring(packed.read("xl/styles.xml")))
    if not widths:
        return
    sheets = ElementTree.fromstring(packed.read("xl/workbook.xml")).iter(f"{MAIN}sheet")
    link = next((each.get(RELATION) for each in sheets if each.get("name") == name), None)
    links = ElementTree.fromstring(packed.read("xl/_rels/workbook.xml.rels"))
    path = next((each.get("Target", "") for each in links if each.get("Id") == link), "")
    with packed.open(path.lstrip("/") if path.startswith("/") else f"xl/{path}") as file:
        for _event, element in ElementTree.iterparse(file):
            place = CELL.fullmatch(element.get("r", "")) if element.tag == f"{MAIN}c" else None
            if place and (width := widths.get(element.get("s", ""))):
                column = 0
                for letter in place[1]:
                    column = 26 * column + ord(letter) - 64
                yield (int(place[2]) - 1, column - 1), width
            if element.tag == f"{MAIN}row":
                element.clear()


def find_widths(styles: ElementTree.Element) -> dict[str, int]:
    """Return the number of digits that the styles of cells show at least, if their format is nothing but zeros."""
    formats = {each.get("numFmtId"): each.get("formatCode", "") for each in styles.iter(f"{MAIN}numFmt")}
    used = [formats.get(each.get("numFmtId"), "") for each in styles.iterfind(f"{MAIN}cellXfs/*")]
    shown = [IN_FORMAT.sub("", form.split(";")[0]) for form in used]
    return {str(place): len(form) for place, form in enumerate(shown) if 1 < len(form) <= 20 and not form.strip("0")}


MOST_ROWS = 10_000
MOST_UNPACKED = 100_000_000  # bytes that a ZIP may claim to unpack to
OLD = b"\xd0\xcf\x11\xe0"  # the first bytes of an old XLS


class SpreadsheetError(UploadRefused):
    """The error for a file that is not a spreadsheet, or that cannot be read within the limits."""

    messages: ClassVar[Texts] = {
        "upload_rows": _("A sheet may have at most %(most)s rows: choose a file with fewer."),
        "upload_columns": _(
            "A sheet may have at most %(most)s columns, and this one has %(found)s: delete some of them."
        ),
    }


def is_spreadsheet(data: bytes) -> bool:
    return data.startswith((ZIP, OLD))


def read_sheets(data: bytes) -> Book:
    """Return the rows of the sheet that has the list, and the other sheets.

    Raise `SpreadsheetError` if the file has no sheet, or a sheet that is too large.
    """
    rows, others = json.loads(read_in_child("clubs.uploads.spreadsheet.write_book", data, refusal=SpreadsheetError))
    return Book(rows, [OtherSheet(*each) for each in others])


def write_book(data: bytes) -> bytes:
    """Return a book as JSON, in the child process."""
    return json.dumps(read_book(data)).encode()


def open_small(data: bytes) -> zipfile.ZipFile:
    """Return an open ZIP. Raise `SpreadsheetError` if it claims to unpack to too much, or cannot be opened."""
    try:
        packed = open_packed(data, SpreadsheetError)
    except zipfile.BadZipFile:
        raise SpreadsheetError("upload_unreadable", "file") from None
    if sum(entry.file_size for entry in packed.infolist()) > MOST_UNPACKED:
        raise SpreadsheetError("upload_memory", "file", most=MOST_UNPACKED // 10**6)
    return packed
