"""The reading of uploaded files with a text: a form that shows the text, the limit of size, and the encoding."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext

from clubs.lists import count_columns
from clubs.uploads.spreadsheet import OtherSheet, SpreadsheetError, is_spreadsheet, read_sheets
from tournaments.words.messages import say
from wording.table import TOP, Rows, decode_text, find_delimiter, read_csv, split_rows, write_cells

MAX_FILE = 2_000_000
TICK = re.compile(r"|true|false")


class FileInTextForm(forms.Form):
    """A form with the fields `text` and `file`. The content of a file replaces the text, and can be corrected there."""

    def __init__(self, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        self.unreadable: ValidationError | None = None
        upload = files.get("file") if files else None
        if upload is not None:
            data = data.copy() if data else QueryDict(mutable=True)
            try:
                data["text"] = self.read_file(upload)
            except ValidationError as error:
                self.unreadable = error
        super().__init__(data, files, **kwargs)

    def read_file(self, upload: Any) -> str:
        """Return the text of an uploaded file. Raise ValidationError if it has none, or is too large."""
        return read_text(upload)

    def clean_file(self) -> None:
        if self.unreadable:
            raise self.unreadable


def read_bytes(upload: Any) -> bytes:
    """Return the content of an uploaded file. Raise ValidationError if it has more than MAX_FILE bytes."""
    if upload.size > MAX_FILE:
        raise ValidationError(gettext("The file is too large: choose another."))
    content: bytes = upload.read()
    return content


def read_text(upload: Any) -> str:
    """Return the text of an uploaded file in UTF-8. Raise ValidationError if it is no such text, or too large."""
    data = read_bytes(upload)
    try:
        if b"\0" not in data:
            return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    raise ValidationError(gettext("The file is not text in UTF-8: save it as UTF-8, then choose it again."))


def read_names(upload: Any) -> tuple[str, list[OtherSheet]]:
    """Return the text of a list of players, and the sheets of its spreadsheet that are not read.

    The text has the rows of a table, and the lines of any other list. A text file may be UTF-8, UTF-16 or
    Windows-1252. Raise ValidationError if the file is too large or is not a list.
    """
    data = read_bytes(upload)
    try:
        if is_spreadsheet(data):
            book = read_sheets(data)
            return write_list(book.rows), book.others
        return drop_quotes(decode_text(data)), []
    except (ValueError, SpreadsheetError) as error:
        text = gettext("This file is not a list of names: save it as XLSX, CSV or text, and choose it again.")
        limit = error if isinstance(error, SpreadsheetError) and error.code != "upload_unreadable" else None
        raise ValidationError(say(limit) if limit else text) from error


def write_list(rows: Rows) -> str:
    """Return the rows of a sheet as a text: a table with a heading, or a line of each row without one.

    Ticks are no names, so such a line leaves them out.
    """
    if is_table(rows):
        return write_cells(rows)
    return "\n".join("; ".join(cell.replace(";", " ") for cell in row if not TICK.fullmatch(cell)) for row in rows)


def is_table(rows: Rows) -> bool:
    """Return whether one of the first rows names columns."""
    return any(len(row) > 1 and count_columns(row) for row in rows[:TOP])


def drop_quotes(text: str) -> str:
    """Return a list without a heading without the quotes around its cells. Return any other text as it is."""
    lines = text.splitlines()
    delimiter = find_delimiter(next((line for line in lines if line.strip()), ""))
    if not delimiter or '"' not in text or is_table(split_rows(text, count_columns)):
        return text
    return "\n".join("; ".join(read_csv(line, delimiter)[0]) if '"' in line else line for line in lines)
