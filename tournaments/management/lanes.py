"""Who waits for whom: each process of the site has threads for tables, for the desk, and for readers.

Whoever asks waits in the queue of his own kind, without a thread: a thousand readers of a ranking, or a slow page of
theirs, so never hold a table up, nor those who direct. The rest of a process, its one interpreter above all, is shared:
fewer threads for readers than for the others keep their part of it small.
"""

from time import monotonic
from typing import Any

from django.conf import settings
from django.db import connection
from waitress.task import ThreadedTaskDispatcher

TABLE, DESK, READER = "table", "desk", "reader"
# In each process; each keeps a connection to the database.
THREADS = {TABLE: 4, DESK: 3, READER: 3}
# SQLite has one writer, and whoever finds another one there asks again after pauses that grow: of several that write
# without end one comes too late in the end. Tables so wait for each other here, in the order in which they came.
ON_SQLITE = THREADS | {TABLE: 1}


def lane_of(request: Any) -> str:
    """The lane of a request as waitress has read it. What cannot be read is refused among readers.

    At the desk is who has an account or a program's token, or says so; and files, which hold nobody up.
    """
    path, headers = getattr(request, "path", ""), request.headers
    if path.startswith("/t/"):
        return TABLE
    known = "AUTHORIZATION" in headers or f"{settings.SESSION_COOKIE_NAME}=" in headers.get("COOKIE", "")
    return DESK if known or path.startswith(settings.STATIC_URL) else READER


class Lanes:
    """A dispatcher for waitress, which hands a connection over whenever it has a request."""

    def __init__(self) -> None:
        threads = ON_SQLITE if connection.vendor == "sqlite" else THREADS
        self.lanes = {lane: ThreadedTaskDispatcher() for lane in threads}
        for lane, count in threads.items():
            self.lanes[lane].set_thread_count(count)

    def add_task(self, connection: Any) -> None:
        self.lanes[lane_of(connection.requests[0])].add_task(connection)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> None:
        """All together have so many seconds for what is under way."""
        end = monotonic() + timeout
        for lane in self.lanes.values():
            lane.set_thread_count(0)
        for lane in self.lanes.values():
            lane.shutdown(cancel_pending, max(0, end - monotonic()))
