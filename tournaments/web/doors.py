"""The doors of the private pages: who is not logged in is sent to log in and comes back; the rest is for `permissions`.

Each door fetches what its address names, sees to it that the session is in the phase that the page is for, and hands it
to the view. What a write refuses leads back with the reason, unless the view has a form to show it in. No page that
somebody had to log in for is cached.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from typing import Any
from urllib.parse import parse_qsl

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django_htmx.http import HttpResponseClientRedirect

from clubs.models import User
from movements import PlanError
from tournaments.errors import Refused
from tournaments.models import Play, Session
from tournaments.permissions import Can, get_club_for, get_play_for, get_session_for, get_tournament_for
from tournaments.words.messages import say
from wording import Refusal

View = Callable[..., HttpResponseBase]
READING = ("GET", "HEAD")
FORM = (*READING, "POST")
# After a form that comes back to its own place: without it a browser keeps that place on the page that follows.
TOP = "#top"
ACTION = ("POST",)


class Phase(Enum):
    """Of a session: in which a page is for it. BEGUN is under way or over."""

    ANY = "any"
    DRAFT = "draft"
    BEGUN = "begun"


def author(request: HttpRequest) -> User:
    """Who writes; the doors have let nobody in who is not logged in."""
    assert isinstance(request.user, User)
    return request.user


def session_url(name: str, session: Session, *rest: int | str) -> str:
    """The address of one of a session's pages; `rest` is what the page names beside the session."""
    tournament = session.tournament
    return reverse(name, args=(tournament.club.slug, tournament.slug, session.number, *rest))


def address_of(session: Session) -> dict[str, Any]:
    """What names a session in the address of its pages."""
    tournament = session.tournament
    return {"club": tournament.club.slug, "tournament": tournament.slug, "number": session.number}


def club_page(need: Can, methods: tuple[str, ...] = FORM, *, back: str = "") -> Callable[[View], View]:
    """`view(request, club)`"""

    def fetch(request: HttpRequest, *, club: str) -> tuple[Any, ...]:
        return (get_club_for(request.user, need, slug=club),)

    return door(need, methods, fetch, PageAddress("club", ("club",), back))


def tournament_page(need: Can, methods: tuple[str, ...] = FORM) -> Callable[[View], View]:
    """`view(request, tournament)`"""

    def fetch(request: HttpRequest, *, club: str, tournament: str) -> tuple[Any, ...]:
        return (get_tournament_for(request.user, need, club__slug=club, slug=tournament),)

    return door(need, methods, fetch, PageAddress("tournament", ("club", "tournament")))


def session_page(
    need: Can, methods: tuple[str, ...] = READING, *, phase: Phase = Phase.ANY, back: str = "session"
) -> Callable[[View], View]:
    """`view(request, session, **what else the address names)`, for a session in that phase alone."""

    def fetch(request: HttpRequest, *, club: str, tournament: str, number: int) -> tuple[Session]:
        where = {"tournament__club__slug": club, "tournament__slug": tournament, "number": number}
        session = get_session_for(request.user, need, **where)
        draft = session.status == Session.Status.DRAFT
        if phase is Phase.BEGUN and draft:
            raise Refused("session_not_started")
        if phase is Phase.DRAFT and not draft:
            raise Refused("session_started")
        return (session,)

    return door(need, methods, fetch, PageAddress("session", ("club", "tournament", "number"), back))


def play_page(need: Can, methods: tuple[str, ...] = FORM) -> Callable[[View], View]:
    """`view(request, play)`"""

    def fetch(request: HttpRequest, *, club: str, tournament: str, number: int, play: int) -> tuple[Play]:
        where = {"session__tournament__club__slug": club, "session__tournament__slug": tournament}
        return (get_play_for(request.user, need, **where, session__number=number, pk=play),)

    return door(need, methods, fetch, PageAddress("play", ("club", "tournament", "number", "play")))


@dataclass(frozen=True, slots=True)
class PageAddress:
    """The page that an action belongs to, what of an address names it, and where a refused one leads `back` to."""

    home: str
    names: tuple[str, ...]
    back: str = ""


def door(
    need: Can, methods: tuple[str, ...], fetch: Callable[..., tuple[Any, ...]], way: PageAddress
) -> Callable[[View], View]:
    """A decorator: the view gets what `fetch` finds under the way's names in the address."""

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, **address: Any) -> HttpResponseBase:
            where = {name: address.pop(name) for name in way.names}
            home = reverse(way.home, kwargs=where)
            if request.method in READING and methods == ACTION:
                # A reload or a changed language asks for an action by its address: back to where it is offered.
                return redirect(home)
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            if need > Can.READ and not request.user.is_authenticated:
                return log_in_first(request, home)
            try:
                found = fetch(request, **where)
            except Refused as refusal:
                return never_kept(request, refuse(request, refusal, home))
            try:
                with timezone.override(zone_of(found[0])):
                    response = view(request, *found, **address)
            except (Refusal, PlanError) as refusal:
                if request.method in READING:
                    raise
                response = refuse(request, refusal, reverse(way.back or way.home, kwargs=where))
            return never_kept(request, response)

        return page

    return decorate


def zone_of(thing: Any) -> Any:
    """The time zone of the club that a page is about; None for that of the site."""
    for step in ("play", "session", "tournament", "club"):
        thing = getattr(thing, step, thing)
    return getattr(thing, "zone", None)


def never_kept(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The answer, kept in no cache where somebody is logged in."""
    if request.user.is_authenticated:
        add_never_cache_headers(response)
    return response


def refuse(request: HttpRequest, refusal: Refusal | PlanError, url: str) -> HttpResponse:
    """To a page that can be asked for, with the reason. Who only reads the public pages is led there without a word."""
    if request.user.is_authenticated:
        messages.error(request, say(refusal))
    return lead_to(request, url)


def lead_to(request: HttpRequest, url: str) -> HttpResponse:
    """To another page; a part of one that is asked for anew takes the whole page along."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)  # type: ignore[attr-defined]


def takes_fields(most: int) -> Callable[[View], View]:
    """A page whose form has more fields than the site reads elsewhere: up to `most`. They are checked as all others."""

    def decorate(view: View) -> View:
        protected = csrf_protect(view)

        @csrf_exempt  # which reads the form: it is checked below, once it has been read here
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
    """To the login, and from there back: to the page asked for or, after an action or a refresh, to where it was."""
    if request.method in READING and not request.htmx:  # type: ignore[attr-defined]
        return redirect_to_login(request.get_full_path())
    return lead_to(request, redirect_to_login(home).url)
