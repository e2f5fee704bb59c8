"""The one way to read a file that is sent to be text: how long it may be, and how its letters may be written."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

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
