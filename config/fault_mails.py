"""The mails to the administrator about faults: failed requests and failed jobs, one an hour of each kind.

A mail says in which files and lines the code failed. It has no text of an error, no address and no body of a request,
because these may hold names, addresses and codes of people.
"""

import logging
from contextlib import suppress
from hashlib import sha256
from threading import Lock, Thread, local
from time import monotonic
from traceback import walk_tb
from types import TracebackType
from typing import NamedTuple

from celery import current_task
from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.utils import timezone
from redis.exceptions import RedisError

from config.logs import request_id
from tournaments.job_health import SILENT

HOUR = 3600
MOST_KINDS = 1000  # the number of kinds that a process remembers
NO_PLACE = "nowhere"


class SiteFault(NamedTuple):
    """A fault. Faults of one `kind` are mailed once an hour. `lines` describe this fault."""

    kind: str
    lines: tuple[str, ...]


class FaultMails(logging.Handler):
    """A handler of logs that mails errors. A thread sends the mail, so no request waits for the mail server."""

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[str, float] = {}
        self.guard = Lock()
        self.sending = local()

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(self.sending, "now", False):
            return  # otherwise a mail that fails would cause another mail
        fault = describe_fault(record)
        if self.is_first(fault.kind):
            Thread(target=self.send, args=(fault,), name="fault mail", daemon=True).start()

    def is_first(self, kind: str) -> bool:
        """Return whether this process has mailed no fault of this kind for an hour."""
        now = monotonic()
        with self.guard:
            if now - self.told.get(kind, -HOUR) < HOUR:
                return False
            if len(self.told) >= MOST_KINDS:
                self.told.clear()
            self.told[kind] = now
        return True

    def send(self, fault: SiteFault) -> None:
        """Send the mail unless another process has mailed a fault of the same kind within the hour.

        A mail server that was silent is left alone: the fault is mailed when it comes again.
        """
        if is_left_alone():
            self.told.pop(fault.kind, None)
            return
        mail = EmailMessage(f"Topage: {fault.kind}"[:150], "\n".join(fault.lines), to=[settings.ADMIN_MAIL])
        self.sending.now = True
        try:
            if is_untold(fault.kind):
                mail.send()
        except Exception as error:
            logging.getLogger(__name__).error("A fault could not be mailed: %s", type(error).__name__)
        finally:
            self.sending.now = False


def is_left_alone() -> bool:
    """Return whether the mail server was silent a moment ago. Without Redis, nobody knows."""
    with suppress(RedisError):
        return bool(cache.get(SILENT))
    return False


def is_untold(kind: str) -> bool:
    """Return whether no process has mailed a fault of this kind for an hour. Without Redis, each process mails it."""
    with suppress(RedisError):
        return cache.add(f"fault-{sha256(kind.encode()).hexdigest()[:32]}", True, HOUR)
    return True


def describe_fault(record: logging.LogRecord) -> SiteFault:
    """Return the fault that a line of the log reports. Its words come from the code alone, never from data."""
    error = record.exc_info[1] if record.exc_info else None
    trace = error.__traceback__ if error is not None else None
    places = list_places(trace)
    what = type(error).__name__ if error is not None else tell_line(record)
    kind = f"{what} at {places[-1] if places else f'{record.module}:{record.lineno}'}"
    request = getattr(record, "request", None)
    match = getattr(request, "resolver_match", None)
    job = current_task.name if current_task else ""
    lines = [
        kind,
        "",
        f"Time: {timezone.now():%Y-%m-%d %H:%M:%S} UTC",
        f"Site: {settings.SITE_URL or 'without SITE_URL'}",
        f"Page: {match.view_name if match else 'none'}",
        f"Job: {job or 'none'}",
        f"Request: {request_id.get()}",
        f"Logger: {record.name}",
        "",
        *(f"  {place}" for place in places),
        "",
        "The log has the text of the error, under the same request. Faults of this kind are mailed once an hour.",
    ]
    return SiteFault(kind, tuple(lines))


def tell_line(record: logging.LogRecord) -> str:
    """Return the text of the line as it stands in the code, without the values filled in."""
    return str(record.msg).partition("\n")[0][:100] if record.args else record.name


def list_places(trace: TracebackType | None) -> list[str]:
    """Return the files, lines and functions of a traceback; those of the site by their paths in it."""
    return [f"{shorten(frame.f_code.co_filename)}:{line} in {frame.f_code.co_name}" for frame, line in walk_tb(trace)]


def shorten(path: str) -> str:
    """Return the path of a file within the site or within its library."""
    return path.rpartition("site-packages/")[2].removeprefix(f"{settings.BASE_DIR}/")
