"""The page on which a director says which teams play in a session, and draws their numbers."""

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from evenings.plans.teams.seating import list_ready_teams, seat_teams
from evenings.sessions.checklist import TeamPreparation, count_of_teams
from evenings.teams.common import active_members
from pages.acting import done, refusals_told, signed
from pages.doors import TOP, session_url
from scoring.formats import find_format
from tournaments.models import Session
from tournaments.numbers import read_numbers


def number_teams(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the teams with their numbers.

    A POST stores which teams play, numbered in the order shown or in a drawn order.
    """
    if request.method == "POST":
        wanted = read_numbers(request.POST, "team")
        draw = request.POST.get("action") == "draw"
        with refusals_told(request):
            seated = seat_teams(session_id=session.pk, teams=wanted, draw=draw, **signed(request))
            text = _("The numbers are drawn: %(teams)s.") if draw else _("Playing: %(teams)s.")
            text %= {"teams": count_of_teams(len(seated))}
            return done(request, text, session_url("entrants", session) + TOP)
    status = 409 if request.method == "POST" else 200
    return render(request, "prepare/number_teams.html", list_numbers(session), status=status)


def list_numbers(session: Session) -> dict[str, object]:
    """Return the template values: the teams that can play with their numbers, and the others with their members."""
    there = Prefetch("members", queryset=active_members(), to_attr="active_members")
    numbers = dict(session.entrants.values_list("team_id", "number"))
    ready = sorted(
        list_ready_teams(session).prefetch_related(there),
        key=lambda team: (numbers.get(team.pk, len(numbers) + 1), team.number),
    )
    others = session.tournament.teams.filter(left_at=None).exclude(pk__in=[team.pk for team in ready])
    return {
        "session": session,
        "rows": [(team, numbers.get(team.pk), not numbers or team.pk in numbers) for team in ready],
        "others": list(others.order_by("number").prefetch_related(there)),
        "ready": TeamPreparation(session).step_players(),
        "line_ups": bool(numbers) and find_format(session.tournament.format).is_mirrored,
    }
