"""What a failed question to the database means: a code for programs, two texts for people, one line for the log.

A database that does not answer is told from one that answers and cannot: by the code of PostgreSQL (SQLSTATE) or of
SQLite in the error. Whatever else is wrong with a question is a fault of ours, and no `DatabaseFailure`.
"""

import sqlite3
import traceback
from typing import Any, NamedTuple

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils.translation import gettext

from wording import gettext_noop as _


class DatabaseFailure(NamedTuple):
    """A kind of failure. `title` and `advice` are for readers, and translated; `logged` is for whoever runs the site.

    After `retry_after` seconds the same request may succeed.
    """

    code: str
    title: str
    advice: str
    logged: str
    retry_after: int


SILENT = DatabaseFailure(
    code="database_silent",
    title=_("The database does not answer"),
    advice=_(
        "What was saved is still saved, and the tables’ phones keep what they entered. Try again in a few seconds; if"
        " you had just saved something, look first whether it is there."
    ),
    logged="the database did not answer",
    retry_after=5,
)
CONFLICT = DatabaseFailure(
    code="database_conflict",
    title=_("Somebody else was saving at the same moment"),
    advice=_("What you just sent was not saved. Try again at once."),
    logged="the database gave up one of two requests that waited for each other",
    retry_after=1,
)
FULL = DatabaseFailure(
    code="database_full",
    title=_("The disk of the database is full"),
    advice=_(
        "Nothing can be saved until there is room again. What was saved is still there, and the tables’ phones keep"
        " what they entered. Tell whoever looks after the site to free some space on that disk: then everything goes"
        " on by itself."
    ),
    logged="the disk of the database is full: free some space on it",
    retry_after=60,
)
READ_ONLY = DatabaseFailure(
    code="database_read_only",
    title=_("The site cannot write to its database"),
    advice=_(
        "Nothing can be saved. What was saved is still there, and the tables’ phones keep what they entered. Tell"
        " whoever looks after the site: it must be allowed to write to its database, and to the folder that holds it."
    ),
    logged="the database cannot be opened for writing: let the site’s user write to it and to its folder",
    retry_after=60,
)
NOT_MIGRATED = DatabaseFailure(
    code="database_not_migrated",
    title=_("The database is not ready for this version of the site"),
    advice=_(
        "Tables are missing, or belong to an older version. The tables’ phones keep what they entered. Tell whoever"
        " looks after the site to run “python manage.py migrate” and to start the site again."
    ),
    logged="the database lacks tables or columns of this version: run `python manage.py migrate`, then start again",
    retry_after=60,
)
DAMAGED = DatabaseFailure(
    code="database_damaged",
    title=_("The database is damaged"),
    advice=_(
        "It can no longer be read. The tables’ phones keep what they entered. Tell whoever looks after the site to stop"
        " it, to put the damaged file aside and to restore the newest backup."
    ),
    logged="the database is damaged: stop the site, put the damaged file aside, restore the newest backup",
    retry_after=60,
)

FAILURES = (SILENT, CONFLICT, FULL, READ_ONLY, NOT_MIGRATED, DAMAGED)
BY_SQLSTATE = {
    "25006": READ_ONLY,
    "3F000": NOT_MIGRATED,  # a schema is missing,
    "42P01": NOT_MIGRATED,  # a table,
    "42703": NOT_MIGRATED,  # a column
    "40001": CONFLICT,
    "40P01": CONFLICT,
    "53100": FULL,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}
BY_SQLITE_CODE = {
    sqlite3.SQLITE_CANTOPEN: READ_ONLY,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: FULL,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
}
LACKING = ("no such table", "no such column", "has no column named")  # SQLite has one code for all that is wrong


def find_failure(error: BaseException | None) -> DatabaseFailure | None:
    """Return what a database error of Django's means; None for another error, or one that is a fault of ours."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__ or error  # what the driver raised
    code = getattr(cause, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_ERROR:
        return NOT_MIGRATED if any(words in str(cause) for words in LACKING) else None
    if code is not None:
        known = BY_SQLITE_CODE.get(code) or BY_SQLITE_CODE.get(code & 0xFF)
    else:
        known = BY_SQLSTATE.get(getattr(cause, "sqlstate", None) or "")
    return known or (SILENT if isinstance(error, OperationalError | InterfaceError) else None)


def describe_failure(failure: DatabaseFailure) -> dict[str, Any]:
    """Return what programs are told, in the language that is active."""
    message = ". ".join(map(gettext, (failure.title, failure.advice)))
    return {"error": {"code": failure.code, "field": "", "message": message, "params": {}}}


def first_line(error: BaseException) -> str:
    """Return what the database itself said, on one line."""
    return str(error).partition("\n")[0]


def let_go(error: BaseException | None) -> None:
    """Takes from an error what it holds of the frames it came through: their cursors keep a SQLite database open after
    its connection has been closed, until the garbage is collected, which a site at rest never does."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__
