"""The kinds of database failure: a code for programs, two texts for people and one line for the log.

The error code of PostgreSQL (SQLSTATE) or of SQLite shows the kind of failure, such as a full disk. An error of a query
that belongs to none of these kinds is a bug of the site.
"""

import sqlite3
import traceback
from typing import Any, NamedTuple

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils.translation import gettext

from wording import gettext_noop as _


class DatabaseFailure(NamedTuple):
    """A kind of failure of the database.

    `title` and `advice` are shown to users, and are translated. `logged` is the line in the log, for the site's
    administrator. `retry_after` is the number of seconds after which the same request may succeed.
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
        "What was saved is still there, and the tables’ phones keep what they entered. Try again in a few seconds. "
        "If you had just saved something, check first whether it is there."
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
        "Nothing can be saved until there is room again. What was saved is still there, and the tables’ "
        "phones keep what they entered. Ask the site’s administrator to free some space on that disk: "
        "everything then goes on by itself."
    ),
    logged="the disk of the database is full: free some space on it",
    retry_after=60,
)
READ_ONLY = DatabaseFailure(
    code="database_read_only",
    title=_("The site cannot write to its database"),
    advice=_(
        "Nothing can be saved. What was saved is still there, and the tables’ phones keep what they entered. "
        "Tell the site’s administrator: the site must be allowed to write to its database, and to the folder "
        "that holds it."
    ),
    logged="the database cannot be opened for writing: let the site’s user write to it and to its folder",
    retry_after=60,
)
NOT_MIGRATED = DatabaseFailure(
    code="database_not_migrated",
    title=_("The database is not ready for this version of the site"),
    advice=_(
        "Tables are missing, or belong to an older version. The tables’ phones keep what they entered. Ask "
        "the site’s administrator to run the command “upgrade” and to start the site again."
    ),
    logged="the database lacks tables or columns of this version: run the command `upgrade`, then start again",
    retry_after=60,
)
DAMAGED = DatabaseFailure(
    code="database_damaged",
    title=_("The database is damaged"),
    advice=_(
        "It can no longer be read. The tables’ phones keep what they entered. Ask the site’s administrator "
        "to stop the site, put the damaged file aside and restore the newest backup."
    ),
    logged="the database is damaged: stop the site, put the damaged file aside, restore the newest backup",
    retry_after=60,
)

FAILURES = (SILENT, CONFLICT, FULL, READ_ONLY, NOT_MIGRATED, DAMAGED)
BY_SQLSTATE = {
    "25006": READ_ONLY,
    "3F000": NOT_MIGRATED,  # a schema is missing
    "42P01": NOT_MIGRATED,  # a table is missing
    "42703": NOT_MIGRATED,  # a column is missing
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
# Parts of SQLite's messages about a missing table or column. SQLite has only one code for every wrong query.
LACKING = ("no such table", "no such column", "has no column named")


def find_failure(error: BaseException | None) -> DatabaseFailure | None:
    """Return the kind of failure that caused a database error of Django.

    Return None if the error does not come from the database, or if it is a bug of the site.
    """
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__ or error  # the error that the driver raised
    code = getattr(cause, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_ERROR:
        return NOT_MIGRATED if any(words in str(cause) for words in LACKING) else None
    if code is not None:
        failure = BY_SQLITE_CODE.get(code) or BY_SQLITE_CODE.get(code & 0xFF)
    else:
        failure = BY_SQLSTATE.get(getattr(cause, "sqlstate", None) or "")
    return failure or (SILENT if isinstance(error, OperationalError | InterfaceError) else None)


def describe_failure(failure: DatabaseFailure) -> dict[str, Any]:
    """Return the failure as JSON for programs, with a message in the active language."""
    message = ". ".join(map(gettext, (failure.title, failure.advice)))
    return {"error": {"code": failure.code, "field": "", "message": message, "params": {}}}


def first_line(error: BaseException) -> str:
    """Return the first line of the database's own message."""
    return str(error).partition("\n")[0]


def let_go(error: BaseException | None) -> None:
    """Clear the local variables in the tracebacks of an error and of its causes.

    Some of these variables are cursors. A cursor keeps a SQLite database open after its connection was closed, until
    the next garbage collection, and a site without requests never starts one.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__
