"""The decorator for the pages of a ranking of any kind: it decides who may read them, and takes them from the cache.

A kind of ranking has an entrance: how its readers come in, and what they may see. That of sessions is here. A page is
identified by its stamp. The stamp has the publication's digest, the newest version, and the parts that are
switched on. It has the versions of the records and of the club's names. It also has the version of the site, the
language, and the host and address of the request. With the same stamp, all readers who are not logged in get the same
page. It is built from a request without cookies (`as_anybody`), with only the query parameters that change the page. So
the page has nothing about the reader who asked for it first.
"""

import datetime as dt
from collections.abc import Callable, Collection, Mapping
from functools import cached_property, partial, wraps
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_cache_control
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.house import is_indexed
from clubs.models import Club
from clubs.names import simplify_name
from pages.everybody import answer_stamped, as_anybody, is_personal, with_asked, with_bounded_builds
from pages.links import Links
from pages.public.shown import ShownRanking
from pages.public.sitemap import let_list
from pages.ranking_pages import VIEWS, RankingQuery, ranking_page
from rankings.events.publishing import TournamentStamp
from rankings.kinds import AnyKind
from rankings.listing import kind_of
from rankings.publication.differences import list_changes
from rankings.publication.publishing import SESSIONS
from rankings.publication.report import PlayedEvening, read_former, read_in_public, read_report, read_seen_report
from rankings.ranking import Ranking
from rankings.simultaneous.field.feuilles import find_field_version
from tournaments.addresses import origin_of
from tournaments.models import Entrant, FieldPublication, Play, Publication, PublishedPlayer, Session, Tournament
from tournaments.numbers import parse_number
from tournaments.page_cache import KeptPage, compress, count_build, find_counted_page, find_page
from tournaments.permissions import Can, get_session_for
from tournaments.published import PublicPlace, Shows, Stamp, find_published
from tournaments.reports.session import decode_report
from tournaments.words.stamps import make_stamp, site_version

PAGES = {"ranking": "ranking_version", "feuille": "feuille", "etuis": "published_etuis", "etui": "published_etui"}
# The switch in `Shows` on which each page depends.
PARTS = {"ranking": "ranking", "feuille": "feuilles", "etuis": "etui_pages", "etui": "etui_pages"}
KEPT_AS = "topage.kept_as"  # the key by which request.META holds the `KeptAs` of the page that was sent
FOUND_BY = "topage.found_by"  # the key by which request.META holds the function that finds the page's stamp
AnyStamp = Stamp | TournamentStamp
Known = Collection[str] | Callable[[str, Any], bool]
ANY: Collection[str] = ()
MOST_TYPED = 80


class PublishedVersion(ShownRanking):
    """A version of a session's ranking, the parts that are shown, and the addresses of its pages."""

    kind = SESSIONS

    def __init__(self, version: Publication, stamp: Stamp) -> None:
        super().__init__(version, stamp)
        self.session = version.session
        self.shows, tournament = stamp.shows, self.session.tournament
        self.links = Links(
            {page: name for page, name in PAGES.items() if getattr(self.shows, PARTS[page])},
            {
                "club": tournament.club.slug,
                "tournament": tournament.slug,
                "number": self.session.number,
                "version": version.version,
            },
            evenings=True,
        )

    @property
    def occasion(self) -> str:
        return _("Ranking of session %(number)s") % {"number": self.session.number}

    @property
    def day(self) -> dt.date:
        return dt.date.fromisoformat(decode_report(self.version.data).date)

    @property
    def file_name(self) -> list[str]:
        return [self.session.tournament.slug, str(self.session.number)]

    @cached_property
    def report(self) -> PlayedEvening:
        return read_report(self.version.data)

    @property
    def ranking(self) -> Ranking[Any]:
        return self.report.rank(alone=self.stamp.alone)

    @cached_property
    def open_report(self) -> PlayedEvening:
        """The report without the parts that are switched off."""
        return read_in_public(read_seen_report(self.version.data, self.stamp))

    @cached_property
    def over_all_clubs(self) -> FieldPublication | None:
        """The newest ranking over all clubs of the simultaneous that the session plays, or None if there is none."""
        return find_field_version(self.session.pk) if self.stamp.field else None

    def describe_page(self, request: HttpRequest, asked: RankingQuery) -> dict[str, Any]:
        over_all = self.over_all_clubs and self.over_all_clubs.simultaneous
        page = ranking_page(self.report, asked, read_former(self.stamp.former), alone=self.stamp.alone)
        changes = list_changes(self.version.changes, self.shows, version=self.version)
        return page | {"changes": changes, "of_field": over_all, "in_bar": True}

    @property
    def picture(self) -> str:
        return super().picture if self.shows.ranking else ""

    @property
    def owned(self) -> dict[str, Any]:
        return {
            "tournament": self.session.tournament,
            "session": self.session,
            "date": self.day,
            "shows": self.shows,
            "links": self.links,
        }


