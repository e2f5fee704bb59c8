"""The stamps of tables in the cache. A waiting page learns from them, without a query, whether a table has changed.

Each write removes the table's stamp after its commit. A reader reads the stamp first, or makes a new one, and reads the
rows then. So a reader with the present stamp has seen every change. The cache also has, for each stamp, the moment when
the next step of the table is due. From then on, each page is told to load the table, and the first one makes the step.
"""

import datetime as dt
import re
import secrets
from contextlib import suppress

from django.core.cache import caches
from django.db import transaction
from redis.exceptions import RedisError

KEPT = 60  # seconds; then the table is read again, even if a stopped process could not remove the stamp
DRIVEN = 3  # seconds in which one request makes the steps; the others show the table as it is
STAMP = re.compile(r"[0-9a-f]{12}")


def stamp_key(table_id: int) -> str:
    return f"classic-{table_id}"


def due_key(stamp: str) -> str:
    return f"classic-due-{stamp}"


def is_unchanged(table_id: int, seen: str, now: float) -> bool:
    """Return whether nothing is new or due at a table for a reader who has the stamp `seen`. One look at the cache."""
    if not STAMP.fullmatch(seen):
        return False
    with suppress(RedisError):
        cached = caches["computed"].get_many([stamp_key(table_id), due_key(seen)])
        due = cached.get(due_key(seen))
        return cached.get(stamp_key(table_id)) == seen and due is not None and (due == 0 or now < due)
    return False


def read_stamp(table_id: int) -> str:
    """Return the stamp of a table, and make it if there is none. The caller reads the rows afterwards."""
    made = secrets.token_hex(6)
    with suppress(RedisError):
        caches["computed"].add(stamp_key(table_id), made, KEPT)
        return caches["computed"].get(stamp_key(table_id)) or made
    return made


def note_due(stamp: str, due: dt.datetime | None) -> None:
    """Store when the next step of the table with this stamp is due. None: the table waits for its players."""
    with suppress(RedisError):
        caches["computed"].set(due_key(stamp), due.timestamp() if due else 0, KEPT)


def note_change(table_id: int) -> None:
    """Remove the stamp of a table once the transaction is committed."""
    transaction.on_commit(lambda: drop_stamp(table_id), robust=True)


def drop_stamp(table_id: int) -> None:
    """Remove the stamp of a table, so that everybody reads it again."""
    with suppress(RedisError):
        caches["computed"].delete(stamp_key(table_id))


def take_wheel(table_id: int) -> bool:
    """Return whether this request makes the steps that are due at a table, and no other one does so already."""
    with suppress(RedisError):
        return bool(caches["computed"].add(f"{stamp_key(table_id)}-driven", True, DRIVEN))
    return True


def leave_wheel(table_id: int) -> None:
    """Let the next request make the steps that are due at a table."""
    with suppress(RedisError):
        caches["computed"].delete(f"{stamp_key(table_id)}-driven")
