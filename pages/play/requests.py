"""The director's pages about corrections that players ask for.

They show the request, the other players' answers, the stored result and the director's decision. A director grants a
request by correcting the result (see `entry`), or says that it is granted in another way.
"""

from collections.abc import Callable
from functools import wraps

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from evenings.plays.desk_state import hidden_etuis
from evenings.requests.asking import window_of
from evenings.requests.deciding import accept_request, refuse_request
from evenings.requests.reading import RequestWithVoices, find_contained, requests_of
from pages.acting import done, signed
from pages.doors import ACTION, Phase, View, author, session_page, session_url
from pages.form_fields import ReasonForm
from pages.parts.cards import hands_of
from pages.play.entry import PlayDesk
from rankings.publication.publishing import read_open
from tournaments.models import Session
from tournaments.permissions import Can, get_play_for, require_found


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def session_requests(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the requests of the session, the open ones first.

    If the director has still to play an étui, show only at which table and in which position it was played.
    """
    hidden = hidden_etuis(session, author(request))
    found = requests_of(session, now=timezone.now())
    context = {
        "session": session,
        "requests": [(each, each.play.etui_id in hidden) for each in found],
        "window": window_of(session),
        "now": timezone.now(),
    }
    return render(request, "requests/list.html", context)


def request_page(methods: tuple[str, ...]) -> Callable[[View], View]:
    """Return a decorator for `view(request, asked, desk)`, a page of directors.

    `asked` is a player's request, and `desk` is its play with what this director may see.
    """

    def decorate(view: View) -> View:
        @session_page(Can.DIRECT, methods, phase=Phase.BEGUN, back="session_requests")
        @wraps(view)
        def page(request: HttpRequest, session: Session, asked: int) -> HttpResponseBase:
            found = (each for each in requests_of(session, now=timezone.now()) if each.request.pk == asked)
            wanted: RequestWithVoices = require_found(next(found, None))
            play = get_play_for(author(request), Can.DIRECT, pk=wanted.play.pk)
            desk = PlayDesk(request, play)
            if desk.each.closed:
                raise PermissionDenied
            return view(request, wanted, desk)

        return page

    return decorate


@request_page(("GET", "HEAD"))
def session_request(request: HttpRequest, asked: RequestWithVoices, desk: PlayDesk) -> HttpResponse:
    return show(request, asked, desk)


def show(
    request: HttpRequest, asked: RequestWithVoices, desk: PlayDesk, *, form: ReasonForm | None = None, status: int = 200
) -> HttpResponse:
    session = desk.play.session
    hands, chien = hands_of(published_cards(session, desk.play.etui.number))
    context = {
        "session": session,
        "asked": asked,
        "contained": find_contained(session, [asked]).get(asked.request.pk),
        "desk": desk,
        "play": desk.play,
        "form": form or ReasonForm(),
        "hands": hands,
        "chien": chien,
    }
    return render(request, "requests/request.html", context, status=status)


def published_cards(session: Session, number: int) -> str:
    """Return the étui's published cards, or "" if readers cannot see them.

    A director sees cards that are not published only on pages that log it.
    """
    shown = read_open(session)
    return next((etui.cards for etui in shown.etuis if etui.number == number), "") if shown else ""


@request_page(ACTION)
def accept(request: HttpRequest, asked: RequestWithVoices, desk: PlayDesk) -> HttpResponse:
    """Grant the request without a correction of this play.

    The director has already solved it in another way: by a ruling, a penalty or the correction of another play.
    """
    session = desk.play.session
    told = " ".join(request.POST.get("answer", "")[:300].split())
    accept_request(session_id=session.pk, request_id=asked.request.pk, answer=told, **signed(request))
    text = _("The request is granted: the player sees it on their page.")
    return done(request, text, session_url("session_requests", session))


@request_page(ACTION)
def refuse(request: HttpRequest, asked: RequestWithVoices, desk: PlayDesk) -> HttpResponse:
    session, form = desk.play.session, ReasonForm(request.POST)
    if not form.is_valid():
        return show(request, asked, desk, form=form)
    reason = form.cleaned_data["reason"]
    refuse_request(session_id=session.pk, request_id=asked.request.pk, reason=reason, **signed(request))
    text = _("The request is refused: the player reads why on their page.")
    return done(request, text, session_url("session_requests", session))
