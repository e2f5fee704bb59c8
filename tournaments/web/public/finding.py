"""What search engines may list."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.addresses import link_to

ROBOTS, NOINDEX = "X-Robots-Tag", "noindex"
# What search engines may list, by the name of the address; of these a club may keep its own out. Whatever is not here
# they may not: what is about one person, what is there for a moment, what is for those who are logged in.
LISTED = {
    "home",
    "rules",
    "verify",
    "privacy",
    "imprint",
    "guide",
    "calendar",
    "club",
    "tournament",
    "ranking",
    "ranking_version",
    "boards",
    "board",
    "tournament_ranking",
    "tournament_version",
    "podium",
    "tournament_podium",
}


def let_list(response: HttpResponse, indexed: bool) -> HttpResponse:
    """The page of a club, which search engines list only where the club wants them to."""
    if not indexed:
        response[ROBOTS] = NOINDEX
    return response


class RobotsMiddleware:
    """Inside what remembers answers, so that these keep what is said here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if match is None or match.url_name not in LISTED or response.status_code >= 400:
            response.setdefault(ROBOTS, NOINDEX)
        return response


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines need not ask for. What they may not list they must be let read: it says so itself."""
    closed = [f"Disallow: {reverse(name)}" for name in ("admin:index", "api", "login")]
    lines = ["User-agent: *", *closed, "", f"Sitemap: {link_to(request, reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
