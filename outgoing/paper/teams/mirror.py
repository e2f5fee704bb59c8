"""The papers of formats with line-ups, such as quadrettes: cards, score sheets and sheets of line-ups as PDFs.

One member of each team attacks, always South, and goes from table to table. The three others defend at their own table.
There are no badges. The papers that all forms of teams share are in `plan`. No document shows cards or results.

A line-up is secret until the session starts: the caller offers the filled list only then.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from deals.exports.pdf import Sheets
from evenings.plans.evening_plan import Position, SessionHeading
from evenings.plans.teams.evening_plan import (
    MemberStop,
    MemberWay,
    PrintedTeam,
    TeamSitting,
    TeamsPaper,
    list_member_ways,
    list_teams,
)
from evenings.teams.lineups import SEATS, SOUTH
from outgoing.paper import words as say
from outgoing.paper.pdf import (
    Code,
    Data,
    draw_code_cells,
    list_score_sheets,
    list_table_cards,
    render,
    set_sheets,
)
from outgoing.paper.teams.plan import write_team
from outgoing.paper.words import list_team_words
from scoring.formats import compare_halves, compare_winners
from tournaments.words.figures import etuis_text

DEFENDERS = SEATS[1:]


def guides(
    evening: TeamsPaper,
    *,
    language: str,
    only: Container[int] | None = None,
    link_of: Callable[[int], Code] | None = None,
) -> Sheets:
    """Return the members' guide cards, several on a page, to cut out. With `only`, return those of these teams (ids).

    An attacker's card leads from table to table. A defender's card has the table and the seat, and who comes there.
    `link_of` returns the personal link by the id of the membership. Without it, or if its address is "", the card has
    no code.
    """
    with translation.override(language):
        cards = [
            {
                "name": route.member.name,
                "number": route.team.number,
                "team": route.team.name,
                "roles": list_roles(route.stops),
                "notes": list_notes(route.stops),
                "link": draw_code_cells(link_of(route.member.id)) if link_of else None,
                "stops": [write_stop(stop, route) for stop in route.stops],
            }
            for route in list_member_ways(evening)
            if only is None or route.team.id in only
        ]
    return render("teams/mirror_guides", evening, language, list_team_words, cards=cards)


def list_roles(stops: Iterable[MemberStop]) -> list[Data]:
    """Return the seats of a member with the word Attack or Defence, in the order of the positions, each once."""
    seats = dict.fromkeys(stop.seat for stop in stops if stop.sitting)
    return [{"seat": seat, "word": _("Attack") if seat == SOUTH else _("Defence")} for seat in seats]


def list_notes(stops: Iterable[MemberStop]) -> list[str]:
    """Return the sentences at the foot of a card: what an attacker and a defender must know."""
    attacks = {stop.seat == SOUTH for stop in stops if stop.sitting}
    notes = []
    if True in attacks:
        notes.append(_("In attack you sit South, take every étui and write the scores."))
    if False in attacks:
        notes.append(_("In defence you keep your seat. The attackers of the other teams come to your table."))
    return notes


def write_stop(stop: MemberStop, way: MemberWay) -> Data:
    """Return a member's stop as data for a guide card."""
    sitting = stop.sitting
    if sitting is None:
        return {"position": stop.position, "sitting": None}
    return {
        "position": stop.position,
        "sitting": {
            "table": sitting.table,
            "seat": stop.seat,
            "other": write_team(sitting.other(way.team)),
            "attacker": "" if stop.seat == SOUTH else find_attacker_name(sitting, stop.position),
            "etuis": etuis_text(sitting.numbers),
        },
    }


def find_attacker_name(sitting: TeamSitting, position: int) -> str:
    """Return the name of the member who attacks at a table; "" if it is not known."""
    attacking = sitting.teams[0]
    named = attacking.is_named(position)
    member = attacking.find_attacker(sitting.turns[0].badge, position) if named else None
    return member.name if member else ""


