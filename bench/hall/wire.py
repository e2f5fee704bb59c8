"""A small HTTP client that behaves as a browser: it keeps one connection open, and reads answers to their end.

One process sends the requests of a whole hall, so the client does no more than necessary.
"""

import asyncio
import contextlib
import gzip
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

SECONDS = 30  # a screen gives up after this many seconds without an answer
BROKEN = (OSError, asyncio.IncompleteReadError, ValueError)


class WireAnswer(NamedTuple):
    """The answer to a request. The status is 0 if no answer came in time."""

    status: int
    headers: Mapping[str, str] = {}
    body: bytes = b""

    @property
    def failed(self) -> bool:
        return self.status == 0 or self.status >= 400

    @property
    def text(self) -> str:
        packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()

    def json(self) -> Any:
        return json.loads(self.text)


class Connection:
    """A connection to a port of this machine.

    The first request opens it. If the site has closed it, the next request opens it again.
    """

    def __init__(self, port: int, **headers: str) -> None:
        self.port = port
        told = {"Host": "localhost", "Accept-Encoding": "gzip", "Accept-Language": "fr"} | headers
        self.headers = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, **headers: str) -> WireAnswer:
        return await self.ask("GET", path, headers)

    async def post(self, path: str, body: object) -> WireAnswer:
        return await self.ask("POST", path, {"Content-Type": "application/json"}, json.dumps(body).encode())

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> WireAnswer:
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        question = f"{method} {path} HTTP/1.1\r\n{self.headers}{more}{length}\r\n".encode() + body
        kept = self.streams is not None
        try:
            async with asyncio.timeout(SECONDS):
                try:
                    return await self.exchange(question)
                except BROKEN:
                    self.close()
                    if not kept:
                        raise
                    return await self.exchange(question)
        except (*BROKEN, TimeoutError):
            self.close()
            return WireAnswer(0)

    async def exchange(self, question: bytes) -> WireAnswer:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        reader, writer = self.streams
        writer.write(question)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = int(first.split()[1])
        answer = WireAnswer(status, headers, await self.read_body(reader, status, headers))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return answer

    async def read_body(self, reader: asyncio.StreamReader, status: int, headers: Mapping[str, str]) -> bytes:
        if status in (204, 304):
            return b""
        if headers.get("transfer-encoding") != "chunked":
            return await reader.readexactly(int(headers["content-length"]))
        parts = []
        while size := int(await reader.readline(), 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(parts)

    def close(self) -> None:
        if self.streams is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self.streams[1].close()
            self.streams = None
