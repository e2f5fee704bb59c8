"""The site's own loop for waitress: idle connections cost nothing, and none is forgotten."""

import contextlib
import socket

import pytest
from waitress.server import create_server

from jobs.management.connections import Connections
from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("race")

LONG = b"x" * 5_000_000  # more than a socket takes at once
END = b"\r\n\r\n"
ALWAYS = 2  # listener and trigger, which every turn looks at


def answer(environ, start_response):
    body = LONG if environ["PATH_INFO"] == "/long" else environ["wsgi.input"].read() or b"ok"
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


class Served:
    """A server whose loop the test turns itself."""

    def __init__(self):
        self.connections = Connections()
        listener = socket.create_server(("127.0.0.1", 0))
        self.server = create_server(answer, map=self.connections, sockets=[listener], channel_timeout=0)
        self.clients = []
        self.port = listener.getsockname()[1]

    def connect(self):
        client = socket.create_connection(("127.0.0.1", self.port))
        client.setblocking(False)
        self.clients.append(client)
        return client

    def until(self, predicate, what):
        def turned():
            self.connections.turn(0.01)
            return predicate()

        return wait_until(turned, what=what)

    def ask(self, client, *parts, path="/"):
        """Return the body of the whole answer to a request that is sent in parts, with turns between them."""
        client.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {sum(map(len, parts))}\r\n\r\n".encode())
        for part in parts:
            self.connections.turn(0)
            client.sendall(part)
        return self.read(client)

    def read(self, client):
        told = b""

        def whole():
            nonlocal told
            with contextlib.suppress(BlockingIOError):
                told += client.recv(1_000_000)
            head, _, body = told.partition(END)
            length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            return length.isdigit() and len(body) >= int(length)

        self.until(whole, "a whole answer")
        return told.partition(END)[2]

    def is_calm(self):
        return len(self.connections.astir) <= ALWAYS


@pytest.fixture
def served():
    served = Served()
    yield served
    served.server.task_dispatcher.shutdown()
    for connection in [*served.connections.values(), *served.clients]:
        connection.close()


def test_connection_that_waits_for_its_next_request_is_not_looked_at(served):
    clients = [served.connect() for _ in range(20)]
    assert [served.ask(client) for client in clients] == [b"ok"] * 20
    served.until(served.is_calm, "all of them to be idle")
    assert len(served.connections) == ALWAYS + 20
    assert [served.ask(client, b"again") for client in clients] == [b"again"] * 20


def test_long_answer_and_a_body_in_parts_pass_whole(served):
    client = served.connect()
    assert served.ask(client, b"one ", b"two ", b"three") == b"one two three"
    assert served.ask(client, path="/long") == LONG
    assert served.ask(client) == b"ok"


def test_requests_sent_at_once_are_answered_in_their_order(served):
    client = served.connect()
    request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n"
    client.sendall("".join(f"{request}{number}" for number in range(5)).encode())
    told = b""

    def all_of_them():
        nonlocal told
        with contextlib.suppress(BlockingIOError):
            told += client.recv(100_000)
        return told.count(b"200 OK") == 5 and told.endswith(b"4")

    served.until(all_of_them, "five answers")
    assert [part[:1] for part in told.split(END)[1:]] == [b"0", b"1", b"2", b"3", b"4"]


def test_file_number_of_a_client_who_left_serves_the_next(served):
    for number in range(5):
        client = served.connect()
        assert served.ask(client, str(number).encode()) == str(number).encode()
        client.close()
        served.until(lambda: len(served.connections) == ALWAYS, "the connection to be forgotten")


def test_connection_that_says_nothing_for_long_is_closed_in_the_end(served):
    client = served.connect()
    assert served.ask(client) == b"ok"
    served.until(served.is_calm, "the connection to be idle")
    served.server.next_channel_cleanup = 0  # waitress cleans up in the next turn
    served.until(lambda: len(served.connections) == ALWAYS, "it to be closed")
