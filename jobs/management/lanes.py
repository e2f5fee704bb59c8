"""The lanes of a process. A lane is a group of threads for one kind of request: tables, desk, readers, rooms.

A request waits only for requests of its own kind. Therefore a thousand readers of a ranking, or a slow page for
readers, do not block the tables or the directors. All threads of a process still share one Python interpreter. Readers
have few threads, to use only a small part of its time. A move in a room waits a moment while a table or a desk is
answered: an evening comes first.
"""

import re
from threading import Condition
from time import monotonic
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection
from waitress.task import ThreadedTaskDispatcher

TABLE, DESK, READER, HEALTH, PLAY = "table", "desk", "reader", "health", "rooms"
# The number of threads in each process. Each thread keeps a connection to the database.
THREADS = {TABLE: 4, DESK: 3, READER: 3, HEALTH: 1, PLAY: 2}
# SQLite allows one writer at a time. Other writers try again after growing pauses, so a busy site may let one of them
# wait too long. With one thread, requests of tables are answered in the order in which they came.
ON_SQLITE = THREADS | {TABLE: 1, PLAY: 2}
PATIENCE = 0.1  # seconds that a move in a room waits at most while tables and desks are answered

HEALTH_PATHS = ("/health/", "/metrics")
# The pages on which bots think.
PLAY_PATH = re.compile(
    r"(?:/api/v1)?/rooms/(?:[0-9]+/(?:play|join|games)/|tables/[0-9]+/$|.*/etuis/[0-9]+/(?:trial|review)/$)"
)


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


class Evening:
    """The requests of tables and desks that are answered now."""

    def __init__(self) -> None:
        self.changed, self.answered_now = Condition(), 0

    def wait_for_end(self) -> None:
        """Wait until no request of an evening is answered, at most PATIENCE seconds."""
        with self.changed:
            self.changed.wait_for(lambda: not self.answered_now, PATIENCE)

    def __enter__(self) -> None:
        with self.changed:
            self.answered_now += 1

    def __exit__(self, *error: object) -> None:
        with self.changed:
            self.answered_now -= 1
            self.changed.notify_all()


class EveningRequest(NamedTuple):
    """A connection with a request of a table or a desk, as a task of waitress."""

    connection: Any
    evening: Evening

    def service(self) -> None:
        with self.evening:
            self.connection.service()

    def cancel(self) -> None:
        self.connection.cancel()


class PlayRequest(NamedTuple):
    """A connection with a move in a room, as a task of waitress. The evening comes first."""

    connection: Any
    evening: Evening

    def service(self) -> None:
        self.evening.wait_for_end()
        self.connection.service()

    def cancel(self) -> None:
        self.connection.cancel()


TASKS = {TABLE: EveningRequest, DESK: EveningRequest, PLAY: PlayRequest}


class Lanes:
    """A dispatcher for waitress: it gives each connection that has a request to the threads of the right lane."""

    def __init__(self) -> None:
        self.evening = Evening()
        threads = ON_SQLITE if connection.vendor == "sqlite" else THREADS
        self.lanes = {lane: ThreadedTaskDispatcher() for lane in threads if lane != PLAY or settings.ROOMS}
        for lane, dispatcher in self.lanes.items():
            dispatcher.set_thread_count(threads[lane])

    def add_task(self, connection: Any) -> None:
        """Give the connection's first request to its lane."""
        lane = lane_of(connection.requests[0])
        made = TASKS.get(lane)
        self.lanes[lane].add_task(made(connection, self.evening) if made else connection)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> None:
        """Stop all lanes. Together they have `timeout` seconds to finish the requests that are being answered."""
        end = monotonic() + timeout
        for lane in self.lanes.values():
            lane.set_thread_count(0)
        for lane in self.lanes.values():
            lane.shutdown(cancel_pending, max(0, end - monotonic()))
