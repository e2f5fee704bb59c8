"""A director's pages before the evening: add and edit tournaments and sessions, start a session, undo its start.

After a change, the page redirects. After a refusal, it shows the form again with the values typed.

A tournament's coming evenings have a page, where a director ticks those to delete.
"""

from collections.abc import Sequence
from operator import attrgetter

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.house import settings_of
from clubs.models import Club
from evenings.plans.free.laying import count_timed_deals
from evenings.plans.free.length import has_fives
from evenings.plans.starting import start_session, unstart_session
from evenings.plays.desk_state import playing_as
from evenings.sessions.checklist import hours
from evenings.sessions.put_away import sessions_with_results
from evenings.sessions.setup import create_session, create_tournament, edit_session, usual_evening
from evenings.sessions.weekly import create_weekly_sessions, delete_evenings, find_evenings_ahead
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, FORM, club_page, session_page, session_url, tournament_page
from pages.first_steps import is_on_way
from pages.prepare.setup_forms import FirstEveningForm, NewSessionForm, SessionForm, TournamentForm, UnderWayForm
from pages.roster_rows import done_counted, tell_counted
from scoring.formats import find_format, find_offered_format
from tournaments.models import Session, Tournament
from tournaments.numbers import parse_number, read_number
from tournaments.permissions import MOST_NUMBER, Can
from tournaments.words.formats import say_word


@club_page(Can.DIRECT)
def tournament_new(request: HttpRequest, club: Club) -> HttpResponse:
    today = timezone.localdate()
    season = club.seasons.filter(starts_on__lte=today, ends_on__gte=today).first()
    usual = settings_of(club)
    auction = find_format(usual.format).word
    initial = {"auction": auction, "season": season, "starts_at": usual.starts_at, "date": today}
    make_form = FirstEveningForm if is_on_way(request, club) else TournamentForm
    form = make_form(club, request.POST or None, initial=initial)
    if form.is_valid():
        with refusals_in(form):
            values = dict(form.cleaned_data)
            evening = {name: values.pop(name) for name in FirstEveningForm.EVENING if name in values}
            format = find_offered_format(values.pop("auction")).name
            tournament = create_tournament(club=club, format=format, now=timezone.now(), **values)
            if evening:
                return redirect(session_url("session", create_session(tournament=tournament, **evening)))
            text = _("The tournament is created: now create its first session.")
            return done(request, text, "session_new", club.slug, tournament.slug)
    return render(request, "prepare/tournament_new.html", {"club": club, "form": form})


@tournament_page(Can.DIRECT)
def session_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = NewSessionForm(tournament, request.POST or None, initial=usual_evening(tournament))
    if request.htmx:  # type: ignore[attr-defined]
        return preview_hours(request, form)
    if form.is_valid():
        given = dict(form.cleaned_data)
        until = given.pop("weekly_until")
        if until is None:
            session = create_session(tournament=tournament, **given)
            return redirect(session_url("session", session))
        with refusals_in(form):
            if made := create_weekly_sessions(tournament_id=tournament.pk, until=until, **signed(request), **given):
                return show_new_evenings(request, tournament, made)
            form.add_error("weekly_until", _("Each of these dates already has a session of this tournament."))
    context = {"tournament": tournament, "form": form, "hours": hours(form.as_session())}
    return render(request, "prepare/session_form.html", context)


def show_new_evenings(request: HttpRequest, tournament: Tournament, made: Sequence[Session]) -> HttpResponse:
    """Redirect to the list of evenings, where the new ones are ticked: there one click deletes them again."""
    text = ngettext("%(count)s evening is created.", "%(count)s evenings are created.", len(made))
    url = reverse("evenings", args=[tournament.club.slug, tournament.slug])
    return done_counted(request, text, len(made), f"{url}?first={made[0].number}&last={made[-1].number}")


@session_page(Can.DIRECT, FORM)
def session_edit(request: HttpRequest, session: Session) -> HttpResponse:
    if session.status != Session.Status.DRAFT:
        return session_settings(request, session)
    form = SessionForm(session.tournament, request.POST or None, initial=SessionForm.of(session))
    if request.htmx:  # type: ignore[attr-defined]
        return preview_hours(request, form, session)
    if form.is_valid():
        edit_session(session_id=session.pk, **signed(request), **form.changes)
        return done(request, _("The session is changed."), session_url("session", session))
    context = {"tournament": session.tournament, "session": session, "form": form, "hours": say_hours(form, session)}
    return render(request, "prepare/session_form.html", context)


def session_settings(request: HttpRequest, session: Session) -> HttpResponse:
    """Show or save the settings that may change while a session is played. Other settings would need another plan."""
    form = UnderWayForm(session.tournament, request.POST or None, initial=UnderWayForm.of(session))
    if form.is_valid():
        edit_session(session_id=session.pk, **signed(request), **form.changes)
        return done(request, _("The new settings apply from now on."), session_url("session", session))
    people = session.entrants.select_related("player", "stand_in", "team")
    context = {
        "session": session,
        "form": form,
        "deletable": not sessions_with_results().filter(pk=session.pk).exists(),
        "playing": playing_as(session, request.user),
        "entrants": sorted(people, key=attrgetter("name_order")),
    }
    return render(request, "prepare/session_settings.html", context)


def preview_hours(request: HttpRequest, form: SessionForm, session: Session | None = None) -> HttpResponse:
    """Show the times of the evening that follow from the values typed so far."""
    return render(request, "prepare/_hours.html", {"hours": say_hours(form, session)})


def say_hours(form: SessionForm, session: Session | None) -> str:
    """Return the sentence about the hours. In a session with players, a table of five with a mort deals more deals."""
    planned = form.as_session()
    if session is None:
        return hours(planned)
    planned.odd_tables, planned.fits_deals = session.odd_tables, session.fits_deals
    has_five = has_fives(planned, session.entrants.count())
    return hours(planned, dealt=count_timed_deals(planned, has_five=has_five))


@session_page(Can.DIRECT, ACTION)
def start(request: HttpRequest, session: Session) -> HttpResponse:
    start_session(session_id=session.pk, **signed(request))
    to = "prints" if is_on_way(request, session.tournament.club) else "session"
    messages.success(request, say_word(session.tournament.format, "has_started"))
    return redirect(session_url(to, session))


@session_page(Can.DIRECT, ACTION)
def unstart(request: HttpRequest, session: Session) -> HttpResponse:
    unstart_session(session_id=session.pk, **signed(request))
    return done(request, _("The start is undone: players and étuis are kept."), session_url("session", session))


@tournament_page(Can.DIRECT)
def evenings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the coming evenings. A POST deletes the ticked ones.

    New evenings, from number `first` to `last` in the address, are ticked, so that one click deletes them again.
    """
    if request.method == "POST":
        numbers = [parse_number(each) for each in request.POST.getlist("number")]
        count = delete_evenings(tournament_id=tournament.pk, numbers=numbers, **signed(request))
        if count:
            told = ngettext("%(count)s evening is deleted.", "%(count)s evenings are deleted.", count)
            tell_counted(request, told, count)
        else:
            messages.error(
                request, _("None of the ticked evenings can be deleted: tick evenings that have not started.")
            )
        return redirect("evenings", tournament.club.slug, tournament.slug)
    first, last = (read_number(request.GET, name) for name in ("first", "last"))
    context = {
        "club": tournament.club,
        "tournament": tournament,
        "evenings": find_evenings_ahead(tournament),
        "made": range(first, min(last, MOST_NUMBER) + 1) if first else (),
    }
    return render(request, "prepare/evenings.html", context)
