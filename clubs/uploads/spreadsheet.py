"""The reader of uploaded spreadsheets (XLSX, XLS, ODS). It gives the rows of one sheet, and names the other sheets.

A child process reads the file, because a small file may claim more cells than there is memory.
"""

import json
import zipfile
from collections.abc import Collection
from typing import ClassVar

from clubs.lists.columns import MOST_COLUMNS, PEOPLE, ColumnKind, count_columns
from clubs.uploads.child import UploadRefused, read_in_child
from clubs.uploads.packed import open_packed
from clubs.uploads.sheets import ZIP, Book, OtherSheet, read_book
from wording import Texts
from wording import gettext_noop as _

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


def read_sheets(data: bytes, wanted: Collection[ColumnKind] = PEOPLE) -> Book:
    """Return the rows of the sheet that has the list, and the other sheets. `wanted`: the columns of such a list.

    Raise `SpreadsheetError` if the file has no sheet, or a sheet that is too large.
    """
    told = read_in_child("clubs.uploads.spreadsheet.write_book", data, *wanted, refusal=SpreadsheetError)
    rows, others = json.loads(told)
    return Book(rows, [OtherSheet(*each) for each in others])


def write_book(data: bytes, *wanted: str) -> bytes:
    """Return a book as JSON, in the child process."""
    if data.startswith(ZIP):
        require_small(data)
    kinds = frozenset(map(ColumnKind, wanted))
    book = read_book(data, lambda row: count_columns(row, kinds), MOST_ROWS + 1)
    if len(book.rows) > MOST_ROWS:
        raise SpreadsheetError("upload_rows", "file", most=MOST_ROWS)
    if (widest := max(map(len, book.rows), default=0)) > MOST_COLUMNS:
        raise SpreadsheetError("upload_columns", "file", most=MOST_COLUMNS, found=widest)
    return json.dumps(book).encode()


def require_small(data: bytes) -> None:
    """Raise `SpreadsheetError` for a ZIP that claims to unpack to too much, or that cannot be opened."""
    try:
        with open_packed(data, SpreadsheetError) as packed:
            claimed = sum(entry.file_size for entry in packed.infolist())
    except zipfile.BadZipFile:
        raise SpreadsheetError("upload_unreadable", "file") from None
    if claimed > MOST_UNPACKED:
        raise SpreadsheetError("upload_memory", "file", most=MOST_UNPACKED // 10**6)
