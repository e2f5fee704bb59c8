"""The public part of registration: the page to sign up for a session, and the personal link to withdraw.

These pages show only the public names of accepted applicants. Only directors see the other data of the applicants.
"""

import datetime as dt
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.accounts.players import offers_accounts as is_open_to_all
from clubs.guard import counted_address, find_full, know_code, note_tries
from clubs.guard.counting import DAY, Count, count_of_session, counts_of_registration
from clubs.models import User
from pages.doors import FORM, session_page
from pages.registration.forms import RegisterForm
from pages.registration.replaced import read_once, show_replaced
from pages.registration.team_forms import TeamRegisterForm
from pages.registration.teams import TOKEN, list_teams_for_readers, show_member
from registration.people.applicants import call_down, find_next, list_down, players_of_team, signs_up_teams
from registration.people.links import count_sign_ups, digest_address, find_by_link, find_renewed
from registration.people.registration import (
    find_own_registration,
    find_registration,
    is_cancelled,
    is_registration_open,
    register,
    withdraw,
)
from registration.people.teams import register_team
from tournaments.addresses import link_to
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Registration, Session
from tournaments.permissions import Can, require_found
from tournaments.words.messages import say


@session_page(Can.READ, FORM)
def sign_up(request: HttpRequest, session: Session) -> HttpResponse:
    registration = find_registration(session)
    if registration is None:
        return not_open(request, session)
    form = make_form(request, session, registration)
    error, status = "", 200
    counts = counts_of_registration(request, session.pk) if "password" in form.fields else []
    full = find_full(counts) if counts else None
    if full == count_of_session(session.pk):  # too many wrong passwords today: a director must accept each applicant
        form.stop_asking()
    if request.method == "POST":
        if full and "password" in form.fields:
            error = _("Too many wrong passwords were typed here: wait ten seconds, then try again.")
            return show_registration(request, session, registration, form, error=error, status=429)
        sign_ups = count_sign_ups(counted_address(request))
        if form.is_valid() and "password" not in form.fields and (full := find_full(sign_ups)):
            return show_registration(request, session, registration, form, error=say_full(full), status=429)
        if form.is_valid():
            now = timezone.now()
            try:
                applicant = put_down(request, session, form, now)
            except ActionRefused as refusal:
                error, status = say(refusal), 409
                if refusal.code == "registration_password":
                    note_tries(counts)
            else:
                if "password" in form.fields:
                    know_code(request)
                elif applicant.registered_at == now:
                    note_tries(sign_ups)
                return redirect("registered", applicant.token)
    return show_registration(request, session, registration, form, error=error, status=status)


def say_full(full: Count) -> str:
    """Return the sentence for a network address from which too many registrations came."""
    if full.seconds == DAY:
        return _("Too many people signed up from your network today: ask the director, or use another network.")
    return _("Many people sign up from your network at the moment: wait a minute, then send the form again.")


def make_form(request: HttpRequest, session: Session, registration: Registration) -> RegisterForm:
    """Return the form of the page: for a captain where teams play, else for one person."""
    given: dict[str, Any] = {"data": request.POST or None, "initial": names_of(request, session)}
    if signs_up_teams(session):
        return TeamRegisterForm(registration, players=players_of_team(session), **given)
    return RegisterForm(registration, **given)


def not_open(request: HttpRequest, session: Session) -> HttpResponse:
    """Return a 404 page if nobody has opened the registration. The page still names the session and its date."""
    context = {
        "session": session,
        "cancelled": is_cancelled(session),
        "begun": session.status != Session.Status.DRAFT,
    }
    response = render(request, "sign_up/not_open.html", context, status=404)
    add_never_cache_headers(response)
    return response


def names_of(request: HttpRequest, session: Session) -> dict[str, str]:
    """Return the initial values of the form: the name of the user's player in this club, or {} without such player."""
    if not isinstance(request.user, User):
        return {}
    tied = session.tournament.club.players.real().filter(account=request.user)
    player = tied.first()
    return {"last_name": player.last_name, "first_name": player.first_name} if player else {}


