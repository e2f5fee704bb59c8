"""One POST to a server: real ones on this machine that are slow, large, lying, or lead into a private network."""

from threading import Event

import pytest

from outgoing.webhooks.posting import MOST_BYTES, SECONDS, Answer, Network, is_public, post_body
from tests.outgoing.webhooks.receiver import (
    HERE,
    HOST,
    drip,
    flood,
    keep_silent,
    measure,
    reach_here,
    receive,
    say,
    say_status,
)

BODY = b'{"event": "published"}'
HEADERS = [("Content-Type", "application/json"), ("Topage-Event", "published")]
OK = say_status("204 No Content")


def post(receiver, **network):
    return post_body(receiver.url, BODY, HEADERS, reach_here(**network))


def test_server_gets_the_body_at_the_path_with_its_name():
    with receive(OK) as receiver:
        assert post(receiver) == Answer(204, "")
    head, _end, body = receiver.requests[0].partition(b"\r\n\r\n")
    assert body == BODY
    assert head.decode().split("\r\n") == [
        "POST /topage?club=1 HTTP/1.1",
        f"Host: {HOST}:{receiver.port}",
        "Content-Type: application/json",
        "Topage-Event: published",
        f"Content-Length: {len(BODY)}",
        "Connection: close",
    ]


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        ("200 OK", Answer(200, "")),
        ("299 Odd", Answer(299, "")),
        ("404 Not Found", Answer(404, "answer")),
        ("500 Internal Server Error", Answer(500, "answer")),
    ],
)
def test_status_decides(status, answer):
    with receive(say_status(status)) as receiver:
        assert post(receiver) == answer


def test_interim_answers_are_skipped():
    with receive(say(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n")) as receiver:
        assert post(receiver) == Answer(202, "")


def test_redirect_is_not_followed():
    with (
        receive(OK) as elsewhere,
        receive(say_status("307 Temporary Redirect", f"Location: {elsewhere.url}")) as receiver,
    ):
        assert post(receiver) == Answer(307, "redirect")
    assert elsewhere.requests == []
    assert len(receiver.requests) == 1


@pytest.mark.parametrize("answering", [keep_silent, drip], ids=["silent", "dripping"])
def test_slow_server_is_left_when_the_time_is_over(answering):
    with receive(answering) as receiver:
        seconds = measure(lambda: assert_late(receiver))
    assert 0.5 <= seconds < 3


def assert_late(receiver):
    assert post(receiver, seconds=0.5) == Answer(None, "time")


def test_server_that_never_shakes_hands_is_left():
    with receive(OK, handshakes=False) as receiver:
        assert measure(lambda: assert_late(receiver)) < 3


def test_resolver_that_never_answers_is_left():
    ended = Event()

    def resolve(_host, _port):
        ended.wait(20)
        return [HERE]

    with receive(OK) as receiver:
        try:
            assert measure(lambda: assert_slow(receiver, resolve)) < 3
        finally:
            ended.set()
    assert receiver.requests == []


def assert_slow(receiver, resolve):
    assert post(receiver, resolve=resolve, seconds=0.5) == Answer(None, "time")


def test_site_waits_five_seconds_in_all_and_reads_64_kb():
    assert (Network().seconds, SECONDS, MOST_BYTES) == (5.0, 5.0, 65_536)


def test_long_head_is_refused():
    with receive(flood(b"HTTP/1.1 200 OK\r\nX: ")) as receiver:
        assert post(receiver) == Answer(None, "long")
    assert receiver.sent < 10_000_000


def test_large_body_is_not_read():
    with receive(flood(b"HTTP/1.1 200 OK\r\nContent-Length: 40000000\r\n\r\n")) as receiver:
        assert post(receiver) == Answer(200, "")
    assert receiver.sent < 10_000_000


@pytest.mark.parametrize("text", [b"hello\r\n\r\n", b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 200 OK\r\n", b""])
def test_answer_that_is_no_http_is_refused(text):
    with receive(say(text)) as receiver:
        assert post(receiver) == Answer(None, "garbled")


def test_certificate_of_another_name_is_refused():
    with receive(OK, name="other.example") as receiver:
        assert post(receiver, trusted="other.example") == Answer(None, "certificate")
    assert receiver.requests == []


def test_certificate_that_nobody_trusts_is_refused():
    with receive(OK) as receiver:
        assert post(receiver, trusted="other.example") == Answer(None, "certificate")
    assert receiver.requests == []


def test_closed_port_is_told():
    with receive(OK) as receiver:
        pass
    assert post(receiver) == Answer(None, "refused")


def test_unknown_name_is_told():
    def resolve(_host, _port):
        raise OSError

    assert post_body("https://nowhere.example/", BODY, HEADERS, reach_here(resolve=resolve)) == Answer(None, "unknown")


def test_private_address_is_never_called():
    """Check with the rule of production: only the resolver is another one."""
    with receive(OK) as receiver:
        assert post(receiver, allows=is_public) == Answer(None, "private")
    assert receiver.requests == []
    assert Network().allows is is_public


def test_name_with_one_private_address_is_refused():
    with receive(OK) as receiver:
        assert post(receiver, resolve=lambda _host, _port: [HERE, "10.0.0.1"]) == Answer(None, "private")
    assert receiver.requests == []


def test_name_that_changes_after_the_check_is_called_at_the_checked_address():
    """Check that the name is resolved once: the second answer would be a private address."""
    answers = [[HERE], ["10.0.0.1"]]
    asked = []

    def resolve(host, port):
        asked.append((host, port))
        return answers.pop(0)

    with receive(OK) as receiver:
        assert post(receiver, resolve=resolve) == Answer(204, "")
    assert asked == [(HOST, receiver.port)]


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
        *("100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::"),
        *("", "localhost", "0x7f000001"),
    ],
)
def test_address_is_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4007::200e"])
def test_address_is_public(address):
    assert is_public(address)
