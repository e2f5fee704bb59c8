"""The addresses by which a machine asks whether the site is alive: `/health/live` and `/health/ready`.

A middleware answers before the host, HTTPS and the first run are checked. This is needed because a proxy or a container
uses an internal name of the site. `jobs.management.lanes` keeps a thread free for these requests.
"""

from collections.abc import Callable
from threading import Lock

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from redis.exceptions import RedisError

LIVE, READY = "/health/live", "/health/ready"
HOPS = "X-Forwarded-Hops"  # the header of an answer that tells how many proxies the request named
OK, DEGRADED, AWAY, UNUSED, MISSING, UNKNOWN = "ok", "degraded", "away", "unused", "missing", "unknown"


class HealthMiddleware:
    """A middleware that answers these two addresses. All other requests go on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.migrations = Migrations()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in (LIVE, READY):
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        answer = JsonResponse({"status": OK}) if request.path_info == LIVE else self.tell_readiness()
        answer["Cache-Control"] = "no-store"
        answer[HOPS] = str(count_hops(request))
        return answer

    def tell_readiness(self) -> JsonResponse:
        """Return the readiness of the site: for each thing that it needs, whether it has it.

        The status is 503 without a database or with missing migrations. Without Redis results are still taken, so the
        site is only degraded.
        """
        try:
            database, migrations = OK, OK if self.migrations.are_complete() else MISSING
        except (DatabaseError, InterfaceError):
            database, migrations = AWAY, UNKNOWN
        redis = ask_redis()
        down = (database, migrations) != (OK, OK)
        status = "down" if down else DEGRADED if redis == AWAY else OK
        states = {"status": status, "database": database, "migrations": migrations, "redis": redis}
        return JsonResponse(states, status=503 if down else 200)


def count_hops(request: HttpRequest) -> int:
    """Return how many addresses the proxies told, through which the request came."""
    return len([each for each in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if each.strip()])


class Migrations:
    """The migrations that this release needs. The files are read once in a process, the database each time."""

    def __init__(self) -> None:
        self.needed: set[tuple[str, str]] = set()
        self.lock = Lock()

    def are_complete(self) -> bool:
        """Return whether the database has every migration of this release. Raise the database's error if it is away."""
        with self.lock:
            if not self.needed:
                loader = MigrationLoader(connection)
                missing = set(loader.graph.nodes) - set(loader.applied_migrations)
                if not missing:
                    self.needed = set(loader.graph.nodes)
                return not missing
        return self.needed <= set(MigrationRecorder(connection).applied_migrations())


def ask_redis() -> str:
    """Return whether Redis answers and, if pages have another Redis, that one too. A laptop has none."""
    if not settings.REDIS_URL:
        return UNUSED
    try:
        for name in {settings.CACHES[each]["LOCATION"]: each for each in ("default", "pages")}.values():
            caches[name].get("health")
    except RedisError:
        return AWAY
    return OK