def put_down(request: HttpRequest, session: Session, form: RegisterForm, now: dt.datetime) -> Applicant:
    given: dict[str, Any] = {
        "session_id": session.pk,
        "now": now,
        "address_digest": digest_address(counted_address(request), now),
        "password": None if form.is_guessed else form.cleaned_data.get("password", ""),
        "user": request.user if isinstance(request.user, User) else None,
        "once": request.POST.get("once", "")[:64],
        "language": get_language() or "",
    }
    if isinstance(form, TeamRegisterForm):
        name = form.cleaned_data["team_name"]
        return register_team(captain=form.asked, named=form.named, name=name, **given)
    return register(asked=form.asked, **given)


def show_registration(
    request: HttpRequest, session: Session, registration: Registration, form: RegisterForm, *, error: str, status: int
) -> HttpResponse:
    if signs_up_teams(session):
        there = list_teams_for_readers(session, registration)
        once = request.POST.get("once", "")[:64]
        there["own"] = find_own_registration(session, user=request.user, once=once)
    else:
        there = list_for_readers(session, registration)
    named_at_once = registration.way != Registration.RegistrationWay.WORD and bool(form.initial) and not form.is_guessed
    must_log_in = registration.way == Registration.RegistrationWay.ACCOUNT and not request.user.is_authenticated
    context = there | {
        "session": session,
        "registration": registration,
        "open": is_registration_open(session, registration, timezone.now()),
        "cancelled": is_cancelled(session),
        "form": form,
        "once": read_once(request),
        "error": error,
        "must_log_in": must_log_in,
        "named_at_once": named_at_once,
        "must_wait": not named_at_once and (form.is_guessed or not registration.accepts_at_once),
        "gives_accounts": must_log_in and is_open_to_all(session.tournament.club),
    }
    response = render(request, "sign_up/sign_up.html", context, status=status)
    add_never_cache_headers(response)
    return response


def list_for_readers(session: Session, registration: Registration) -> dict[str, Any]:
    """Return the template values about the people who signed up: public names, and how many places are left."""
    down = list_down(session)
    counted = [each for each in down if not each.held]
    named = [each for each in down if each.applicant.accepted_at]
    names = call_down(session, [each.applicant for each in named])
    return {
        "coming": [names[each.applicant.pk] for each in named if not each.waits],
        "waiting": [names[each.applicant.pk] for each in named if each.waits],
        "unnamed": sum(not each.applicant.accepted_at for each in counted),
        "held": len(down) - len(counted),
        "free": None if registration.places is None else max(0, registration.places - len(counted)),
    }


@require_http_methods(["GET", "HEAD", "POST"])
def registration_of(request: HttpRequest, token: str) -> HttpResponse:
    """Show the state of a person's registration: a place, the waiting list, or the end of the registration.

    `token` is that of the applicant's personal link. A POST withdraws the registration.
    """
    require_found(TOKEN.fullmatch(token))
    applicant = find_by_link(token)
    if applicant is None:
        return show_replaced(request, require_found(find_renewed(token)), token)
    if signs_up_teams(applicant.session):
        return show_member(request, applicant)
    error = ""
    if request.method == "POST":
        try:
            withdraw(token=token, now=timezone.now())
        except ActionRefused as refusal:
            error = say(refusal)
        else:
            return redirect("registered", token)
    session = applicant.session
    context: dict[str, Any] = {"applicant": applicant, "session": session, "error": error}
    down = list_down(session)
    context |= {
        "waits": next((each.waits for each in down if each.applicant.pk == applicant.pk), None),
        "cancelled": is_cancelled(session),
        "begun": session.status != Session.Status.DRAFT,
        "link": link_to(request, request.path),
        "withdraws": "withdraw" in request.GET,
        "somebody_waits": find_next(down) is not None,
    }
    response = render(request, "sign_up/registered.html", context, status=409 if error else 200)
    add_never_cache_headers(response)
    return response
