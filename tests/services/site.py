"""The site as its own process, started by the command that a person or Compose uses."""

import json
import secrets
import shlex
import signal
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from tests.services.children import Child
from tests.services.waiting import wait_until

PROJECT = Path(__file__).resolve().parents[2]
START_SECONDS = 120
KEEPING = {"DJANGO_SETTINGS_MODULE": "tests.services.kept_settings"}  # of a site that keeps its connections
OURS = (
    "DATABASE_URL",
    "REDIS_URL",
    "PAGES_REDIS_URL",
    "DATABASE_SECONDS",
    "JOB_DATABASE_SECONDS",
    "SCORE_THROTTLE",
    "PLANS_THROTTLE",
    "SECRET_KEY",
)


class Site:
    """A server of the site on this machine, without the tests' own settings except those given.

    It has the given port, or a free one. The command begins with `python manage.py` or, as on a server, with `topage`.
    """

    def __init__(self, command: str, folder: Path, *, port: int = 0, **environment: str) -> None:
        self.port = port or free_port()
        arguments = shlex.split(command.removeprefix("python manage.py ").removeprefix("topage "))
        assert arguments[0] in {"serve", "demo"}, command
        told = {"VAR_DIR": str(folder / "var"), "BACKUP_DIR": "none"} | environment
        self.child = Child(
            [
                *("env", *(f"--unset={name}" for name in OURS), *(f"{name}={value}" for name, value in told.items())),
                *(sys.executable, str(PROJECT / "manage.py"), *arguments, "--port", str(self.port)),
            ],
            log=folder / "site.log",
            stop_signal=signal.SIGINT,
        )
        wait_until(self.listens, START_SECONDS, "the site to listen")

    def listens(self) -> bool:
        assert self.child.running, self.child.last_words()
        try:
            self.connect().close()
        except OSError:
            return False
        return True

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def get(self, path: str, *, seconds: float = 60, **headers: str) -> tuple[int, str]:
        """Return status and text of an answer. Raise the socket's `TimeoutError` after `seconds` without an answer."""
        return self.answer(urllib.request.Request(self.address(path), headers=headers), seconds)

    def send(self, path: str, body: object, *, seconds: float = 60, **headers: str) -> tuple[int, str]:
        """Post a body as JSON, and return status and text of the answer."""
        told = {"Content-Type": "application/json"} | headers
        return self.answer(urllib.request.Request(self.address(path), json.dumps(body).encode(), told), seconds)

    def send_form(self, path: str, fields: Mapping[str, str], *, seconds: float = 60) -> tuple[int, str]:
        """Post the form of a page as a browser does, and return status and text of the answer."""
        key = secrets.token_hex(16)  # the page's own key, which a browser has as a cookie
        body = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": key}).encode()
        return self.answer(urllib.request.Request(self.address(path), body, {"Cookie": f"csrftoken={key}"}), seconds)

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def answer(self, request: urllib.request.Request, seconds: float) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
