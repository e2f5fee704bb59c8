"""The one way to read a file that is sent to be text: how long it may be, and how its letters may be written."""

import codecs
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from clubs.roster_file import lines_of, lines_of_rows
from clubs.spreadsheet import is_spreadsheet, read_rows

MAX_FILE = 2_000_000


def read_upload(upload: Any, *, most: int = MAX_FILE, otherwise: str = "") -> str:
    """The text of an uploaded file of at most so many bytes: UTF-8, or else the encoding `otherwise`.

    Raises ValidationError where it is longer, so that nothing is cut, or no text.
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


def read_names(upload: Any) -> str:
    """The lines of a list of players: of a spreadsheet, or of text, as UTF-8, UTF-16, or what Windows made of it.

    Raises ValidationError where it is too large, or no list.
    """
    if upload.size > MAX_FILE:
        raise ValidationError(gettext("The file is too large: choose another."))
    data: bytes = upload.read()
    try:
        if is_spreadsheet(data):
            return lines_of_rows(read_rows(data))
        return lines_of(decode_names(data))
    except ValueError as error:
        raise ValidationError(
            gettext("This file is no list of names: save it as XLSX, CSV or text, and choose it again.")
        ) from error


def decode_names(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16")
    if b"\0" in data:
        raise ValueError("no text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
