"""The reading of all uploaded text files, with limits on their size and rules for their encoding."""

import codecs
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from clubs.licences.reading import split_table
from clubs.roster_file import lines_of, lines_of_rows
from clubs.uploads.spreadsheet import SpreadsheetError, is_spreadsheet, read_rows
from tournaments.words.messages import say

MAX_FILE = 2_000_000


def read_upload(upload: Any, *, most: int = MAX_FILE, otherwise: str = "") -> str:
    """Return the text of an uploaded file in UTF-8, or in the encoding `otherwise` if it is not UTF-8.

    Raise ValidationError if the file has more than `most` bytes, or if it is not a text.
    """
    if upload.size > most:
        raise ValidationError(gettext("The file is too large: choose another."))
    data: bytes = upload.read()
    try:
        if b"\0" not in data:
            return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if otherwise:
            return data.decode(otherwise, errors="replace")
    raise ValidationError(gettext("The file is not text in UTF-8: save it as UTF-8, then choose it again."))


def put_file_into_text(data: Any, files: Any) -> tuple[Any, ValidationError | None]:
    """Return a form's data with the text of an uploaded `file` as its `text`, and the error if it cannot be read.

    So the form shows the text of the file, and it can be corrected there.
    """
    upload = files.get("file") if files else None
    if upload is None:
        return data, None
    data = data.copy()
    try:
        data["text"] = read_upload(upload)
    except ValidationError as error:
        return data, error
    return data, None


def read_names(upload: Any) -> str:
    """Return a list of players from an uploaded spreadsheet or text file as text, one player on each line.

    The text may be UTF-8, UTF-16 or Windows-1252. Raise ValidationError if the file is too large or is not a list.
    """
    if upload.size > MAX_FILE:
        raise ValidationError(gettext("The file is too large: choose another."))
    data: bytes = upload.read()
    try:
        if is_spreadsheet(data):
            return lines_of_rows(read_rows(data))
        return lines_of(decode_names(data))
    except (ValueError, SpreadsheetError) as error:
        text = gettext("This file is not a list of names: save it as XLSX, CSV or text, and choose it again.")
        raise ValidationError(explain(error, text)) from error


def read_table(upload: Any) -> list[list[str]]:
    """Return the rows of a table from a spreadsheet or a CSV file, with days as 2026-08-31.

    Raise ValidationError if the file is too large or is not a table.
    """
    if upload.size > MAX_FILE:
        raise ValidationError(gettext("The file is too large: choose another."))
    data: bytes = upload.read()
    try:
        return read_rows(data, dates=True) if is_spreadsheet(data) else split_table(decode_names(data))
    except (ValueError, SpreadsheetError) as error:
        text = gettext("This file is not a table: save it as XLSX or CSV, and choose it again.")
        raise ValidationError(explain(error, text)) from error


def explain(error: Exception, unreadable: str) -> str:
    """Return the sentence of a limit that a spreadsheet exceeds, or the one of files that are not readable."""
    if isinstance(error, SpreadsheetError) and error.code != "upload_unreadable":
        return say(error)
    return unreadable


def decode_names(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16")
    if b"\0" in data:
        raise ValueError("no text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