def list_defenders(sitting: TeamSitting, position: int) -> list[Data]:
    """Return the defenders of a table by seat, in the order North, East, West. Seats that nobody has are left out."""
    defending, places = sitting.teams[1], sitting.teams[1].find_seats(position)
    seated = {seat: defending.find_attacker(places[seat], position) for seat in DEFENDERS if seat in places}
    return [{"seat": seat, "name": member.name} for seat, member in seated.items() if member]


def write_meeting(sitting: TeamSitting, position: int) -> Data:
    """Return a table in a position as data for a layout: both teams, who attacks, who defends, and the étuis."""
    attacking, defending = sitting.teams
    return {
        "table": sitting.table,
        "position": position,
        "attacking": write_team(attacking) | {"member": find_attacker_name(sitting, position)},
        "defending": write_team(defending) | {"members": list_defenders(sitting, position)},
        "etuis": etuis_text(sitting.numbers),
        "numbers": sitting.numbers,
    }


def table_cards(evening: TeamsPaper, *, language: str, screen_of: Callable[[int], Code] | None = None) -> Sheets:
    """Return a card for each table, half a page: who attacks in each position, who defends, and the étuis."""
    with translation.override(language):
        cards = list_table_cards(evening, write_card_row, screen_of)
    for card in cards:
        leave_out_repeated(card["rows"])
    return render("teams/mirror_cards", evening, language, list_team_words, cards=cards)


def write_card_row(position: Position[PrintedTeam, TeamSitting], sitting: TeamSitting | None) -> Data:
    """Return a row of a table card; without a meeting if nobody plays there."""
    return {"position": position.number, "meeting": sitting and write_meeting(sitting, position.number)}


def leave_out_repeated(rows: list[Data]) -> None:
    """Mark the rows whose defenders are those of the row above, so that the card names them once."""
    before = None
    for row in rows:
        if row["meeting"]:
            row["meeting"]["same"] = row["meeting"]["defending"] == before
            before = row["meeting"]["defending"]


# How match points follow from two base scores, by how a format compares them.
POINTS_RULES: Mapping[Callable[..., object], Promise] = {
    compare_halves: gettext_lazy(
        "The match points are the square root of the difference, with three decimals: + for the better attacker, − for"
        " the other."
    ),
    compare_winners: gettext_lazy(
        "The better attacker’s team has the square root of the difference as match points, with three decimals;"
        " the other team has 0."
    ),
}


def score_sheets(evening: TeamsPaper, *, language: str) -> Sheets:
    """Return empty forms for results on paper, one for each table, in case the site fails. South writes.

    Beside each base score there is room for that of the other table of the match, and for the match points.
    """
    with translation.override(language):
        sheets = list_score_sheets(evening, write_meeting)
        rule = " ".join([say_sheet_rule(), str(POINTS_RULES[evening.format.compare])])
    free = "contract" not in evening.format.settled
    return render("teams/mirror_sheets", evening, language, list_team_words, sheets=sheets, free=free, rule=rule)


def say_sheet_rule() -> str:
    """Return what South and the defenders write on a score sheet."""
    return _(
        "South writes the bouts (21, P, E) and points of every étui, then the base score under + or −. The defenders"
        " check and sign. When both tables have played an étui, write the other table’s base score."
    )


def empty_line_ups(
    heading: SessionHeading, teams: Sequence[PrintedTeam], *, language: str, quarters: int = 1
) -> Sheets:
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


def filled_line_ups(evening: TeamsPaper, *, language: str) -> Sheets:
    """Return the line-ups of all teams by number: who attacks, and who defends on which seat.

    A team whose players change during the session has a row for each of the line-ups.
    """
    with translation.override(language):
        teams = [
            {"number": team.number, "name": team.name, "rows": list_rows(team, len(evening.positions))}
            for team in list_teams(evening)
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


def set_layout(layout: str, heading: SessionHeading, language: str, **data: object) -> Sheets:
    with translation.override(language):
        words = list_team_words()
    return set_sheets(layout, heading, language, words, {**data, "order": SEATS})
