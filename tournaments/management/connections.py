"""The connections of waitress. When something happens, only connections that may have changed are checked.

Waitress's own loop asks each connection before each answer. With a thousand readers who keep theirs open, that costs
more than most answers. On a system without epoll (other than Linux) that loop is used.
"""

import select
from time import monotonic
from typing import Any

from waitress.server import TcpWSGIServer
from waitress.wasyncore import readwrite

LOOK_AGAIN = 5.0  # seconds until all are looked at: waitress marks connections that were idle for long, to be closed


class Connections(dict[int, Any]):
    """The connections that waitress listens to, by file number.

    Those in `astir` may want something other than to be read.
    """

    def __init__(self) -> None:
        super().__init__()
        self.poll = select.epoll()
        self.listened: dict[int, int] = {}
        self.astir: set[int] = set()
        self.look_again = 0.0

    def __setitem__(self, number: int, connection: Any) -> None:
        super().__setitem__(number, connection)
        self.astir.add(number)

    def __delitem__(self, number: int) -> None:
        super().__delitem__(number)
        self.astir.discard(number)
        if self.listened.pop(number, 0):
            self.poll.unregister(number)

    def turn(self, seconds: float) -> None:
        """Wait at most `seconds` until something happens, and handle it."""
        if monotonic() > self.look_again:
            self.astir.update(self)
            self.look_again = monotonic() + LOOK_AGAIN
        for number in [*self.astir]:
            self.listen(number, self[number])
        for number, events in self.poll.poll(seconds):
            connection = self.get(number)
            if connection is not None:
                self.astir.add(number)
                readwrite(connection, events)

    def listen(self, number: int, connection: Any) -> None:
        reads, writes = connection.readable(), connection.writable() and not connection.accepting
        wanted = (select.EPOLLIN | select.EPOLLPRI if reads else 0) | (select.EPOLLOUT if writes else 0)
        before = self.listened.get(number, 0)
        if wanted and not before:
            self.poll.register(number, wanted)
        elif wanted != before:
            self.poll.modify(number, wanted) if wanted else self.poll.unregister(number)
        self.listened[number] = wanted
        # It waits for its next request, and only that can change what it wants. Listener and trigger have no requests.
        if reads and not writes and getattr(connection, "requests", None) == []:
            self.astir.discard(number)


def run_server(server: TcpWSGIServer) -> None:
    """Run the server as `server.run()` does: until SIGINT or SIGTERM, then until the requests under way are done."""
    connections = server._map
    if not isinstance(connections, Connections):
        server.run()
        return
    try:
        while connections:
            connections.turn(server.adj.asyncore_loop_timeout)
    except (SystemExit, KeyboardInterrupt):
        server.task_dispatcher.shutdown()
