"""The lanes of a process. A lane is a group of threads for one kind of request: tables, desk, readers, rooms.

A request waits only for requests of its own kind. Therefore a thousand readers of a ranking, or a slow page for
readers, do not block the tables or the directors. All threads of a process still share one Python interpreter. Readers
have few threads, to use only a small part of its time.
"""

import re
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import connection
from waitress.task import ThreadedTaskDispatcher

TABLE, DESK, READER, HEALTH, PLAY = "table", "desk", "reader", "health", "rooms"
# The number of threads in each process. Each thread keeps a connection to the database.
THREADS = {TABLE: 4, DESK: 3, READER: 3, HEALTH: 1, PLAY: 3}
# SQLite allows one writer at a time. Other writers try again after growing pauses, so a busy site may let one of them
# wait too long. With one thread, requests of tables are answered in the order in which they came.
ON_SQLITE = THREADS | {TABLE: 1, PLAY: 2}


HEALTH_PATHS = ("/health/", "/metrics")
PLAY_PATH = re.compile(r"(?:/api/v1)?/rooms/(?:[0-9]+/(?:play|join|games)/|tables/[0-9]+/$)")  # where bots think


def lane_of(request: Any) -> str:
    """Return the lane of a request that waitress has read.

    A request that waitress could not read belongs to the readers' lane, where it is refused.
    """
    path, headers = getattr(request, "path", ""), request.headers
    return choose_lane(path, headers.get("COOKIE", ""), has_token="AUTHORIZATION" in headers)


def choose_lane(path: str, cookies: str, *, has_token: bool) -> str:
    """Return the lane of a request by its path and its headers.

    Requests with a session cookie or a program's token, even a wrong one, belong to the desk. So do static files, which
    are answered fast. Whoever plays in a room, logged in or not, waits only for others who do so: bots think
    meanwhile.
    """
    if path.startswith("/t/"):
        return TABLE
    if path.startswith(HEALTH_PATHS):
        return HEALTH
    if settings.ROOMS and PLAY_PATH.match(path):
        return PLAY
    if has_token or f"{settings.SESSION_COOKIE_NAME}=" in cookies or path.startswith(settings.STATIC_URL):
        return DESK
    return READER


class Lanes:
    """A dispatcher for waitress: it gives each connection that has a request to the threads of the right lane."""

    def __init__(self) -> None:
        threads = ON_SQLITE if connection.vendor == "sqlite" else THREADS
        self.lanes = {lane: ThreadedTaskDispatcher() for lane in threads if lane != PLAY or settings.ROOMS}
        for lane, dispatcher in self.lanes.items():
            dispatcher.set_thread_count(threads[lane])

    def add_task(self, connection: Any) -> None:
        """Give the connection's first request to its lane."""
        self.lanes[lane_of(connection.requests[0])].add_task(connection)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> None:
        """Stop all lanes. Together they have `timeout` seconds to finish the requests that are being answered."""
        end = monotonic() + timeout
        for lane in self.lanes.values():
            lane.set_thread_count(0)
        for lane in self.lanes.values():
            lane.shutdown(cancel_pending, max(0, end - monotonic()))
