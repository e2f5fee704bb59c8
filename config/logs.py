"""The lines of the log, as text or as JSON. Each has the id of its request. None has a secret or personal data in it.

The address of a table's screen has the table's code in it, and other addresses have personal links, invitations or
keys. The addresses of the site themselves say which of their parts are secret: those of the path converter `secret`.
The tokens of programs are secrets too. If a database refuses a row, its message has the values of the row; the message
of a mail server has the addresses.

The id of a request is in each line about it, and in the lines of the jobs that the request queues. A proxy may give it
in the header X-Request-ID. Only hexadecimal digits and dashes are accepted, so nobody writes a name into the log.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from secrets import token_hex
from typing import Any

from django.http import HttpRequest, HttpResponse
from pythonjsonlogger.core import LogData
from pythonjsonlogger.json import JsonFormatter

HEADER = "X-Request-ID"
WELL_FORMED = re.compile(r"[0-9a-f-]{8,40}", re.ASCII | re.IGNORECASE)
NONE = "-"

request_id: ContextVar[str] = ContextVar("request_id", default=NONE)
PART = re.compile("<(?:([a-z0-9]+):)?[a-z0-9_]+>")  # a part of an address, with its converter
SLASH = "(?:/|%2F)"
SIGN = rf"(?:(?!{SLASH})[^\s\"'<>?#&])"
LEAST_SECRET = 12  # letters; as many as the shortest one in an address has (a room by link)
TOKEN = re.compile(r"(topage_)[A-Za-z0-9_-]{20,}")
DETAIL = re.compile(r"^(DETAIL|CONTEXT): .*$", re.MULTILINE)
ADDRESS = re.compile(r"[^\s@<>'\"(){}\[\],;:=]+@[^\s@<>'\"(){}\[\],;:]+\.[A-Za-z]{2,}")


class SecretsOfAddresses:
    """The pattern of the secrets in addresses. It hides nothing before `config.urls` tells it the site's addresses.

    A process without them knows no secret of an address: it has answered none, and has made no link.
    """

    NOTHING = re.compile("(?!)()")  # with a group, because what hides a secret keeps the first one
    pattern = NOTHING

    @classmethod
    def learn(cls, routes: Iterable[str]) -> None:
        """Remember the addresses, each written as for `django.urls.path`."""
        before = {part for route in routes for part in find_before_secrets(route)}
        kinds = "|".join(sorted(before, key=len, reverse=True))
        cls.pattern = re.compile(rf"({SLASH}(?:{kinds})){SIGN}{{{LEAST_SECRET},}}", re.IGNORECASE)


def find_before_secrets(route: str) -> Iterator[str]:
    """Yield a regular expression of the text before each secret of an address."""
    before, end = "", 0
    for part in PART.finditer(route):
        before += re.escape(route[end : part.start()]).replace("/", SLASH)
        if part[1] == "secret":
            yield before
        before, end = f"{before}{SIGN}+?", part.end()


def hide_codes(text: str) -> str:
    """Return the text without the secrets in addresses, the values of refused rows, and e-mail addresses."""
    text = TOKEN.sub(r"\1…", SecretsOfAddresses.pattern.sub(r"\1…", text))
    if "@" in text:
        text = ADDRESS.sub("…@…", text)
    return DETAIL.sub(r"\1: …", text) if ": " in text else text


class HideCodes(logging.Formatter):
    """A formatter that removes codes from its lines, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        record.request_id = request_id.get()
        return hide_codes(super().format(record))


class JsonLines(JsonFormatter):
    """A formatter of lines of JSON, also without codes. It leaves out what libraries add, such as a whole request."""

    def add_fields(self, log_data: LogData, record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        log_data["time"] = self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z")
        log_data["level"], log_data["logger"] = record.levelname, record.name
        log_data["request_id"] = request_id.get()
        log_data["message"] = hide_codes(record.getMessage())
        if trace := message_dict.get("exc_info"):
            log_data["trace"] = hide_codes(str(trace))


class RequestIdMiddleware:
    """The outermost middleware: it gives each request an id. If the request came with an id, the answer has it too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        header = request.META.get("HTTP_X_REQUEST_ID", "")
        # The id stays set until the thread's next request, because Django logs refusals after the middleware has
        # answered.
        accepted = WELL_FORMED.fullmatch(header) is not None
        request_id.set(header if accepted else token_hex(8))
        answer = self.get_response(request)
        if accepted:  # other answers have no id, so that caches can keep them
            answer[HEADER] = header
        return answer


def configure_logs(level: str, form: str, fault_mails: bool) -> dict[str, Any]:
    """Return the setting LOGGING. Logs go to standard error, one line each: `form` is "text" or "json"."""
    handlers = {"stderr": {"class": "logging.StreamHandler", "formatter": form}}
    if fault_mails:
        handlers["faults"] = {"class": "config.fault_mails.FaultMails", "level": "ERROR"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {
                "()": "config.logs.HideCodes",
                "fmt": "{asctime} {levelname} {name} {request_id} {message}",
                "style": "{",
            },
            "json": {"()": "config.logs.JsonLines"},
        },
        "handlers": handlers,
        "root": {"handlers": list(handlers), "level": level},
        "loggers": {
            "celery.app.trace": {"level": "WARNING"},  # successful jobs log nothing; failed ones do
            "django.server": {"handlers": ["stderr"], "propagate": False},
            "waitress.queue": {"level": "ERROR"},  # a request that waits for a thread is not worth a line
        },
    }
