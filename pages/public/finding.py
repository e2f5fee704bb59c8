"""The rules for search engines: which pages they may list."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.addresses import link_to

ROBOTS, NOINDEX = "X-Robots-Tag", "noindex"
# The pages that search engines may list, by URL name. A club may exclude its own pages. Pages about one person,
# short-lived pages, and pages for users who are logged in are not listed.
LISTED = {
    "home",
    "rules",
    "rules_page",
    "exercises",
    "game",
    "verify",
    "privacy",
    "imprint",
    "bots_help",
    "guide",
    "calendar",
    "club",
    "tournament",
    "ranking",
    "ranking_version",
    "published_etuis",
    "published_etui",
    "tournament_ranking",
    "tournament_version",
    "podium",
    "tournament_podium",
    "series",
    "series_podium",
    "field",
    "field_version",
    "field_etui",
    "field_podium",
}


def let_list(response: HttpResponse, indexed: bool) -> HttpResponse:
    """Add a header that forbids search engines to list the page if `indexed` is false. Return the response."""
    if not indexed:
        response[ROBOTS] = NOINDEX
    return response


class RobotsMiddleware:
    """A middleware that adds the noindex header to all pages that are not in LISTED.

    The middleware that remembers responses runs outside of this one, so it also remembers this header.
    """

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
    """Return robots.txt, the file with the addresses that search engines should not fetch.

    Pages with the noindex header are not in it, because search engines must fetch a page to see the header.
    """
    closed = [f"Disallow: {reverse(name)}" for name in ("admin:index", "api", "login")]
    closed += [f"Disallow: {reverse('rooms')}*/{part}/" for part in ("play", "etuis")]  # thousands of tables
    lines = ["User-agent: *", *closed, "", f"Sitemap: {link_to(request, reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
