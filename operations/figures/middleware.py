"""The two middlewares of figures: one counts every request, the other answers `/metrics`.

Neither is used unless METRICS_TOKEN is set.
"""

from collections.abc import Callable
from hmac import compare_digest
from time import perf_counter

from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound

from jobs.management.lanes import choose_lane

METRICS = "/metrics"
UNNAMED = {"/health/": "health", "/metrics": "metrics", "/static/": "static"}


class CountingMiddleware:
    """The outermost middleware, which counts all answers with their time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        from operations.figures.counters import count_refused_log_in, count_request, forget_ended_processes

        forget_ended_processes()
        user_login_failed.connect(count_refused_log_in, dispatch_uid="figures")
        self.get_response, self.count = get_response, count_request

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        answer = self.get_response(request)
        cookies, has_token = request.META.get("HTTP_COOKIE", ""), "HTTP_AUTHORIZATION" in request.META
        lane = choose_lane(request.path_info, cookies, has_token=has_token)
        self.count(name_page(request), f"{answer.status_code // 100}xx", lane, perf_counter() - began)
        return answer


def name_page(request: HttpRequest) -> str:
    """Return the name of the request's address pattern, or "none" for an address that the site does not have."""
    match = request.resolver_match
    if match is not None:
        return match.view_name or "unnamed"
    return next((name for path, name in UNNAMED.items() if request.path_info.startswith(path)), "none")


class MetricsMiddleware:
    """A middleware that answers `/metrics`, to a request with the token. To others the address does not exist.

    It comes before the checks of host and HTTPS, because a program asks from within.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.expected = f"Bearer {settings.METRICS_TOKEN}".encode()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info != METRICS:
            return self.get_response(request)
        header = request.META.get("HTTP_AUTHORIZATION", "").encode(errors="replace")
        if request.method != "GET" or not compare_digest(header, self.expected):
            return HttpResponseNotFound()
        return tell_figures()


def tell_figures() -> HttpResponse:
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    from operations.figures.counters import collect_all
    from operations.figures.state import StateCollector

    registry = collect_all()
    registry.register(StateCollector())
    return HttpResponse(
        generate_latest(registry), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
    )
