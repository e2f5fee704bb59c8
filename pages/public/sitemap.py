"""The sitemap for search engines: pages of the site, clubs that allow it, their tournaments and rankings.

Each address has the date of its last change. No page about one person is listed.

The rules for search engines say which pages they may list.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import index
from django.contrib.sitemaps.views import sitemap as one_sitemap
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from clubs.house import indexed_clubs
from clubs.models import Club
from handbook.words import list_slugs
from rankings.events.publishing import TOURNAMENTS
from rankings.kinds import AnyKind, Whose, is_there
from rankings.listing import RANKING_KINDS
from rankings.publication.publishing import SESSIONS
from rankings.simultaneous.field.publishing import FIELDS
from tournaments.addresses import at_site, link_to, origin_of
from tournaments.models import Publication, Series, SeriesPublication, Session, Simultaneous, Tournament, Version
from tournaments.words.stamps import make_stamp

A_FILE = 1_000  # addresses in one file
PAGES = ("home", "calendar", "rules", "exercises", "game", "verify", "privacy", "imprint", "guide", "bots_help")


class Entry(NamedTuple):
    """A URL name with its arguments, and the time of the page's last change, or None if it is not known."""

    name: str
    of: tuple[Any, ...] = ()
    changed: dt.datetime | None = None


class Entries(Sitemap):  # type: ignore[type-arg]
    limit = A_FILE

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries

    def items(self) -> list[Entry]:
        return self.entries

    def location(self, item: Entry) -> str:
        return reverse(item.name, args=item.of)

    def lastmod(self, item: Entry) -> dt.datetime | None:
        return item.changed


def list_pages() -> list[Entry]:
    return [*(Entry(name) for name in PAGES), *(Entry("rules_page", (slug,)) for slug in list_slugs())]


def list_owners(name: str, owners: QuerySet[Any], versions: type[Version], owner: str, *place: str) -> list[Entry]:
    """Return the pages of clubs, tournaments or series, each with the time of its newest version.

    `owner` is the way from a version to its owner. `place` names the columns with the arguments of the page.
    """
    of_owner = versions._default_manager.filter(**{owner: OuterRef("pk")}).order_by().values(owner)
    newest = of_owner.annotate(last=Max("published_at")).values("last")
    rows = owners.order_by("pk").annotate(changed=Subquery(newest)).values_list(*place, "changed")
    return [Entry(name, tuple(given), at) for *given, at in rows]


def list_clubs() -> list[Entry]:
    return list_owners("club", indexed_clubs(), Publication, "session__tournament__club", "slug")


def list_tournaments() -> list[Entry]:
    there = Tournament.objects.filter(whose().choose("tournament"))
    return list_owners("tournament", there, Publication, "session__tournament", "club__slug", "slug")


def list_series() -> list[Entry]:
    there = Series.objects.filter(whose().choose("series"))
    return list_owners("series", there, SeriesPublication, "series", "club__slug", "slug")


def list_rankings(kind: AnyKind) -> list[Entry]:
    """Return the rankings of one kind, in their newest versions."""
    given = [each for each in kind.drop_held(list(kind.find_news(whose()))) if is_there(each)]
    places = [(kind.place(each), each.published_at) for each in given]
    return [Entry(place.names.page, tuple(place.place), at) for place, at in places]


MAPS: Mapping[str, Callable[[], list[Entry]]] = {
    "pages": list_pages,
    "clubs": list_clubs,
    "tournaments": list_tournaments,
    "rankings": partial(list_rankings, SESSIONS),
    "tournament-rankings": partial(list_rankings, TOURNAMENTS),
    "series": list_series,
    "simultaneous": partial(list_rankings, FIELDS),
}


def whose() -> Whose:
    return Whose(clubs=indexed_clubs())


@require_safe
def sitemap(request: HttpRequest, section: str = "") -> HttpResponse:
    """Return the sitemap as one file. If it has too many addresses for one file, return an index of several files."""
    if section and section not in MAPS:
        raise Http404
    etag = f'W/"{make_stamp(origin_of(request), section, request.GET.get("p"), state_of_all())}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = draw_map(request, section)
    response["ETag"] = etag
    patch_cache_control(response, no_cache=True)
    return response


def draw_map(request: HttpRequest, section: str) -> HttpResponse:
    if section:
        return one_sitemap(at_site(request), {section: Entries(MAPS[section]())}, section)
    maps: dict[str, Any] = {name: Entries(read()) for name, read in MAPS.items()}
    if sum(each.paginator.count for each in maps.values()) > A_FILE:
        return index(at_site(request), maps, sitemap_url_name="sitemap_section")
    return one_sitemap(at_site(request), maps)


def state_of_all() -> list[dict[str, Any]]:
    """Return data that changes whenever a sitemap changes. It takes nine short queries for any number of addresses."""
    newest = {"count": Count("pk"), "newest": Max("pk")}
    away = {"away": Count("put_away_at"), "away_last": Max("put_away_at")}
    hidden = Q(shows_ranking=False)
    owners = (Tournament, Series, Simultaneous)
    return [
        Club.objects.aggregate(**newest, names=Sum("names_version")),
        Session.objects.aggregate(
            **newest, **away, hidden=Count("pk", filter=hidden), which=Sum("pk", filter=hidden, default=0)
        ),
        *(owner._default_manager.aggregate(**newest, **away) for owner in owners),
        *(kind.model._default_manager.aggregate(**newest) for kind in RANKING_KINDS),
    ]


ROBOTS, NOINDEX = "X-Robots-Tag", "noindex"
# The pages that search engines may list, by URL name. A club may exclude its own pages. Pages about one person,
# short-lived pages, and pages for users who are logged in are not listed.
LISTED = {
    *PAGES,
    "rules_page",
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
