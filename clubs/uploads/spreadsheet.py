"""The reader of the first sheet of a spreadsheet (XLSX, XLS, ODS). It gives rows of cells.

A child process reads the file, because a small file may claim more cells than there is memory.
"""

import io
import json
import zipfile
from datetime import date

from clubs.uploads.child import UploadRefused, read_in_child
from clubs.uploads.packed import open_packed

MOST_ROWS, MOST_CELLS = 10_000, 20
MOST_UNPACKED = 100_000_000  # bytes that a ZIP may claim to unpack to
DATES = "dates"
ZIP, OLD = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # the first bytes of a ZIP, which XLSX and ODS are, and of an old XLS


class SpreadsheetError(UploadRefused):
    """The error for a file that is not a spreadsheet, or that cannot be read within the limits."""


def is_spreadsheet(data: bytes) -> bool:
    return data.startswith((ZIP, OLD))


def read_rows(data: bytes, *, dates: bool = False) -> list[list[str]]:
    """Return the cells of the first sheet as text, row by row. With `dates`, days are written as 2026-08-31.

    Raise `SpreadsheetError` if the file has no sheet.
    """
    arguments = [DATES] if dates else []
    rows: list[list[str]] = json.loads(
        read_in_child("clubs.uploads.spreadsheet.write_rows", data, *arguments, refusal=SpreadsheetError)
    )
    return rows


def write_rows(data: bytes, *options: str) -> bytes:
    """Return the rows as JSON, in the child process."""
    from python_calamine import CalamineWorkbook

    if data.startswith(ZIP):
        require_small(data)
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    cells = book.get_sheet_by_index(0).to_python(skip_empty_area=False, nrows=MOST_ROWS)
    rows = [[write_cell(cell, dates=DATES in options) for cell in row[:MOST_CELLS]] for row in cells]
    return json.dumps(rows).encode()


def require_small(data: bytes) -> None:
    """Raise `SpreadsheetError` for a ZIP that claims to unpack to too much, or that cannot be opened."""
    try:
        with open_packed(data, SpreadsheetError) as packed:
            claimed = sum(entry.file_size for entry in packed.infolist())
    except zipfile.BadZipFile:
        raise SpreadsheetError("upload_unreadable", "file") from None
    if claimed > MOST_UNPACKED:
        raise SpreadsheetError("upload_memory", "file", most=MOST_UNPACKED // 10**6)


def write_cell(value: object, *, dates: bool) -> str:
    """Return a cell as text. A number such as a licence loses its “.0”.

    A date is not part of a name and gives "", unless `dates` are asked for.
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if dates and isinstance(value, date):
        return value.isoformat()[:10]
    return "" if isinstance(value, date | bool) else " ".join(str(value).split())
