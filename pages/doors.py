"""The decorators ("doors") of views: they check who may see a page, fetch the page's object, and call the view.

The object is the club, tournament, session or play in the address. The module `permissions` decides what a user may do.
A door sends users who are not logged in to the login, and brings them back afterwards. If a session is not in the right
phase for the page, it refuses the request. After a refused write it redirects with a message, unless the view shows the
reason itself. Pages that require a login are never cached.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from typing import Any
from urllib.parse import parse_qsl

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, TooManyFieldsSent
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django_htmx.http import HttpResponseClientRedirect

from clubs.models import User
from movements import PlanError
from tournaments.errors import ActionRefused
from tournaments.models import Play, Series, Session
from tournaments.permissions import Can, get_club_for, get_play_for, get_series_for, get_session_for, get_tournament_for
from tournaments.words.messages import say
from wording import Refusal

View = Callable[..., HttpResponseBase]
READING = ("GET", "HEAD")
FORM = (*READING, "POST")
# This is added to the target if a form redirects to its own page. Without it, a browser keeps the scroll position on
# the next page.
TOP = "#top"
ACTION = ("POST",)


class Phase(Enum):
    """A phase of a session in which a page can be used. BEGUN is a session that is under way or over."""

    ANY = "any"
    DRAFT = "draft"
    BEGUN = "begun"


def author(request: HttpRequest) -> User:
    """Return the user who makes the request.

    The view of the caller has a decorator that requires a login.
    """
    assert isinstance(request.user, User)
    return request.user


def session_url(name: str, session: Session, *rest: int | str) -> str:
    """Return the address of one of a session's pages. `rest` has its further arguments, like the number of an étui."""
    tournament = session.tournament
    return reverse(name, args=(tournament.club.slug, tournament.slug, session.number, *rest))


def address_of(session: Session) -> dict[str, Any]:
    """Return the arguments that name a session in an address: `club`, `tournament` and `number`."""
    tournament = session.tournament
    return {"club": tournament.club.slug, "tournament": tournament.slug, "number": session.number}


def club_page(
    need: Can, methods: tuple[str, ...] = FORM, *, back: str = "", hidden: bool = False, real: bool = False
) -> Callable[[View], View]:
    """Return a decorator for `view(request, club)`, a page for users who have the right `need` in the club.

    With `hidden`, the page does not exist for all others who are logged in. With `real`, a practice club does not have
    the page: its address leads to the page of the real club.
    """

    def fetch(request: HttpRequest, *, club: str) -> tuple[Any, ...]:
        try:
            opened = get_club_for(request.user, need, slug=club)
        except PermissionDenied:
            if hidden:
                raise Http404 from None
            raise
        if real and opened.is_practice:
            raise PageOfRealClub(opened.real.slug)
        return (opened,)

    return door(need, methods, fetch, PageAddress("club", ("club",), back))


def tournament_page(need: Can, methods: tuple[str, ...] = FORM, *, back: str = "") -> Callable[[View], View]:
    """Return a decorator for `view(request, tournament)`, a page for users who have the right `need`."""

    def fetch(request: HttpRequest, *, club: str, tournament: str) -> tuple[Any, ...]:
        return (get_tournament_for(request.user, need, club__slug=club, slug=tournament),)

    return door(need, methods, fetch, PageAddress("tournament", ("club", "tournament"), back))


def series_page(need: Can, methods: tuple[str, ...] = READING) -> Callable[[View], View]:
    """Return a decorator for `view(request, series, **rest)`, a page for users who have the right `need`."""

    def fetch(request: HttpRequest, *, club: str, series: str) -> tuple[Series]:
        return (get_series_for(request.user, need, club=club, slug=series),)

    return door(need, methods, fetch, PageAddress("series", ("club", "series")))


def session_page(
    need: Can, methods: tuple[str, ...] = READING, *, phase: Phase = Phase.ANY, back: str = "session"
) -> Callable[[View], View]:
    """Return a decorator for `view(request, session, **rest)`, a page for users who have the right `need`.

    `rest` has the other arguments of the address. A session that is not in `phase` is refused. After a refusal, users
    are redirected to the page named `back`.
    """

    def fetch(request: HttpRequest, *, club: str, tournament: str, number: int) -> tuple[Session]:
        where = {"tournament__club__slug": club, "tournament__slug": tournament, "number": number}
        session = get_session_for(request.user, need, **where)
        draft = session.status == Session.Status.DRAFT
        if phase is Phase.BEGUN and draft:
            raise ActionRefused("session_not_started")
        if phase is Phase.DRAFT and not draft:
            raise ActionRefused("session_started")
        return (session,)

    return door(need, methods, fetch, PageAddress("session", ("club", "tournament", "number"), back))


