"""The line-ups of a session on paper: sheets that captains fill in before the start, and the line-ups that count.

A line-up is secret until the session starts: the caller offers the filled list only then.
"""

from collections.abc import Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from evenings.plans.evening_plan import SessionHeading
from evenings.plans.teams.evening_plan import PrintedTeam, TeamEveningPlan
from evenings.teams.lineups import SEATS
from outgoing.paper import words as say
from outgoing.paper.pdf import set_sheets
from outgoing.paper.teams.words import list_team_words

Data = dict[str, Any]


def empty_line_ups(heading: SessionHeading, teams: Sequence[PrintedTeam], *, language: str, quarters: int = 1) -> bytes:
    """Return a sheet for each team, half a page, to fill in before the start: who sits where.

    `quarters` is the number of line-ups of the session: 1 in quadrettes, where a line-up counts for the whole session.
    """
    with translation.override(language):
        names = [_("Quarter %(number)s") % {"number": number} for number in range(1, quarters + 1)]
        sheets = [
            {
                "number": team.number,
                "name": team.name,
                "members": [{"place": member.place, "name": member.name} for member in list_present(team)],
            }
            for team in teams
        ]
    columns = names if quarters > 1 else [""]
    return set_layout("teams/line_up_sheets", heading, language, sheets=sheets, columns=columns)


def list_present(team: PrintedTeam) -> list[Any]:
    """Return the members who belong to the team at the end of the session, by place."""
    return [member for member in team.members if member.span.last is None]


def filled_line_ups(evening: TeamEveningPlan, *, language: str) -> bytes:
    """Return the line-ups of all teams by number: who attacks, and who defends on which seat.

    A team whose players change during the session has a row for each of the line-ups.
    """
    with translation.override(language):
        teams = [
            {"number": team.number, "name": team.name, "rows": list_rows(team, len(evening.positions))}
            for team in evening.list_teams()
        ]
    return set_layout("teams/line_ups", evening.heading, language, teams=teams)


def list_rows(team: PrintedTeam, positions: int) -> list[Data]:
    """Return the names of a team's players by seat. A change of the line-up gives a new row, with its position."""
    rows: list[Data] = []
    for position in range(1, positions + 1):
        places = team.find_seats(position)
        named = [team.find_attacker(places[seat], position) if seat in places else None for seat in SEATS]
        names = [member.name if member else "–" for member in named]
        if not rows or rows[-1]["names"] != names:
            rows.append({"from": say.comes_later(position) if position > 1 else "", "names": names})
    return rows


def set_layout(layout: str, heading: SessionHeading, language: str, **data: object) -> bytes:
    with translation.override(language):
        words = list_team_words()
    return set_sheets(layout, heading, language, words, {**data, "order": SEATS})
