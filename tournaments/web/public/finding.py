"""The pages that search engines may list."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.addresses import link_to

ROBOTS, NOINDEX = "X-Robots-Tag", "noindex"
# The pages that search engines may list, by the name of the address; a club may exclude its own. They may list no other
# page: pages about one person, short-lived pages, and pages for people who are logged in.
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
    "published_etuis",
    "published_etui",
    "tournament_ranking",
    "tournament_version",
    "podium",
    "tournament_podium",
}


def let_list(response: HttpResponse, indexed: bool) -> HttpResponse:
    """Forbid search engines to list a club's page if `indexed` is false."""
    if not indexed:
        response[ROBOTS] = NOINDEX
    return response


class RobotsMiddleware:
    """A middleware that adds the noindex header.

    It runs inside the one that remembers responses, so these keep the header.
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
    """Return the addresses that search engines need not fetch.

    A page with noindex is not among them: they must fetch it to see that header.
    """
    closed = [f"Disallow: {reverse(name)}" for name in ("admin:index", "api", "login")]
    lines = ["User-agent: *", *closed, "", f"Sitemap: {link_to(request, reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
