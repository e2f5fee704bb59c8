"""Lets readers in to the pages of a publication: told apart by a stamp, answered from what is kept, or built.

Such a page says the same to every reader who is not logged in, by its stamp: the publication's digest, the newest
version, what is switched on, the version of the club's names, the version of the site, the names by which the site and
the page are asked for, the language. It is built for nobody in particular (`as_anybody`), so that nothing of who asked
first, not what he added to the address, is in what the others get.
"""

import datetime as dt
from collections.abc import Callable, Collection, Mapping
from functools import cached_property, wraps
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.db.models import Exists, OuterRef, Q
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

from clubs.guard import answer_too_often
from clubs.house import is_indexed
from clubs.models import Player
from clubs.names import plain
from tournaments.addresses import UnsentRequest, origin_of
from tournaments.events.publishing import TournamentStamp
from tournaments.models import Entrant, Play, Publication, PublishedPlayer, Session, Tournament, Version
from tournaments.permissions import Can, get_session_for
from tournaments.publication.changes import Told
from tournaments.publication.kept import (
    BUILT_WITHIN,
    KeptPage,
    TooManyBuilt,
    compress,
    count_build,
    find_counted_page,
    find_page,
    send,
)
from tournaments.publication.report import Report, cut, read_report
from tournaments.publication.standing import look_up
from tournaments.published import Place, Shows, Stamp
from tournaments.web.links import Links
from tournaments.web.numbers import number_of
from tournaments.web.public.finding import let_list
from tournaments.words.stamps import make_stamp, site_version

PAGES = {"ranking": "ranking_version", "feuille": "feuille", "boards": "boards", "board": "board"}
# Which switch a page hangs on, by what it is called in `Shows`.
PARTS = {"ranking": "ranking", "feuille": "feuilles", "boards": "boards", "board": "boards"}
KEPT_AS = "topage.kept_as"  # where a request says which page it was answered by
AnyStamp = Stamp | TournamentStamp
Known = Collection[str] | Callable[[str, Any], bool]
ANY: Collection[str] = ()
MOST_TYPED = 80
VARIES = ("Accept-Encoding", "Accept-Language", "Cookie")


class Published:
    """A publication with its session, what of it is shown, and where its pages lie."""

    def __init__(self, publication: Publication, stamp: Stamp) -> None:
        self.publication, self.stamp, self.session = publication, stamp, publication.session
        self.shows, place = stamp.shows, self.session.tournament
        self.links = Links(
            {page: name for page, name in PAGES.items() if getattr(self.shows, PARTS[page])},
            {
                "club": place.club.slug,
                "tournament": place.slug,
                "number": self.session.number,
                "version": publication.version,
            },
            evenings=True,
        )

    @cached_property
    def report(self) -> Report:
        return read_report(self.publication.data)

    @cached_property
    def open_report(self) -> Report:
        """Without what is switched off."""
        return read_report(cut(self.publication.data, self.shows))

    @property
    def context(self) -> dict[str, Any]:
        return {
            "tournament": self.session.tournament,
            "club": self.session.tournament.club,
            "session": self.session,
            "date": dt.date.fromisoformat(self.publication.data["date"]),
            "publication": self.publication,
            "stamp": self.stamp,
            "shows": self.shows,
            "links": self.links,
        }


class VersionRow(NamedTuple):
    """A version on the page of all: what became otherwise in it, or why that is `untold`; no address where it shows
    nothing."""

    version: Version
    changes: list[Told]
    address: str
    untold: str = ""


def read_published(stamp: Stamp, *needs: Exists) -> Published:
    """Return what is published, by one query. Raise `Http404`, with nothing of it read, where it lacks a need."""
    rows = Publication.objects.select_related("session__tournament__club__house").filter(*needs)
    found = rows.filter(pk=stamp.publication).first()
    if found is None:
        raise Http404
    return Published(found, stamp)


View = Callable[..., HttpResponse]
Build = Callable[[HttpRequest], HttpResponse]


