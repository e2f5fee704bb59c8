"""A director's pages before the evening: tournaments, sessions, start and undo.

Each change is posted and answered by a redirect; what is refused comes back with what was typed.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.house import settings_of
from clubs.models import Club
from tournaments.models import Session, Tournament
from tournaments.permissions import Can
from tournaments.plans.starting import start_session, unstart_session
from tournaments.sessions.checklist import hours
from tournaments.sessions.setup import create_session, create_tournament, edit_session
from tournaments.web.doors import ACTION, FORM, author, club_page, session_page, session_url, tournament_page
from tournaments.web.prepare.setup_forms import SessionForm, TournamentForm, UnderWayForm


@club_page(Can.DIRECT)
def tournament_new(request: HttpRequest, club: Club) -> HttpResponse:
    today = timezone.localdate()
    season = club.seasons.filter(starts_on__lte=today, ends_on__gte=today).first()
    form = TournamentForm(club, request.POST or None, initial={"auction": settings_of(club).auction, "season": season})
    if form.is_valid():
        tournament = create_tournament(
            club=club,
            name=form.cleaned_data["name"],
            auction=form.cleaned_data["auction"],
            season=form.cleaned_data.get("season"),
            federation=form.cleaned_data["federation"],
            now=timezone.now(),
        )
        messages.success(request, _("The tournament is created: now its first session."))
        return redirect("session_new", club.slug, tournament.slug)
    return render(request, "prepare/tournament_new.html", {"club": club, "form": form})


def usual_evening(club: Club) -> dict[str, object]:
    """What a new session's form begins with."""
    house = settings_of(club)
    names = ("starts_at", "positions", "etuis_per_position", "minutes_per_etui")
    return {"date": timezone.localdate()} | {name: getattr(house, name) for name in names}


@tournament_page(Can.DIRECT)
def session_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = SessionForm(tournament, request.POST or None, initial=usual_evening(tournament.club))
    if request.htmx:  # type: ignore[attr-defined]
        return preview_hours(request, form)
    if form.is_valid():
        session = create_session(tournament=tournament, **form.cleaned_data)
        return redirect(session_url("session", session))
    context = {"tournament": tournament, "form": form, "hours": hours(form.as_session())}
    return render(request, "prepare/session_form.html", context)


@session_page(Can.DIRECT, FORM)
def session_edit(request: HttpRequest, session: Session) -> HttpResponse:
    if session.status != Session.Status.DRAFT:
        return session_settings(request, session)
    form = SessionForm(session.tournament, request.POST or None, initial=SessionForm.of(session))
    if request.htmx:  # type: ignore[attr-defined]
        return preview_hours(request, form)
    if form.is_valid():
        edit_session(session_id=session.pk, by=author(request), now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("The session is changed."))
        return redirect(session_url("session", session))
    context = {"tournament": session.tournament, "session": session, "form": form, "hours": hours(form.as_session())}
    return render(request, "prepare/session_form.html", context)


def session_settings(request: HttpRequest, session: Session) -> HttpResponse:
    """What may change while the session is played; the rest of its form would need another plan."""
    form = UnderWayForm(session.tournament, request.POST or None, initial=UnderWayForm.of(session))
    if form.is_valid():
        edit_session(session_id=session.pk, by=author(request), now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("The settings are changed, for what comes from now on."))
        return redirect(session_url("session", session))
    return render(request, "prepare/session_settings.html", {"session": session, "form": form})


def preview_hours(request: HttpRequest, form: SessionForm) -> HttpResponse:
    """The hours that follow from what is being typed."""
    return render(request, "prepare/_hours.html", {"hours": hours(form.as_session())})


@session_page(Can.DIRECT, ACTION)
def start(request: HttpRequest, session: Session) -> HttpResponse:
    start_session(session_id=session.pk, by=author(request), now=timezone.now())
    messages.success(request, _("The session has started: the plan is laid out and the étuis are sealed."))
    return redirect(session_url("session", session))


@session_page(Can.DIRECT, ACTION)
def unstart(request: HttpRequest, session: Session) -> HttpResponse:
    unstart_session(session_id=session.pk, by=author(request), now=timezone.now())
    messages.success(request, _("The start is taken back: players and étuis are kept."))
    return redirect(session_url("session", session))
