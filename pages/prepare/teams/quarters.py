"""The pages of the line-ups of team matches, one for each quarter: who attacks, and who defends in which seat."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenings.changes.quarters import hand_in_quarter, play_without_line_ups
from evenings.teams.lineups import SeenLineUp
from evenings.teams.quarters import QuarterTeam, is_open, list_quarters, read_quarters
from pages.acting import done, signed
from pages.doors import TOP, session_url
from pages.parts.own_line_ups import SEATS, SeatChoice, make_choices, read_chosen_members, write_members
from pages.roster_rows import tell_counted
from tournaments.models import Session, TeamMember
from tournaments.numbers import parse_number, read_number
from tournaments.words.messages import say
from wording import Refusal


class ShownQuarter(NamedTuple):
    """A team's line-up for a quarter as the page shows it. `error` says why the typed one was refused, or is empty.

    `state` is "missing", "waits" (only this team has handed in its line-up) or "open" (both teams have).
    `seen` is the line-up that was handed in, as `write_members` writes it, or "".
    """

    team: QuarterTeam
    seats: list[SeatChoice]
    state: str
    error: str
    seen: str

    @property
    def members(self) -> tuple[TeamMember, ...]:
        return self.team.members


def choose_quarters(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the line-ups of a quarter. A POST stores those that differ, or lets the quarter be played without some."""
    quarters, teams = list_quarters(session), read_quarters(session)
    quarter = read_number(request.GET, "quarter", none=min(session.position + 1, quarters[-1]))
    quarter = min(max(quarter, quarters[0]), quarters[-1])
    address, errors = f"{session_url('line_ups', session)}?quarter={quarter}", dict[int, str]()
    if request.method == "POST" and request.POST.get("action") == "without":
        play_without_line_ups(session_id=session.pk, quarter=quarter, **signed(request))
        return done(request, _("Quarter %(quarter)s can be played.") % {"quarter": quarter}, address + TOP)
    if request.method == "POST":
        stored, errors = store_quarter(request, session, quarter, teams)
        if stored or not errors:
            said = ngettext("%(count)s line-up is stored.", "%(count)s line-ups are stored.", stored)
            tell_counted(request, said, stored)
        if not errors:
            return redirect(address + TOP)
        teams = read_quarters(session)
    rows = list(list_quarter_rows(request, teams, quarter, errors))
    context = {
        "session": session,
        "quarter": quarter,
        "quarters": [(number, count_missing(teams, number)) for number in quarters],
        "rows": rows,
        "running": session.status == Session.Status.RUNNING,
        "over": session.closed_at is not None,
        "missing": [row.team for row in rows if row.state == "missing"],
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "prepare/teams/quarters.html", context, status=409 if errors else 200)


def count_missing(teams: Mapping[int, QuarterTeam], quarter: int) -> int:
    return sum(team.is_there(quarter) and quarter not in team.quarters for team in teams.values())


def store_quarter(
    request: HttpRequest, session: Session, quarter: int, teams: Mapping[int, QuarterTeam]
) -> tuple[int, dict[int, str]]:
    """Store each posted line-up of the quarter that differs. Return their number, and the refusals by starting number.

    The form sends the line-ups of the teams that the director has ticked.
    """
    stored, errors = 0, dict[int, str]()
    for number, team in teams.items():
        if f"in-{team.team.pk}" not in request.POST:
            continue
        present = team.propose(quarter)
        before = {seat: member.pk for seat, member in present.members.items()}
        members = read_chosen_members(request.POST, team.team.pk, before)
        if present.chosen and before == members:
            continue
        try:
            with transaction.atomic():
                hand_in_quarter(
                    session_id=session.pk,
                    team_id=team.team.pk,
                    quarter=quarter,
                    members=members,
                    reason=request.POST.get("reason", "")[:300],
                    seen=read_seen(request.POST.get(f"seen-{team.team.pk}")),
                    **signed(request),
                )
            stored += 1
        except Refusal as refusal:
            errors[number] = say(refusal)
    return stored, errors


def list_quarter_rows(
    request: HttpRequest, teams: Mapping[int, QuarterTeam], quarter: int, errors: Mapping[int, str]
) -> Iterator[ShownQuarter]:
    """Yield the line-ups of the quarter in the order of the starting numbers. A refused one shows what was typed.

    A team that left before the quarter has none.
    """
    for number, team in teams.items():
        if not team.is_there(quarter) and number not in errors:
            continue
        known = {seat: member.pk for seat, member in team.propose(quarter).members.items()}
        if number in errors:
            known = read_chosen_members(request.POST, team.team.pk, known)
        seats = make_choices(team.team.pk, known, team.members)
        state = "missing" if quarter not in team.quarters else "open" if is_open(teams, number, quarter) else "waits"
        stored = team.quarters.get(quarter)
        seen = write_members({seat: member.pk for seat, member in stored.members.items()}) if stored else ""
        yield ShownQuarter(team, seats, state, errors.get(number, ""), seen)


def read_seen(text: str | None) -> SeenLineUp | None:
    """Return the line-up that the form showed. None if the form does not say which one."""
    if text is None:
        return None
    ids = [parse_number(part) for part in text.split("-")] if text else []
    return SeenLineUp(dict(zip(SEATS, ids, strict=False)) if ids else None)