def with_publication(needs: str = "", /, **known: Known) -> Callable[[View], View]:
    """Hands the view what is published, where the reader has not got the page already and it is not kept.

    `needs`: which of `Shows` must be on for it. A number in the address that the session has not is refused before
    anything is read (`HAS`). `known`: the parameters of its address, each with the values that make
    another page of it; ANY where any text does, as a name that is searched for; or what tells by the stamp whether a
    value does. Nothing else that stands there does.
    """

    def decorate(view: View) -> View:
        @require_safe
        @wraps(view)
        def find(
            request: HttpRequest, club: str, tournament: str, number: int, version: int | None = None, **more: int
        ) -> HttpResponse:
            stamp = look_up(Place(club, tournament, number, version))
            if stamp is None or stamp.practice or stamp.withdrawn or not is_shown(stamp.shows, needs):
                where = {"tournament__club__slug": club, "tournament__slug": tournament, "number": number}
                session = get_session_for(request.user, Can.READ, **where)
                if stamp is None and version is not None:
                    raise Http404
                if stamp is None or stamp.withdrawn or not is_shown(stamp.shows, needs):
                    return say_why_not(request, session, stamp, needs)

            def build(request: HttpRequest) -> HttpResponse:
                assert stamp is not None
                shown = read_published(stamp, *(HAS[name](number) for name, number in more.items()))
                club = shown.session.tournament.club
                with timezone.override(club.zone):
                    return let_list(view(request, shown, **more), is_indexed(club))

            if stamp.practice:
                response = build(request)
                add_never_cache_headers(response)
                return response
            response = answer_bounded(request, stamp, build, known)
            patch_cache_control(response, no_cache=True)
            return response

        return find

    return decorate


def is_shown(shows: Shows, part: str) -> bool:
    return not part or bool(getattr(shows, part))


def say_why_not(request: HttpRequest, session: Session, stamp: Stamp | None, part: str) -> HttpResponse:
    """Nothing published yet, taken back, or switched off: what there is instead, and no figure."""
    context: dict[str, Any] = {"session": session, "stamp": stamp, "part": part}
    if stamp is None:
        template = "public/not_published.html"
    elif stamp.withdrawn:
        template = "public/withdrawn.html"
        context["withdrawal"] = session.publications.defer("data").get(version=stamp.withdrawn)
        context["replaced"] = stamp.withdrawn != stamp.newest
    else:
        template, shown = "public/not_shown.html", read_published(stamp)
        context |= shown.context
        if part == "ranking" and stamp.shows.feuilles:
            context["players"] = sorted(shown.report.players, key=lambda player: plain(player["name"]))
    with timezone.override(session.tournament.club.zone):
        response = render(request, template, context, status=404)
    patch_cache_control(response, no_cache=True)
    return response


def is_personal(request: HttpRequest) -> bool:
    """Whether the page says something to this reader alone: his name, the tokens of his forms, a message for him. Who
    works on the site has every page as its templates are now."""
    if settings.TOOLBAR:
        return True
    return is_known(request) and (request.user.is_authenticated or bool(get_messages(request)))


def is_known(request: HttpRequest) -> bool:
    """Whether the reader may be logged in, or waited for by a message; no other cookie says who reads."""
    return bool(request.COOKIES) and not {settings.SESSION_COOKIE_NAME, "messages"}.isdisjoint(request.COOKIES)


def answer_bounded(request: HttpRequest, stamp: AnyStamp, build: Build, known: Mapping[str, Known]) -> HttpResponse:
    """Return the page for whoever asks, or a refusal where one address has too many built that have parameters."""
    try:
        if not is_personal(request):
            return answer(request, stamp, build, known)
        if find_asked(request.GET, known, stamp):
            count_build(request)
        return build(request)
    except TooManyBuilt:
        return refuse_builds(request)


def refuse_builds(request: HttpRequest) -> HttpResponse:
    response = answer_too_often(request)
    response["Retry-After"] = str(BUILT_WITHIN)
    return response


