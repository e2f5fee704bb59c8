"""Lets readers in to the pages of a publication: told apart by a stamp, answered from what is kept, or built.

Such a page says the same to every reader who is not logged in, by its stamp: the publication's digest, the newest
version, the version of the club's names, the version of the site, its address, the language. It is built for nobody in
particular (`as_anybody`), so that nothing of who asked first, not even his odd address, is in what the others get.
"""

import datetime as dt
from collections.abc import Callable, Collection, Mapping
from functools import cached_property, wraps
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import ResolverMatch, reverse
from django.utils import timezone
from django.utils.cache import (
    add_never_cache_headers,
    get_conditional_response,
    patch_cache_control,
    patch_vary_headers,
)
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.models import Publication
from tournaments.permissions import Can, Stamp, find_published, get_publication, get_session_for
from tournaments.publication.kept import compress, find_page, send
from tournaments.publication.report import Report, read_report
from tournaments.web.links import Links
from tournaments.words.stamps import make_stamp, site_version

PAGES = {"ranking": "ranking_version", "feuille": "feuille", "boards": "boards", "board": "board"}
KEPT_AS = "topage.kept_as"  # where a request says which page it was answered by
ANY: Collection[str] = ()
MOST_TYPED = 80
VARIES = ("Accept-Encoding", "Accept-Language", "Cookie")


class Published:
    """A publication with its session, its report, and where its pages lie."""

    def __init__(self, publication: Publication, newest: int) -> None:
        self.publication, self.newest, self.session = publication, newest, publication.session
        place = self.session.tournament
        self.links = Links(
            PAGES,
            {
                "club": place.club.slug,
                "tournament": place.slug,
                "number": self.session.number,
                "version": publication.version,
            },
        )

    @cached_property
    def report(self) -> Report:
        return read_report(self.publication.data)

    @property
    def context(self) -> dict[str, Any]:
        return {
            "tournament": self.session.tournament,
            "club": self.session.tournament.club,
            "session": self.session,
            "date": dt.date.fromisoformat(self.report.data["date"]),
            "publication": self.publication,
            "newest": self.newest,
            "links": self.links,
        }


def read_published(stamp: Stamp) -> Published:
    found = Publication.objects.select_related("session__tournament__club").get(pk=stamp.publication)
    return Published(found, stamp.newest)


View = Callable[..., HttpResponse]
Build = Callable[[HttpRequest], HttpResponse]


def with_publication(**known: Collection[str]) -> Callable[[View], View]:
    """Hands the view what is published, where the reader has not got the page already and it is not kept.

    `known`: the parameters of its address, each with the values that make another page of it; ANY where any text does,
    as a name that is searched for. Nothing else that stands there does.
    """

    def decorate(view: View) -> View:
        @require_safe
        @wraps(view)
        def find(
            request: HttpRequest, club: str, tournament: str, number: int, version: int | None = None, **more: int
        ) -> HttpResponse:
            stamp = find_published(club, tournament, number, version)
            if stamp is None:
                where = {"tournament__club__slug": club, "tournament__slug": tournament, "number": number}
                session = get_session_for(request.user, Can.READ, **where)
                if session.tournament.club.practice_of_id and session.publications.exists():
                    newest = get_publication(session)
                    found = newest if version is None else get_publication(session, version)
                    response = view(request, Published(found, newest.version), **more)
                    add_never_cache_headers(response)
                    return response
                if version is not None:
                    raise Http404
                return render(request, "public/not_published.html", {"session": session}, status=404)

            def build(request: HttpRequest) -> HttpResponse:
                shown = read_published(stamp)
                with timezone.override(shown.session.tournament.club.zone):
                    return view(request, shown, **more)

            response = build(request) if is_personal(request) else answer(request, stamp, build, known)
            patch_cache_control(response, no_cache=True)
            return response

        return find

    return decorate


def is_personal(request: HttpRequest) -> bool:
    """Whether the page says something to this reader alone: his name, the tokens of his forms, a message for him. Who
    works on the site has every page as its templates are now."""
    if settings.TOOLBAR:
        return True
    return bool(request.COOKIES) and (request.user.is_authenticated or bool(get_messages(request)))


def answer(request: HttpRequest, stamp: Stamp, build: Build, known: Mapping[str, Collection[str]]) -> HttpResponse:
    """For everybody else: that he has it, or the page that is kept."""
    told = tell(stamp, get_language())
    address = request.resolver_match
    assert address is not None
    asked = find_asked(request.GET, known)
    about = (stamp.version, address.url_name, address.kwargs.get("entrant"), address.kwargs.get("etui"))
    page = KeptAs(told, "-".join(map(str, (*about, make_stamp(asked) if asked else ""))))
    response = get_conditional_response(request, etag=page.etag)
    if response is None:
        response = send(request, find_page(page.key, lambda: compress(build(as_anybody(address, asked)))))
    response["ETag"] = page.etag
    patch_vary_headers(response, VARIES)
    request.META[KEPT_AS] = page
    return response


def find_asked(given: Mapping[str, str], known: Mapping[str, Collection[str]]) -> dict[str, str]:
    """What of a reader's parameters makes another page."""
    asked = {name: given.get(name, "").strip()[:MOST_TYPED] for name in known}
    return {name: value for name, value in asked.items() if value and (known[name] is ANY or value in known[name])}


def tell(stamp: Stamp, language: str | None) -> str:
    """What all pages of a publication change with."""
    return f"{stamp.digest[:32]}-{stamp.newest}-{stamp.names}-{language}-{site_version()}"


class KeptAs(NamedTuple):
    """A page by what was told of its publication, and by what of it is its own."""

    told: str
    own: str

    @property
    def etag(self) -> str:
        """Weak: it stands for the page and for its compressed bytes."""
        return f'W/"{self.told}"'

    @property
    def key(self) -> str:
        return f"{self.told}-{self.own}"


def as_anybody(address: ResolverMatch, asked: Mapping[str, str]) -> HttpRequest:
    """A request for the page that nobody in particular sends: its proper address, and nothing that a reader brings."""
    request = HttpRequest()
    request.method, request.resolver_match, request.user = "GET", address, AnonymousUser()
    request.path = request.path_info = reverse(address.view_name, kwargs=address.kwargs)
    request.GET = QueryDict(urlencode(asked))
    request.META["QUERY_STRING"] = request.GET.urlencode()
    return request
