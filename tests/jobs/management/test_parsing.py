"""The reading of requests by the server: none has two lengths, which a proxy could read in the other way."""

import socket

import pytest
from waitress.adjustments import Adjustments

from jobs.management.commands import serve
from jobs.management.connections import StrictParser

LENGTH, CHUNKS = "Content-Length: 5", "Transfer-Encoding: chunked"
BODY = "5\r\nhello\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("headers", "body", "refused"),
    [
        ((), "", False),
        ((LENGTH,), "hello", False),
        ((CHUNKS,), BODY, False),
        ((LENGTH, CHUNKS), BODY, True),
        ((CHUNKS, LENGTH), BODY, True),
        ((LENGTH, "transfer-encoding:"), "hello", True),
        (("CONTENT-LENGTH: 0", "TRANSFER-ENCODING: chunked"), BODY, True),
        (("Content_Length: 5", CHUNKS), BODY, False),  # waitress leaves out such a name
    ],
    ids=["none", "length", "chunks", "both", "both turned", "both one empty", "both in capitals", "other name"],
)
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_request_with_two_lengths_is_refused(version, headers, body, refused):
    parser = StrictParser(Adjustments())
    sent = "\r\n".join([f"POST /t/ HTTP/{version}", "Host: site.example", *headers, "", body]).encode()
    assert parser.received(sent) > 0
    assert (parser.error is not None and parser.error.code == 400) == refused
    if refused:
        assert "not both" in parser.error.body


def test_site_is_served_by_the_parser_that_refuses_two_lengths(monkeypatch):
    for name in ("compute_in_background", "forget_every_day", "backups.start"):
        monkeypatch.setattr(f"jobs.management.commands.serve.{name}", lambda: None)
    monkeypatch.setattr(serve.sys, "setswitchinterval", lambda _seconds: None)
    servers = []
    monkeypatch.setattr(serve, "run_server", servers.append)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serve.serve(listener)
        (server,) = servers
        assert server.channel_class.parser_class is StrictParser
        server.task_dispatcher.shutdown()
        server.close()