def play_page(need: Can, methods: tuple[str, ...] = FORM) -> Callable[[View], View]:
    """Return a decorator for `view(request, play)`, a page for users who have the right `need`."""

    def fetch(request: HttpRequest, *, club: str, tournament: str, number: int, play: int) -> tuple[Play]:
        where = {"session__tournament__club__slug": club, "session__tournament__slug": tournament}
        return (get_play_for(request.user, need, **where, session__number=number, pk=play),)

    return door(need, methods, fetch, PageAddress("play", ("club", "tournament", "number", "play")))


class PageOfRealClub(Exception):
    """The signal that a practice club does not have a page. Its argument is the slug of the real club, which has it."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """The page `home` to which an action belongs, the names of its arguments, and the page `back` after a refusal.

    `back` may name further arguments that this page takes from the action's address, like "series_publish series".
    """

    home: str
    names: tuple[str, ...]
    back: str = ""

    def reverse_back(self, address: Mapping[str, Any]) -> str:
        """Return the address of the page after a refusal. `address` has the arguments of the action's address."""
        page, *more = (self.back or self.home).split()
        return reverse(page, kwargs={name: address[name] for name in (*self.names, *more)})


def door(
    need: Can, methods: tuple[str, ...], fetch: Callable[..., tuple[Any, ...]], way: PageAddress
) -> Callable[[View], View]:
    """Return a decorator that checks a request, fetches the page's object, and passes the object to the view.

    `fetch` gets those arguments of the address that `way.names` lists. The view gets the others.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, **address: Any) -> HttpResponseBase:
            where = {name: address.pop(name) for name in way.names}
            home = reverse(way.home, kwargs=where)
            if request.method in READING and methods == ACTION:
                # A browser requests an action by GET when the user reloads the page or changes its language. Redirect
                # to the page that has the button of the action.
                return redirect(home)
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            if need > Can.READ and not request.user.is_authenticated:
                return log_in_first(request, home)
            try:
                found = fetch(request, **where)
            except ActionRefused as refusal:
                return never_kept(request, refuse(request, refusal, home))
            except PageOfRealClub as moved:
                assert request.resolver_match
                names = where | address | {"club": moved.args[0]}
                return redirect(reverse(request.resolver_match.view_name, kwargs=names))
            try:
                with timezone.override(zone_of(found[0])):
                    response = view(request, *found, **address)
            except (Refusal, PlanError) as refusal:
                if request.method in READING:
                    raise
                response = refuse(request, refusal, way.reverse_back(where | address))
            return never_kept(request, response)

        page.need = need  # type: ignore[attr-defined]
        return page

    return decorate


def zone_of(thing: Any) -> Any:
    """Return the time zone of the club to which an object belongs, or None for the site's time zone."""
    for step in ("play", "session", "tournament", "club"):
        thing = getattr(thing, step, thing)
    return getattr(thing, "zone", None)


def never_kept(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response, with headers that forbid all caches to store it if the user is logged in."""
    if request.user.is_authenticated:
        add_never_cache_headers(response)
    return response


def refuse(request: HttpRequest, refusal: Refusal | PlanError, url: str) -> HttpResponse:
    """Redirect to a page, with a message that says why the request was refused.

    A reader who is not logged in is redirected without a message.
    """
    if request.user.is_authenticated:
        messages.error(request, say(refusal))
    return lead_to(request, url)


def lead_to(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect to another page. A script that requested only a part of a page loads the whole new page."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)  # type: ignore[attr-defined]


def takes_fields(most: int) -> Callable[[View], View]:
    """Return a decorator for a page whose form has more fields than other pages may have, up to `most`.

    The CSRF token is checked as on all other pages.
    """

    def decorate(view: View) -> View:
        protected = csrf_protect(view)

        @csrf_exempt  # the CSRF check reads the form, so it must run later: `protected` does it, after `read_fields`
        @wraps(view)
        def page(request: HttpRequest, **address: Any) -> HttpResponseBase:
            if request.method == "POST" and request.content_type == "application/x-www-form-urlencoded":
                request.POST = read_fields(request.body, most)  # type: ignore[assignment]
            return protected(request, **address)

        return page

    return decorate


def read_fields(body: bytes, most: int) -> QueryDict:
    posted = QueryDict(mutable=True)
    try:
        for name, value in parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=most):
            posted.appendlist(name, value)
    except ValueError as error:
        raise TooManyFieldsSent(str(error)) from error
    return posted


def log_in_first(request: HttpRequest, home: str) -> HttpResponse:
    """Redirect to the login and from there back to the page requested.

    After an action or a refresh of a part, the user comes back to `home`, the page to which it belongs.
    """
    if request.method in READING and not request.htmx:  # type: ignore[attr-defined]
        return redirect_to_login(request.get_full_path())
    return lead_to(request, redirect_to_login(home).url)
