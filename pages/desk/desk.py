"""The page of a session for strangers, helpers and directors, and some actions of directors on it.

A stranger sees the date before the evening, the plan during it, and at the end a link to the ranking. Helpers and
directors see the desk, which shows which results are entered and which are missing. A helper's page has no results in
its context. A director's page has them, except those of étuis that the director has still to play.
"""

from copy import copy
from functools import cache
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import reswap

from evenings.glance import SessionGlance, get_session_at
from evenings.plays.ruling import answer_call, declare_playing, lift_hiding
from evenings.sessions.checklist import preparation_of
from pages.acting import done, signed
from pages.desk.hall import glance_in, newest
from pages.desk.pieces import Pieces
from pages.desk.plan import plan_page
from pages.desk.progress import Progress, SessionDesk
from pages.desk.ruling_forms import EntrantForm
from pages.doors import ACTION, Phase, address_of, author, never_kept, session_page, session_url
from pages.everybody import answer_everybody, told_of
from rankings.publication.publishing import SESSIONS, is_due
from registration.people.registration import find_registration
from tournaments.errors import ActionRefused
from tournaments.job_health import job_health
from tournaments.models import Session
from tournaments.permissions import Can, power_of, require_found
from tournaments.published import PublicPlace, SeenVersion, Stamp
from tournaments.queue import queue_standings
from tournaments.words.stamps import make_stamp


@session_page(Can.READ)
def session(request: HttpRequest, session: Session) -> HttpResponse:
    power = power_of(request.user, session.tournament.club)
    if power < Can.ENTER:
        return show_readers(request, session)
    context: dict[str, Any] = {"session": session, "directs": power >= Can.DIRECT}
    if session.status == Session.Status.DRAFT:
        context["registration"] = find_registration(session)
        if power >= Can.DIRECT:
            context |= {"preparation": preparation_of(session), "deletable": True}
        return render(request, "desk/session_draft.html", context)
    desk = read_desk(request, session)
    context |= make_desk_context(request, desk) | {"desk": desk}
    if desk.directs:
        context["playing"] = desk.playing
    return render(request, "desk/session_running.html", context)


