"""The reading of requests by waitress, which here refuses what two servers may read in two ways."""

from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError

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