View = Callable[..., Any]
Build = Callable[[HttpRequest], HttpResponse]


class RankingEntry(NamedTuple):
    """A ranking that a reader may see now. `read` reads it, which is done only if its page must be built.

    `stamp` identifies its pages. `find_stamp` finds the stamp again for readers who ask for the same page later. `more`
    has the other arguments of the view.
    """

    stamp: Any
    read: Callable[[], ShownRanking]
    find_stamp: Callable[[], Any]
    more: Mapping[str, int] = MappingProxyType({})


class Entrance(NamedTuple):
    """The way of readers to the pages of a kind of ranking, `kind`.

    `door` is the decorator that checks the request. `enter` gets the request, the part of the ranking that the page
    shows, and the arguments of the address. It returns the entry, or the page that says why there is none. `part` is
    the part that has the ranking. `parameters` are those of the query that change a page of the ranking. They are `by`
    for its view, `me` for the reader whose part is shown, and `club` where several are compared.
    """

    kind: AnyKind
    door: Callable[[View], Callable[..., Any]]
    enter: Callable[..., RankingEntry | HttpResponse]
    parameters: Mapping[str, Known]
    part: str = ""

    def choose(self, *names: str) -> dict[str, Known]:
        """Return these query parameters, without those that the kind does not have."""
        return {name: self.parameters[name] for name in names if name in self.parameters}


def with_ranking(way: Entrance, part: str = "", /, **known: Known) -> Callable[[View], View]:
    """Return a decorator for `view(request, shown)`, which is called only if the page must be built.

    `part` is the part of the ranking that must be open to readers. `known` names the query parameters that change the
    page. Each has a collection of its possible values, or a function that checks a value against the stamp. ANY stands
    for free text, such as a searched name. Other parameters are ignored.
    """

    def decorate(view: View) -> View:
        @way.door
        @wraps(view)
        def find(request: HttpRequest, *place: Any, **address: Any) -> HttpResponse:
            entry = way.enter(request, part, *place, **address)
            if isinstance(entry, HttpResponseBase):
                patch_cache_control(entry, no_cache=True)
                return entry

            def build(request: HttpRequest) -> HttpResponse:
                shown = entry.read()
                with timezone.override(shown.club.zone):
                    return let_list(view(request, shown, **entry.more), is_indexed(shown.club))

            return answer_readers(request, entry, build, known)

        return find

    return decorate


def enter_session(
    request: HttpRequest, part: str, club: str, tournament: str, number: int, version: int | None = None, **more: int
) -> RankingEntry | HttpResponse:
    """Return the entry to a session's ranking. `part` is the switch in `Shows` that must be on.

    If the session does not have the étui or entrant in the address, reading raises Http404, before the publication's
    data are read (`HAS`).
    """
    place = PublicPlace(club, tournament, number, version)
    stamp = SESSIONS.look_up(place)
    if stamp is None or stamp.practice or stamp.withdrawn or not is_shown(stamp.shows, part):
        where = {"tournament__club__slug": club, "tournament__slug": tournament, "number": number}
        session = get_session_for(request.user, Can.READ, **where)
        if stamp is None and version is not None:
            raise Http404
        if stamp is None or stamp.withdrawn or not is_shown(stamp.shows, part):
            return refuse_session(request, session, stamp, part)

    def read() -> PublishedVersion:
        return PublishedVersion.read(stamp, *(HAS[name](pk) for name, pk in more.items()))

    return RankingEntry(stamp, read, partial(find_published, place), more)


