"""The check-in list of a session that teams play: the teams that signed up, and those that walk in."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from clubs.models import Player
from pages.acting import refusals_in, signed
from pages.doors import author
from pages.registration.team_forms import TeamWalkInForm
from registration.errors import RegistrationRefused
from registration.people.applicants import ListedTeam, players_of_team
from registration.people.teams import (
    accept_team,
    check_in_team,
    decline_team,
    put_back_team,
    walk_in_player,
    walk_in_team,
)
from tournaments.models import Session
from tournaments.numbers import read_number


def group_rows(session: Session, teams: Sequence[ListedTeam], rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the teams as the page shows them, with the rows of their players, in the order of their captains' names.

    Each row tells whether the player still has to answer. A team is hidden if all of its rows are.
    """
    size, by_player = players_of_team(session), {row["applicant"].pk: row for row in rows}
    found = []
    for team in teams:
        own = [by_player[each.pk] for each in team.members]
        for row in own:
            row |= {"waits": 0, "held": False, "unanswered": row["applicant"].agreed_at is None}
        found.append(
            {
                "captain": team.captain,
                "rows": own,
                "waits": team.waits,
                "complete": team.complete_at is not None,
                "held": team.held,
                "missing": size - len(own),
                "present": all(row["applicant"].present_at for row in own),
                "unnamed": any(row["applicant"].accepted_at is None for row in own)
                or bool(team.captain.team_name and team.captain.team_name_shown_at is None),
                "hidden": all(row["hidden"] for row in own),
            }
        )
    order = {row["applicant"].pk: place for place, row in enumerate(rows)}
    return sorted(found, key=lambda each: order[each["captain"].pk])


def count_present_teams(teams: Sequence[dict[str, Any]]) -> int:
    """Return how many teams can be seated: all of their players are present."""
    return sum(team["present"] and team["missing"] <= 0 for team in teams)


def make_team_walk_in(session: Session, players: Sequence[Player], data: Any = None) -> TeamWalkInForm:
    return TeamWalkInForm(data, players=players, count=players_of_team(session))


def let_walk_in(request: HttpRequest, session: Session, form: TeamWalkInForm) -> bool:
    """Add the team of the form as present. If the form names a `captain`, add its first player to that team instead.

    Return False if the form has errors.
    """
    if not form.is_valid():
        return False
    with refusals_in(form):
        if "captain" in request.POST:
            captain = read_number(request.POST, "captain")
            walk_in_player(session_id=session.pk, captain_id=captain, person=form.people[0], **signed(request))
        else:
            name = form.cleaned_data["team_name"]
            walk_in_team(session_id=session.pk, people=form.people, name=name, **signed(request))
    return not form.errors


def keep_typed(request: HttpRequest, teams: Sequence[dict[str, Any]], form: TeamWalkInForm) -> bool:
    """Keep a refused name beside the team to which it was typed, with the errors.

    Return False if the name was typed for no team of the list: then the form for new teams keeps it.
    """
    captain = read_number(request.POST, "captain")
    team = next((each for each in teams if each["captain"].pk == captain), None)
    if team is None or team["missing"] <= 0:
        return False
    team |= {"typed": request.POST.get("player_1", ""), "errors": [*form.errors.values()]}
    return True


def change_team_at_door(request: HttpRequest, session: Session, captain: int, word: str) -> None:
    """Carry out the director's action on a team.

    It is `team_here`, `team_accept`, `team_decline` or `team_back`. Raise `RegistrationRefused` for another one.
    """
    asked: dict[str, Any] = {"session_id": session.pk, "captain_id": captain, "now": timezone.now()}
    if word == "team_here":
        check_in_team(**asked)
    elif word == "team_accept":
        accept_team(**asked)
    elif word == "team_decline":
        decline_team(by=author(request), **asked)
    elif word == "team_back":
        put_back_team(by=author(request), **asked)
    else:
        raise RegistrationRefused("registration_step_unknown")
