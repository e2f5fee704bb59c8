"""The public part of the registration of teams: who is coming, and the page of a member's personal link.

By such a link, a player whom the captain has named says yes or no. The captain names the players, and gives them their
links.

A captain who signed up a team hands in its line-up here, by the link of the registration.
"""

import re
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from clubs.house import settings_of
from clubs.models import Club, User
from clubs.players import sort_by_name
from pages.parts.own_line_ups import hand_in_posted, list_own_line_ups
from pages.registration.replaced import find_own_renewed, lead_to, read_once
from pages.registration.team_forms import NamedPlayerForm
from registration.errors import RegistrationRefused
from registration.people.applicants import ListedTeam, call_down, call_team, list_teams_down, players_of_team
from registration.people.links import find_by_link
from registration.people.registration import is_cancelled, withdraw
from registration.people.teams import agree, name_player, return_team, take_out, withdraw_team
from tournaments.addresses import link_to
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Registration, Session
from tournaments.numbers import read_number
from tournaments.permissions import require_found
from tournaments.words.messages import say

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")  # of the link of a registration


def list_teams_for_readers(session: Session, registration: Registration) -> dict[str, Any]:
    """Return the template values about the teams that signed up, with public names, and how many places are left.

    A player is named once a director has accepted the name and the player has agreed.
    """
    teams = list_teams_down(session)
    named = [each for team in teams for each in team.members if each.accepted_at and each.agreed_at]
    names = call_down(session, named)
    rows = [make_row(team, names) for team in teams]
    complete = sum(team.complete_at is not None for team in teams)
    return {
        "teams": [row for row, team in zip(rows, teams, strict=True) if team.complete_at and not team.waits],
        "teams_waiting": [row for row, team in zip(rows, teams, strict=True) if team.waits],
        "teams_incomplete": [row for row, team in zip(rows, teams, strict=True) if not (team.complete_at or team.held)],
        "held": sum(team.held for team in teams),
        "for_teams": True,
        "free": None if registration.places is None else max(0, registration.places - complete),
        "members": list_shown_members(session.tournament.club),
    }


def make_row(team: ListedTeam, names: dict[int, str]) -> dict[str, Any]:
    """Return a team as readers see it: its name, its named players, and how many names are not shown yet."""
    shown = [names[each.pk] for each in team.members if each.pk in names]
    return {"name": call_team(team, names), "players": shown, "unnamed": len(team.members) - len(shown)}


def list_shown_members(club: Club) -> list[str]:
    """Return the members whom the club's public list names, like "Petit, Marie". Empty if the club shows no list."""
    if not settings_of(club).shows_members:
        return []
    players = sort_by_name(club.players.keep_named().filter(put_away_at=None))
    return [f"{each.last_name}, {each.first_name}".rstrip(", ") for each in players]


def show_member(request: HttpRequest, applicant: Applicant) -> HttpResponse:
    """Show the state of the team's registration to one of its members. A POST carries out its `action`."""
    error, form = "", NamedPlayerForm(request.POST if request.POST.get("action") == "name" else None)
    if request.method == "POST":
        try:
            if (token := carry_out(request, applicant, form)) is not None:
                return lead_to(token, old=applicant.token)
        except ActionRefused as refusal:
            error = say(refusal)
    context = describe_member(request, applicant) | {"error": error, "form": form}
    response = render(request, "sign_up/member.html", context, status=409 if error else 200)
    add_never_cache_headers(response)
    return response


def carry_out(request: HttpRequest, applicant: Applicant, form: NamedPlayerForm) -> str | None:
    """Carry out the posted action. Return the token of the member's link, which may be a new one.

    Return None if the form has errors. Raise `ActionRefused` if there is no such action.
    """
    token, now = applicant.token, timezone.now()
    match request.POST.get("action", ""):
        case "agree":
            once, user = request.POST.get("once", "")[:64], request.user
            own = user if isinstance(user, User) else None
            agreed = agree(token=token, now=now, once=once, user=own, language=get_language() or "")
            found = agreed or find_own_renewed(token, once)
            token = found.token if found else token
        case "name":
            if not form.is_valid():
                return None
            name_player(token=token, asked=form.asked, now=now)
        case "take_out":
            take_out(token=token, applicant_id=read_number(request.POST, "player"), now=now)
        case "withdraw_team":
            withdraw_team(token=token, now=now)
        case "return_team":
            return_team(token=token, now=now)
        case "withdraw":
            withdraw(token=token, now=now)
        case _:
            raise RegistrationRefused("registration_step_unknown")
    return token


def describe_member(request: HttpRequest, applicant: Applicant) -> dict[str, Any]:
    """Return the template values of a member's page.

    The captain sees the names that were typed. The others see a player's name once the player has agreed.
    """
    session = applicant.session
    teams = list_teams_down(session)
    team = next((each for each in teams if any(one.pk == applicant.pk for one in each.members)), None)
    captain = applicant.captain_id is None
    members = list_members_for(applicant, team.members if team else ())
    own = applicant if captain else applicant.captain
    return {
        "applicant": applicant,
        "session": session,
        "team": team,
        "team_name": own.team_name if own else "",
        "captain": own,
        "is_captain": captain and applicant.withdrawn_at is None,
        "answers": not captain and not applicant.declined and own is not None and own.withdrawn_at is None,
        "may_return": captain and applicant.withdrawn_at is not None and not applicant.declined,
        "members": [{"row": each, "link": link_of(request, each) if captain else ""} for each in members],
        "missing": players_of_team(session) - len(team.members) if team else 0,
        "cancelled": is_cancelled(session),
        "begun": session.status != Session.Status.DRAFT,
        "link": link_to(request, request.path),
        "once": read_once(request),
        "withdraws": request.GET.get("withdraw", None),
        "known": list_shown_members(session.tournament.club) if captain else [],
    }


def list_members_for(applicant: Applicant, members: Sequence[Applicant]) -> list[Applicant]:
    """Return the members whose names this member may see."""
    sees_all = applicant.captain_id is None
    return [each for each in members if sees_all or each.pk == applicant.pk or each.agreed_at is not None]


def link_of(request: HttpRequest, member: Applicant) -> str:
    """Return the personal link of a member who has not answered, for the captain to pass on, else ""."""
    if member.captain_id is None or member.agreed_at is not None:
        return ""
    return link_to(request, reverse("registered", args=[member.token]))


@require_http_methods(["GET", "HEAD", "POST"])
def registered_line_up(request: HttpRequest, token: str) -> HttpResponse:
    applicant = require_found(find_by_link(token) if TOKEN.fullmatch(token) else None)
    players, status, late = find_players(applicant), 200, ""
    shown = list_own_line_ups(players, applicant.session.tournament_id)
    if request.method == "POST":
        shown, stored, late = hand_in_posted(request, shown, players, now=timezone.now())
        if stored:
            return redirect(f"{reverse('registered_line_up', args=[token])}?stored")
        status = 409
    context = {"applicant": applicant, "session": applicant.session, "line_ups": shown, "late": late}
    response = render(request, "sign_up/line_up.html", context | {"stored": "stored" in request.GET}, status=status)
    add_never_cache_headers(response)
    return response


def find_players(applicant: Applicant) -> set[int]:
    """Return the id of the player whom the directors know the applicant to be. Empty while they do not know yet."""
    return set() if applicant.player is None or applicant.withdrawn_at else {applicant.player.is_now.pk}