def answer_readers(request: HttpRequest, entry: RankingEntry, build: Build, known: Mapping[str, Known]) -> HttpResponse:
    """Return a page of a published ranking of any kind. That of a practice club is never cached."""
    if entry.stamp.practice:
        response = build(with_asked(request, find_asked(request.GET, known, entry.stamp)))
        add_never_cache_headers(response)
        return response
    response = answer_bounded(request, entry.stamp, build, known)
    request.META[FOUND_BY] = entry.find_stamp
    patch_cache_control(response, no_cache=True)
    return response


def is_shown(shows: Shows, part: str) -> bool:
    return not part or bool(getattr(shows, part))


class WhyNot(NamedTuple):
    """A reason why readers do not see a ranking: the title and the heading of the page, and its sentence.

    If the ranking was withdrawn, the sentence has the parameter `moment`.
    """

    title: str
    heading: str
    text: str


def say_why_not(
    request: HttpRequest, owner: Any, stamp: Any, why_not: WhyNot, values: Mapping[str, Any], context: dict[str, Any]
) -> HttpResponse:
    """Show the page that says why a ranking cannot be read, with links to the pages that can be read.

    `values` are the parameters of the sentence, `context` has the club. The moment is told in its time zone.
    """
    club: Club = context["club"]
    if stamp is not None and stamp.withdrawn:
        context["withdrawal"] = withdrawal = owner.publications.defer("data", "frozen").get(version=stamp.withdrawn)
        if stamp.withdrawn != stamp.newest:
            context["current"] = kind_of(withdrawal).place(withdrawal).page
        moment = timezone.localtime(withdrawal.published_at, club.zone)
        values = {**values, "moment": date_format(moment, "DATETIME_FORMAT")}
    context = {"stamp": stamp, "links": Links({}), **context, "why_not": why_not._replace(text=why_not.text % values)}
    with timezone.override(club.zone):
        return render(request, "ranking/not_shown.html", context, status=404)


def refuse_session(request: HttpRequest, session: Session, stamp: Stamp | None, part: str) -> HttpResponse:
    """Show why a session's ranking or a part of it cannot be read.

    The reason is that nothing is published yet, the ranking was withdrawn, or the director switched this part off.
    """
    tournament = session.tournament
    context: dict[str, Any] = {"club": tournament.club, "session": session, "tournament": tournament}
    if stamp is not None and not stamp.withdrawn:
        shown = PublishedVersion.read(stamp)
        context |= shown.context
        if part == "ranking" and stamp.shows.feuilles:
            context["players"] = sorted(shown.report.players, key=lambda player: simplify_name(player.name))
    context["back_url"] = reverse("tournament", args=[tournament.club.slug, tournament.slug])
    values = {"name": tournament.name, "number": session.number, "date": date_format(session.date, "DATE_FORMAT")}
    return say_why_not(request, session, stamp, tell_why_no_session(tournament, stamp, part), values, context)


def tell_why_no_session(tournament: Tournament, stamp: Stamp | None, part: str) -> WhyNot:
    if stamp is None:
        text = _(
            "The director of %(name)s will publish the ranking of session %(number)s, of %(date)s, once the results are"
            " in. It will be at this address."
        )
        return WhyNot(_("Not published yet"), _("This ranking is not published yet"), text)
    if stamp.withdrawn:
        text = _("The director of %(name)s withdrew the ranking of session %(number)s on %(moment)s.")
        return WhyNot(_("Ranking withdrawn"), _("This ranking has been withdrawn"), text)
    headings = {
        "ranking": _("The ranking is not shown"),
        "feuilles": _("The feuilles de route are not shown"),
        "file": _("The table of results is not shown"),
    }
    text = _(
        "The director of %(name)s has not made this part of session %(number)s public. It may appear later, at this"
        " address."
    )
    title = ", ".join([_("Not shown"), tournament.name])
    return WhyNot(title, headings.get(part, _("The étuis are not shown")), text)