def show_readers(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the public page of a session.

    `told` holds all data on which the page depends. The plan depends only on the session's revision and the club's
    names.
    """
    tournament, club, deal_set = session.tournament, session.tournament.club, session.deal_set
    context: dict[str, Any] = {"session": session}
    told: tuple[object, ...] = (session.status, session.date, session.closed_at, tournament.name, told_of([club]))
    if session.status == Session.Status.DRAFT:
        template, context["registration"] = "desk/session_draft.html", find_registration(session)
        told += (context["registration"] is not None and context["registration"].is_open,)
    else:
        template, stamp = "desk/session_public.html", SESSIONS.look_up(PublicPlace.of(session))
        context |= what_readers_have(stamp)
        told += (session.revision, stamp, deal_set and (deal_set.commitment, deal_set.sealed_at))

    def build(request: HttpRequest) -> HttpResponse:
        plan = {} if session.status == Session.Status.DRAFT else {"page": plan_page(session, QueryDict())}
        return render(request, template, context | plan)

    return answer_everybody(request, told, build)


def what_readers_have(stamp: Stamp | SeenVersion | None) -> dict[str, Any]:
    """Return template values: the status of the ranking, and which pages of it readers may open.

    `etuis_version` is the version of which readers may open the pages of étuis, or None.
    """
    if stamp is None:
        return {"standing": "", "ranking": False, "etuis_version": None}
    there = not stamp.withdrawn
    return {
        "standing": stamp.status,
        "ranking": there and stamp.shows.ranking,
        "etuis_version": stamp.version if there and stamp.shows.etui_pages else None,
    }


@require_safe
def progress(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """Answer with the parts of the desk that have changed since the page got them, or with 204 if there are none.

    After a 204, the browser leaves the page as it is.
    """
    glance = glance_in(address, timezone.now(), request.user)
    if glance is None or glance.power < Can.ENTER:
        return answer_changes(request, **address)  # this view says why the request is refused
    stamp = stamp_for(request, glance)
    if request.GET.get("seen") == stamp:
        return HttpResponse(status=204)
    session = get_session_at(glance, Can.ENTER)
    return never_kept(request, send_changed(request, read_desk(request, session, glance, stamp)))


@session_page(Can.ENTER, phase=Phase.BEGUN)
def answer_changes(request: HttpRequest, session: Session) -> HttpResponse:
    return send_changed(request, read_desk(request, session))


def send_changed(request: HttpRequest, desk: SessionDesk) -> HttpResponse:
    """Answer with the pieces of the desk that differ from those on the page, or with the whole changing part.

    The parameter `held` is the name of the pieces on the page (see `pieces`).
    """
    context = make_desk_context(request, desk)
    pieces = context["pieces"].changed_since(request.GET.get("held", ""))
    if pieces is None:
        return render(request, "desk/_progress.html", context)
    return reswap(render(request, "desk/_changed.html", context | {"changed": pieces}), "none")


def stamp_for(request: HttpRequest, glance: SessionGlance) -> str:
    if glance.results != glance.computed:
        # The standings are older than the results, perhaps because the queue was down after the last entry. Queue their
        # computation again now, so that nobody waits for the periodic task.
        queue_standings(glance.session_id)
    asked = request.GET.get("show", ""), request.GET.get("position", "")
    versions = glance.shared, glance.names, glance.tables, glance.results, glance.computed
    return make_stamp("desk", request.user.pk, glance.power, *asked, *versions, *job_health.find_waiting())


def read_desk(
    request: HttpRequest, session: Session, glance: SessionGlance | None = None, stamp: str = ""
) -> SessionDesk:
    """Return the session's desk for the reader of the request.

    `glance` holds the version numbers of the session's data, and must be older than `session`. `stamp` is the digest of
    that glance. If they are not given, both are made here.
    """
    if glance is None:
        glance = require_found(glance_in(address_of(session), timezone.now(), request.user))
        session = newest(session, glance)
    user = author(request) if glance.power >= Can.DIRECT else None
    return SessionDesk(session, user, glance, stamp=stamp or stamp_for(request, glance))


def make_desk_context(request: HttpRequest, desk: SessionDesk) -> dict[str, Any]:
    """Return the template context for the desk of a session under way.

    Only a director who may see the standings gets them.
    """
    session, publications = desk.session, desk.settled.publications
    progress = Progress(desk, request.GET.get("show", ""), request.GET.get("position", ""))
    context: dict[str, Any] = {
        "session": session,
        "progress": progress,
        "publications": publications,
        "directs": desk.directs,
        "waiting_queues": job_health.find_waiting(),
    }
    if desk.directs:
        last = copy(publications[0]) if publications else None  # a copy, so that the cache does not keep its figures
        leaders = desk.settled.leaders(session)
        context |= {
            "leaders": [] if progress.closed else leaders,
            # A function that only some templates call: after a correction, its first call computes the ranking.
            "publishable": cache(lambda: bool(progress.entered) and is_due(session, last, missing=progress.missing)),
        }
    pieces = Pieces(request, context)
    return context | {"pieces": pieces, "held": pieces.keep()}


@session_page(Can.DIRECT, ACTION)
def record_answered_call(request: HttpRequest, session: Session, call: int) -> HttpResponse:
    """Record that the arbiter goes to the table that called. Answer a script with the changing part of the desk."""
    answer_call(session_id=session.pk, call_id=call, **signed(request))
    if request.htmx and session.status == Session.Status.RUNNING:  # type: ignore[attr-defined]
        return render(request, "desk/_progress.html", make_desk_context(request, read_desk(request, session)))
    return redirect(session_url("session", session))


@session_page(Can.DIRECT, ACTION)
def director_plays(request: HttpRequest, session: Session) -> HttpResponse:
    """Record as which entrant the director plays. With `lift`, show the director all results again, and log this."""
    if "lift" in request.POST:
        lift_hiding(session_id=session.pk, **signed(request))
        messages.warning(request, _("You now see every result. This is noted in the log."))
        return redirect(session_url("session", session))
    form = EntrantForm(session, request.POST)
    if not form.is_valid():
        raise ActionRefused("entrant_unknown", "entrant")
    entrant = form.cleaned_data["entrant"]
    declare_playing(session_id=session.pk, entrant_id=entrant.pk, **signed(request))
    told = _("You play as %(name)s: results of étuis that you have not played yet are hidden from you.")
    return done(request, told % {"name": entrant.name}, session_url("session", session))
