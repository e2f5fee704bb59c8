"""Which connections waitress looks at when something happens: those where something may have, not all there are.

Its own loop asks each connection before each answer; with a thousand readers who keep theirs that costs more than most
answers. Where the system has no epoll (outside Linux) that loop serves all the same.
"""

import select
from time import monotonic
from typing import Any

from waitress.server import TcpWSGIServer
from waitress.wasyncore import readwrite

LOOK_AGAIN = 5.0  # seconds until all are looked at: waitress marks connections that were idle for long, to be closed


class Connections(dict[int, Any]):
    """What waitress listens to, by file number. `astir` may want something else than to be read."""

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
        """Waits until something happens, so long at most, and has it dealt with."""
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
        # Waits for its next request: only that can change what it wants. Listener and trigger have no requests.
        if reads and not writes and getattr(connection, "requests", None) == []:
            self.astir.discard(number)


def run(server: TcpWSGIServer) -> None:
    """As `server.run()`: until SIGINT or SIGTERM, and then until what is under way is done."""
    connections = server._map
    if not isinstance(connections, Connections):
        server.run()
        return
    try:
        while connections:
            connections.turn(server.adj.asyncore_loop_timeout)
    except (SystemExit, KeyboardInterrupt):
        server.task_dispatcher.shutdown()