@with_bounded_builds
def answer_bounded(request: HttpRequest, stamp: AnyStamp, build: Build, known: Mapping[str, Known]) -> HttpResponse:
    """Return the page. Refuse if too many pages with query parameters were built for one IP address."""
    if not is_personal(request):
        return answer_kept(request, stamp, build, known)
    asked = find_asked(request.GET, known, stamp)
    if asked:
        count_build(request)
    return build(with_asked(request, asked))


def answer_kept(request: HttpRequest, stamp: AnyStamp, build: Build, known: Mapping[str, Known]) -> HttpResponse:
    """Return the page that all readers share, from the cache or newly built, or a 304 if the reader has it already."""
    told = tell_stamp(stamp, get_language())
    address = request.resolver_match
    assert address is not None
    asked = find_asked(request.GET, known, stamp)
    about = (stamp.version, address.url_name, address.kwargs.get("entrant"), address.kwargs.get("etui"))
    origin = origin_of(request)
    page = KeptAs(told, "-".join(map(str, (*about, make_stamp(asked) if asked else "", make_stamp(origin)))))

    def build_for_all() -> KeptPage:
        return compress(build(as_anybody(address, asked, origin)))

    response = answer_stamped(request, told, lambda: find_or_build(request, page.key, asked, known, build_for_all))
    request.META[KEPT_AS] = page
    return response


def find_or_build(
    request: HttpRequest, key: str, asked: Mapping[str, str], known: Mapping[str, Known], build: Callable[[], KeptPage]
) -> KeptPage:
    """Return the page from the cache, or build it.

    Each build of a page with query parameters counts against a limit. Pages with free text are never cached.
    """
    if not asked:
        return find_page(key, build)
    if not any(known[name] is ANY for name in asked):
        return find_counted_page(request, key, build)
    count_build(request)
    return build()


def find_asked(given: Mapping[str, str], known: Mapping[str, Known], stamp: AnyStamp) -> dict[str, str]:
    """Return the reader's query parameters that change the page."""
    asked = {name: given.get(name, "").strip()[:MOST_TYPED] for name in known}
    return {name: value for name, value in asked.items() if value and is_told(value, known[name], stamp)}


def is_told(value: str, known: Known, stamp: AnyStamp) -> bool:
    if callable(known):
        return known(value, stamp)
    return known is ANY or value in known


def names_row(find: Callable[[int, Any], QuerySet[Any]]) -> Callable[[str, Any], bool]:
    """Return the check that a value is the number of a row, which `find` looks for by the number and the stamp."""

    def check(value: str, stamp: Any) -> bool:
        number = parse_number(value)
        return str(number) == value and find(number, stamp).exists()

    return check


# For each kind of number in an address, the condition that the session has the entrant or étui of that number.
HAS: Mapping[str, Callable[[int], Exists]] = {
    "entrant": lambda number: Exists(Entrant.objects.filter(pk=number, session=OuterRef("session"))),
    "etui": lambda number: Exists(Play.objects.filter(etui__number=number, session=OuterRef("session")).order_by()),
}


def find_published_player(number: int, stamp: Stamp) -> QuerySet[Any]:
    """Return the rows of the player with this id in the session's publication, in any section."""
    mine = Q(player=number) | Q(player__merged_into=number)
    return PublishedPlayer.objects.filter(mine, publication=stamp.publication)


SESSION = Entrance(
    SESSIONS, require_safe, enter_session, {"by": VIEWS, "me": names_row(find_published_player)}, part="ranking"
)


def tell_stamp(stamp: AnyStamp, language: str | None) -> str:
    """Return the key of a publication's cached pages. It changes if anything changes that these pages show."""
    told = (*stamp.parts, stamp.shows, getattr(stamp, "former", None), language, site_version())
    return sha256(repr(told).encode()).hexdigest()[:24]


class KeptAs(NamedTuple):
    """The cache key of a page: `told` is common to all pages of the publication, `own` belongs to this page."""

    told: str
    own: str

    @property
    def etag(self) -> str:
        """The weak ETag of the page. It is weak because it stands for the plain page and for the compressed one."""
        return f'W/"{self.told}"'

    @property
    def key(self) -> str:
        return f"{self.told}-{self.own}"
