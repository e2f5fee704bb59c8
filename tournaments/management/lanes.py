"""The lanes of a process: separate threads for tables, for the desk, and for readers, so nobody waits for another kind.

A request waits in the queue of its own lane, without a thread. So a thousand readers of a ranking, or a slow page of
theirs, hold up no table and no director. Machines that ask whether the site lives have a lane too: in the lane of
readers a full hall would look like a dead site. The rest of a process is shared, above all its one interpreter: fewer
threads for readers keep their share of it small.
"""

from time import monotonic
from typing import Any

from django.conf import settings
from django.db import connection
from waitress.task import ThreadedTaskDispatcher

TABLE, DESK, READER, HEALTH = "table", "desk", "reader", "health"
# In each process. Each thread keeps a connection to the database.
THREADS = {TABLE: 4, DESK: 3, READER: 3, HEALTH: 1}
# SQLite has one writer. A second writer tries again after growing pauses, so of several that write without end, one
# comes too late. So tables wait for each other here, in the order in which they came.
ON_SQLITE = THREADS | {TABLE: 1}


def lane_of(request: Any) -> str:
    """Return the lane of a request that waitress has read.

    A request that cannot be read is refused in the lane of readers.

    The desk's lane is for requests of an account or with a program's token, even a wrong one, and for static files,
    which hold nobody up.
    """
    path, headers = getattr(request, "path", ""), request.headers
    if path.startswith("/t/"):
        return TABLE
    if path.startswith("/health/"):
        return HEALTH
    known = "AUTHORIZATION" in headers or f"{settings.SESSION_COOKIE_NAME}=" in headers.get("COOKIE", "")
    return DESK if known or path.startswith(settings.STATIC_URL) else READER


class Lanes:
    """A dispatcher for waitress, which hands over a connection whenever it has a request."""

    def __init__(self) -> None:
        threads = ON_SQLITE if connection.vendor == "sqlite" else THREADS
        self.lanes = {lane: ThreadedTaskDispatcher() for lane in threads}
        for lane, count in threads.items():
            self.lanes[lane].set_thread_count(count)

    def add_task(self, connection: Any) -> None:
        self.lanes[lane_of(connection.requests[0])].add_task(connection)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> None:
        """Stop all lanes. Together they have `timeout` seconds for the requests under way."""
        end = monotonic() + timeout
        for lane in self.lanes.values():
            lane.set_thread_count(0)
        for lane in self.lanes.values():
            lane.shutdown(cancel_pending, max(0, end - monotonic()))
