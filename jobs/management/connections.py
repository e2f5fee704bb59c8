"""The connections of waitress: a faster way to wait for them, and a stricter reading of requests.

Waitress's own loop looks at all connections before each answer. With a thousand readers who keep their connections
open, that costs more time than most answers. The faster way needs epoll, which only Linux has; other systems use
waitress's own loop.
"""

import select
import signal
from time import monotonic
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.wasyncore import readwrite

# The seconds for the end of the process: LAST_SECONDS in all, LAST_CALL for connections without a whole request.
LAST_CALL, LAST_SECONDS = 0.5, 5.0
LOOK_AGAIN = 5.0  # after this number of seconds all connections are looked at, so that waitress can close idle ones


class Connections(dict[int, Any]):
    """The connections that waitress listens to, by file number. `listened` has the events that epoll waits for.

    `astir` has the numbers of the connections to look at again: each may now wait to read, to write, or for nothing.
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
        """Wait at most `seconds` for events on the connections, and handle them."""
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
        """Tell epoll which events this connection waits for at present: to read, to write, both, or none."""
        reads, writes = connection.readable(), connection.writable() and not connection.accepting
        wanted = (select.EPOLLIN | select.EPOLLPRI if reads else 0) | (select.EPOLLOUT if writes else 0)
        before = self.listened.get(number, 0)
        if wanted and not before:
            self.poll.register(number, wanted)
        elif wanted != before:
            self.poll.modify(number, wanted) if wanted else self.poll.unregister(number)
        self.listened[number] = wanted
        # The connection has no request at present. Only its next event can change that, so it need not be looked at.
        # Waitress's listener and trigger have no attribute `requests`.
        if reads and not writes and getattr(connection, "requests", None) == []:
            self.astir.discard(number)


def run_server(server: TcpWSGIServer) -> None:
    """Run the server until SIGINT or SIGTERM, then answer the requests that have arrived."""
    connections = server._map
    if not isinstance(connections, Connections):
        server.run()
        return
    try:
        while connections:
            connections.turn(server.adj.asyncore_loop_timeout)
    except (SystemExit, KeyboardInterrupt):
        # The supervisor and the first process of the site may both send SIGTERM. The second signal must not cut off an
        # answer.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        answer_the_last(server, connections)
        server.task_dispatcher.shutdown()


def answer_the_last(server: TcpWSGIServer, connections: Connections) -> None:
    """Accept no connection any more, and go on until every request that has arrived is answered.

    A connection that was accepted just now, or has sent a part of its request, has LAST_CALL seconds to send the rest.
    """
    connections.turn(0)  # accept the connections that wait
    began = monotonic()
    del connections[server._fileno]
    server.socket.close()
    while (spent := monotonic() - began) < LAST_SECONDS:
        if spent > LAST_CALL and not any(map(has_request, [*connections.values()])):
            return
        connections.turn(0.05)


def has_request(connection: Any) -> bool:
    """Return whether a request of the connection waits or is being answered, or its answer is being sent."""
    return bool(getattr(connection, "requests", None)) or getattr(connection, "total_outbufs_len", 0) > 0


TWO_LENGTHS = {b"content-length", b"transfer-encoding"}


class StrictParser(HTTPRequestParser):  # type: ignore[misc]
    """A parser that refuses a request with two lengths.

    Waitress reads it by its chunks. A proxy that reads it by its length sees the end of the request elsewhere, so what
    follows could be taken for somebody else's request.
    """

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        names = {line.partition(b":")[0].strip().lower() for line in header_plus.split(b"\r\n")[1:]}
        if names >= TWO_LENGTHS:
            raise ParsingError("A request has Content-Length or Transfer-Encoding, not both")


class StrictChannel(HTTPChannel):  # type: ignore[misc]
    """A connection whose requests are read by `StrictParser`."""

    parser_class: Any = StrictParser
