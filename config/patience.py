"""The time limit of requests that wait for the database, and the answer of the site if the limit is over.

First case: the database is silent, because it is stopped or cannot be reached. Then the site counts the time, because
each waiting request holds a thread. A request waits DATABASE_SECONDS, its *patience*, and only once. Until the database
answers again, one request at a time tries a query, and all others fail at once.

Second case: the database answers, but a query takes too long or waits for a lock. Then the database ends this query a
little sooner than the patience (`config.database`), and only this request fails. Jobs have a longer limit
(`config.jobs`), commands have none.
"""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock
from time import monotonic
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, override
from django.views import defaults
from psycopg import DatabaseError
from psycopg import OperationalError as Silence
from psycopg.errors import ConnectionTimeout, _WaitTimeout

from tournaments.failures import DatabaseFailure, describe_failure, find_failure, first_line, let_go

logger = logging.getLogger(__name__)
Answer = TypeVar("Answer")
SILENT = (_WaitTimeout, ConnectionTimeout)

silent = Event()
probe = Lock()


class KnownSilence(Silence):
    """An error raised without asking the database, because the database was silent a moment ago."""


class Patience:
    """The seconds that one request or job may wait for the database, and whether they are used up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.lost = False

    @contextmanager
    def watch_question(self) -> Iterator[None]:
        """Watch a query to the database, which the `with` block of the caller runs.

        Raise Silence if the database does not answer in time. Raise it at once if this request has already waited in
        vain. While the database is silent, only the request that holds the lock `probe` tries a query.
        """
        began, probing = monotonic(), False
        try:
            if not self.lost and silent.is_set():
                probing = probe.acquire(blocking=False)
                self.lost = not probing and silent.is_set()
            if self.lost:
                raise KnownSilence("the database was silent a moment ago")
            yield
        except KnownSilence:
            raise
        except SILENT as error:
            self.lost = True
            silent.set()
            raise Silence(f"the database is silent for {self.seconds:g} seconds") from error
        except Silence:
            # The database answered: the query took too long, or a lock is held. The next query may take as long again.
            self.lost = monotonic() - began > self.seconds / 2
            silent.clear()
            raise
        except DatabaseError:
            silent.clear()  # the database answered: it refused the query
            raise
        else:
            silent.clear()
        finally:
            if probing:
                probe.release()


patience: ContextVar[Patience | None] = ContextVar("patience", default=None)


class PatienceMiddleware:
    """A middleware that gives each request its time limit for the database, and answers if the limit is over."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # The limit stays set until the next request of the thread, because Django still uses the connection after this
        # one.
        patience.set(Patience(settings.DATABASE_SECONDS))
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        failure = find_failure(error)
        return tell_failure(request, error, failure) if failure else None


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the answer to an error outside the views, for example while a log-in is saved."""
    error = sys.exception()
    failure = find_failure(error)
    if error is not None and failure is not None:
        return tell_failure(request, error, failure)
    return defaults.server_error(request)


def tell_failure(request: HttpRequest, error: BaseException, failure: DatabaseFailure) -> HttpResponse:
    """Return the page, or for a program the JSON, that says what is wrong with the database. It takes no query.

    A program's request comes here if it failed before a view of the API. Inside a view, `api.errors`
    answers.
    """
    page = request.resolver_match.view_name if request.resolver_match else "no page"
    logger.error("%s (page %s: %s)", failure.logged, page, first_line(error))
    let_go(error)
    answer: HttpResponse
    if wants_json(request):
        with override(get_language_from_request(request)):
            answer = JsonResponse(describe_failure(failure), status=503)
    else:
        answer = HttpResponse(render_to_string("503.html", {"failure": failure}), status=503)
    answer["Retry-After"], answer["Cache-Control"] = str(failure.retry_after), "no-store"
    return answer


def wants_json(request: HttpRequest) -> bool:
    """Return whether the request comes from a program, not from a browser."""
    is_api = request.path.startswith("/api/")
    return is_api or not request.accepts("text/html") or request.content_type == "application/json"
