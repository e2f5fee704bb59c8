"""The page of the line-ups of a session: who attacks for each team, and who defends in which seat.

In team matches it is a page for each quarter (`quarters`).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext

from evenings.changes.line_ups import choose_line_up
from evenings.changes.ways import find_held
from evenings.teams.lineups import TeamLineUp, read_line_ups
from pages.doors import FORM, TOP, author, session_page, session_url
from pages.parts.own_line_ups import SeatChoice, make_choices, read_chosen_members, write_members
from pages.prepare.teams.quarters import choose_quarters
from pages.roster_rows import tell_counted
from scoring.formats import QUADRETTES, TEAM_MATCH
from tournaments.errors import Conflict
from tournaments.models import Session, Team, TeamMember
from tournaments.permissions import Can
from tournaments.words.messages import say
from wording import Refusal


class ShownLineUp(NamedTuple):
    """The line-up of a team as the page shows it. `error` says why the typed one was refused, or is empty.

    `seen` is the line-up of the moment, as `write_members` writes it.
    """

    number: int
    team: Team
    seats: list[SeatChoice]
    members: list[TeamMember]
    chosen: bool
    seen: str
    error: str


@session_page(Can.DIRECT, FORM)
def line_ups(request: HttpRequest, session: Session) -> HttpResponse:
    """Show and store the line-ups of the session's teams, or say that they have none."""
    return PAGES.get(session.tournament.format, show_unused)(request, session)


def show_unused(request: HttpRequest, session: Session) -> HttpResponse:
    return render(request, "prepare/teams/line_ups.html", {"session": session, "unused": True})


def choose_for_session(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the line-ups of teams that name them for a whole session. A POST stores those that were changed.

    A refused one stays in the form as it was typed.
    """
    known, errors = read_line_ups(session), dict[int, str]()
    if request.method == "POST":
        stored, errors = store(request, session, known)
        if stored or not errors:
            said = ngettext("%(count)s line-up is stored.", "%(count)s line-ups are stored.", stored)
            tell_counted(request, said, stored)
        if not errors:
            return redirect(session_url("line_ups", session) + TOP)
    running = session.status == Session.Status.RUNNING
    held = find_held(session) if running else 0
    rows = list(list_rows(request, session, known, errors))
    context = {
        "session": session,
        "rows": rows,
        "awaited": [row for row in rows if not row.chosen],
        "running": running,
        "next": held + 1,
        "over": session.closed_at is not None or held >= session.positions,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "prepare/teams/line_ups.html", context, status=409 if errors else 200)


PAGES: Mapping[str, Callable[[HttpRequest, Session], HttpResponse]] = {
    QUADRETTES.name: choose_for_session,
    TEAM_MATCH.name: choose_quarters,
}


def store(request: HttpRequest, session: Session, known: Mapping[int, TeamLineUp]) -> tuple[int, dict[int, str]]:
    """Store each posted line-up that differs from the known one. Return their number, and the refusals by team.

    A team whose line-up came in since the page was shown keeps it. If the director changed it too, that is refused.
    """
    stored, errors = 0, dict[int, str]()
    for pk, line_up in known.items():
        members = read_posted(request, pk, line_up)
        present = {seat: member.pk for seat, member in line_up.members.items()}
        seen = request.POST.get(f"seen-{pk}", write_members(present))
        if members == present or write_members(members) == seen:
            continue
        if write_members(present) != seen:
            errors[pk] = say(Conflict("line_up_meanwhile", "members"))
            continue
        told: dict[str, Any] = {"session_id": session.pk, "team_id": pk, "by": author(request), "now": timezone.now()}
        try:
            with transaction.atomic():
                choose_line_up(members=members, reason=request.POST.get("reason", "")[:300], **told)
            stored += 1
        except Refusal as refusal:
            errors[pk] = say(refusal)
    return stored, errors


def read_posted(request: HttpRequest, team: int, line_up: TeamLineUp) -> dict[str, int]:
    present = {seat: member.pk for seat, member in line_up.members.items()}
    return read_chosen_members(request.POST, team, present)


def list_rows(
    request: HttpRequest, session: Session, known: Mapping[int, TeamLineUp], errors: Mapping[int, str]
) -> Iterator[ShownLineUp]:
    """Yield the line-ups in the order of the starting numbers. A refused line-up is shown as it was typed."""
    for number, pk in session.entrants.order_by("number").values_list("number", "team_id"):
        if pk is None or (line_up := known.get(pk)) is None:
            continue
        members = {seat: member.pk for seat, member in line_up.members.items()}
        if pk in errors:
            members = read_posted(request, pk, line_up)
        there = sorted(line_up.members.values(), key=lambda member: member.place)
        seats = make_choices(pk, members, there)
        seen = write_members({seat: member.pk for seat, member in line_up.members.items()})
        yield ShownLineUp(number, line_up.team, seats, there, line_up.chosen, seen, errors.get(pk, ""))