def answer(request: HttpRequest, stamp: AnyStamp, build: Build, known: Mapping[str, Known]) -> HttpResponse:
    """For everybody else: that he has it, or the page that is kept."""
    told = tell(stamp, get_language())
    address = request.resolver_match
    assert address is not None
    asked = find_asked(request.GET, known, stamp)
    about = (stamp.version, address.url_name, address.kwargs.get("entrant"), address.kwargs.get("etui"))
    origin = origin_of(request)
    page = KeptAs(told, "-".join(map(str, (*about, make_stamp(asked) if asked else "", make_stamp(origin)))))

    def build_for_all() -> KeptPage:
        return compress(build(as_anybody(address, asked, origin)))

    response = get_conditional_response(request, etag=page.etag)
    if response is None:
        response = send(request, find_or_build(request, page.key, asked, known, build_for_all))
    response["ETag"] = page.etag
    patch_vary_headers(response, VARIES)
    request.META[KEPT_AS] = page
    return response


def find_or_build(
    request: HttpRequest, key: str, asked: Mapping[str, str], known: Mapping[str, Known], build: Callable[[], KeptPage]
) -> KeptPage:
    """Return what is kept. Pages with parameters are counted where they are built; of any text none is kept."""
    if not asked:
        return find_page(key, build)
    if not any(known[name] is ANY for name in asked):
        return find_counted_page(request, key, build)
    count_build(request)
    return build()


def find_asked(given: Mapping[str, str], known: Mapping[str, Known], stamp: AnyStamp) -> dict[str, str]:
    """What of a reader's parameters makes another page."""
    asked = {name: given.get(name, "").strip()[:MOST_TYPED] for name in known}
    return {name: value for name, value in asked.items() if value and is_told(value, known[name], stamp)}


def is_told(value: str, known: Known, stamp: AnyStamp) -> bool:
    if callable(known):
        return known(value, stamp)
    return known is ANY or value in known


def is_entrant(value: str, stamp: Stamp) -> bool:
    """Whether it is the number of an entrant of the session: no other makes a page to be kept."""
    number = number_of(value)
    return str(number) == value and Entrant.objects.filter(pk=number, session=stamp.session).exists()


# What a session has to have where an address has such a number.
HAS: Mapping[str, Callable[[int], Exists]] = {
    "entrant": lambda number: Exists(Entrant.objects.filter(pk=number, session=OuterRef("session"))),
    "etui": lambda number: Exists(Play.objects.filter(etui__number=number, session=OuterRef("session")).order_by()),
}


def is_reader(value: str, stamp: AnyStamp) -> bool:
    """Return whether it is the number of a player of the session's publication, in whatever section, or of the club
    whose tournament it is."""
    number = number_of(value)
    if str(number) != value:
        return False
    if isinstance(stamp, Stamp):
        mine = Q(player=number) | Q(player__merged_into=number)
        return PublishedPlayer.objects.filter(mine, publication=stamp.publication).exists()
    club = Tournament.objects.filter(pk=stamp.tournament).values("club")
    return Player.objects.filter(pk=number, club__in=club).exists()


def tell(stamp: AnyStamp, language: str | None) -> str:
    """What all pages of a publication change with. A version's status and changes never do, and its number is told."""
    shows = "".join(str(int(shown)) for shown in stamp.shows)
    former = getattr(stamp, "former", None) or ""
    return (
        f"{stamp.digest[:32]}-{stamp.version}-{stamp.newest}-{shows}-{stamp.names}-{former}-{language}-{site_version()}"
    )


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


def as_anybody(address: ResolverMatch, asked: Mapping[str, str], origin: str) -> HttpRequest:
    """A request for the page that nobody in particular sends: its proper address, and nothing that a reader brings."""
    request = UnsentRequest(origin)
    request.resolver_match, request.user = address, AnonymousUser()
    request.path = request.path_info = reverse(address.view_name, kwargs=address.kwargs)
    request.GET = QueryDict(urlencode(asked))
    request.META["QUERY_STRING"] = request.GET.urlencode()
    return request
