"""The printed documents of the plan of teams as PDFs. Typst sets them with the layouts in the folder `typst`.

The caller decides who may have a document. No document shows cards or results. Equal values always give equal bytes.
The colour of a badge is always written too, because most printers are black and white.
"""

from collections.abc import Callable, Container
from functools import partial

from django.utils import translation
from django.utils.translation import gettext as _

from clubs.names import simplify_name
from deals.exports.pdf import Sheets
from evenings.plans.evening_plan import Position
from evenings.plans.teams.evening_plan import (
    MemberStop,
    MemberWay,
    PrintedMember,
    PrintedTeam,
    PrintedTurn,
    TeamSitting,
    TeamsPaper,
    list_member_ways,
    list_teams,
)
from outgoing.paper import words as say
from outgoing.paper.pdf import (
    NO_CODE,
    Code,
    Data,
    draw_code_cells,
    lay_out_poster,
    list_score_sheets,
    list_table_cards,
    render,
)
from outgoing.paper.words import list_team_words
from scoring.formats import Format
from scoring.plays import EAST_WEST, NORTH_SOUTH
from tournaments.words.figures import etuis_text
from tournaments.words.messages import label
from tournaments.words.team_plans import badges_of, say_badge


def guides(
    evening: TeamsPaper,
    *,
    language: str,
    only: Container[int] | None = None,
    link_of: Callable[[int], Code] | None = None,
) -> Sheets:
    """Return the members' guide cards, several on a page, to cut out. With `only`, return those of these teams (ids).

    A card shows a member's whole evening: the table and the other team of each position. It names the étuis that the
    member attacks, with the seat, and those in which the member waits or defends. `link_of` returns the personal link
    by the id of the membership. Without it, or if its address is "", the card has no code.
    """
    with translation.override(language):
        cards = [
            write_member(route.member, evening.format)
            | {
                "number": route.team.number,
                "team": route.team.name,
                "link": draw_code_cells(link_of(route.member.id)) if link_of else None,
                "stops": [write_stop(stop, route) for stop in route.stops],
            }
            for route in list_member_ways(evening)
            if only is None or route.team.id in only
        ]
    return render("teams/guides", evening, language, list_team_words, cards=cards)


def table_cards(evening: TeamsPaper, *, language: str, screen_of: Callable[[int], Code] | None = None) -> Sheets:
    """Return a card for each table, half a page: the two teams of each position, and for each étui who attacks.

    The attacker is named beforehand by the team's number and the colour of the badge.
    """

    def write_row(position: Position[PrintedTeam, TeamSitting], sitting: TeamSitting | None) -> Data:
        return {"position": position.number, "sitting": sitting and write_sitting(sitting, evening.format)}

    with translation.override(language):
        cards = list_table_cards(evening, write_row, screen_of)
    return render("teams/cards", evening, language, list_team_words, cards=cards)


def badges(evening: TeamsPaper, *, language: str, only: Container[int] | None = None) -> Sheets:
    """Return a badge for each member, ten a page, to cut out: the colour in a word, the name, the team."""
    with translation.override(language):
        printed_badges = [
            write_member(route.member, evening.format) | {"number": route.team.number, "team": route.team.name}
            for route in list_member_ways(evening)
            if only is None or route.team.id in only
        ]
    return render("teams/badges", evening, language, list_team_words, badges=printed_badges)


def poster(evening: TeamsPaper, *, language: str, hall: Code = NO_CODE) -> Sheets:
    """Return the plan as A3 sheets to hang up: a row for each position, a column for each table.

    The cells have the starting numbers of the two teams, and the étuis. The sheets also have the code of the hall.
    """
    with translation.override(language):
        data = lay_out_poster(
            evening,
            lambda sitting: write_sitting(sitting, evening.format),
            lambda team: {"line": "", "number": team.number},
        )
    return render("poster", evening, language, list_team_words, announcement="", hall=draw_code_cells(hall), **data)


def team_list(evening: TeamsPaper, *, language: str) -> Sheets:
    """Return the list of teams by number, each with its members, their colours or seats, and the first table.

    Where the members of a team begin at several tables, each has their own table beside the name.
    """
    with translation.override(language):
        ways: dict[int, list[MemberWay]] = {}
        for route in list_member_ways(evening):
            ways.setdefault(route.team.id, []).append(route)
        teams = [write_listed(team, ways[team.id], evening.format) for team in list_teams(evening) if team.id in ways]
    return render("teams/list", evening, language, list_team_words, teams=teams)


def write_listed(team: PrintedTeam, ways: list[MemberWay], format: Format) -> Data:
    """Return a team with its members as data for the list. `start` is None if they begin at several tables."""
    starts = {route.member.id: write_start(route) for route in ways}
    present = [start for start in starts.values() if not start["later"]] or [*starts.values()]
    together = len({(start["table"], start["side"]) for start in present}) == 1
    members = [
        write_member(member, format)
        | {"from": say_span(member), "start": None if together else starts.get(member.id)}
        | {"seat": starts[member.id]["seat"] if member.id in starts else ""}
        for member in team.members
    ]
    return {"number": team.number, "name": team.name, "members": members, "start": present[0] if together else None}


def players(evening: TeamsPaper, *, language: str) -> Sheets:
    """Return the list of players in alphabetical order, each with team, colour or seat, and their first table."""
    with translation.override(language):
        rows = [
            write_member(route.member, evening.format)
            | {"listed": route.member.listed, "line": "", "number": route.team.number, "start": write_start(route)}
            for route in list_member_ways(evening)
        ]
    rows.sort(key=lambda row: (simplify_name(str(row["listed"])), row["number"]))
    return render("players", evening, language, list_team_words, players=rows)


def score_sheets(evening: TeamsPaper, *, language: str) -> Sheets:
    """Return empty forms for results on paper, one for each table, in case the site fails.

    Each étui has the attacker's name and colour printed beforehand. Both teams sign each position.
    """
    with translation.override(language):
        sheets = list_score_sheets(evening, partial(write_round, format=evening.format))
    imposed = evening.heading.imposed
    return render("score_sheets", evening, language, list_team_words, sheets=sheets, imposed=imposed)


def write_badge(place: int, format: Format) -> Data:
    """Return a badge as data for a layout: its code, and its colour as a word; both "" if the format has no badges."""
    badges = badges_of(format.name)
    return {"code": badges[place].value if place in badges else "", "word": say_badge(place, badges)}


def write_member(member: PrintedMember, format: Format) -> Data:
    return {"name": member.name, "badge": write_badge(member.place, format)}


def write_team(team: PrintedTeam) -> Data:
    return {"number": team.number, "name": team.name}


def write_turn(turn: PrintedTurn, sitting: TeamSitting, format: Format) -> Data:
    """Return an étui with its taker's seat, and the number and badge that attack."""
    attacking = next(team for team in sitting.teams if team.id == turn.attacking)
    return {"etui": turn.etui, "seat": turn.taker, "team": attacking.number, "badge": write_badge(turn.badge, format)}


def write_sitting(sitting: TeamSitting, format: Format) -> Data:
    """Return a table in a position, with its teams and étuis, as data for a layout."""
    return {
        "table": sitting.table,
        "etuis": etuis_text(sitting.numbers),
        "teams": [
            write_team(team) | {"side": side} for team, side in zip(sitting.teams, say_sides(sitting), strict=True)
        ],
        "turns": [write_turn(turn, sitting, format) for turn in sitting.turns],
        "players": [],
    }


def say_sides(sitting: TeamSitting) -> tuple[str, str]:
    """Return the two words before the teams of a table: their sides, or Attack and Defence if one attacks all étuis."""
    if sitting.parted:
        return _("Attack"), _("Defence")
    return label("letter", NORTH_SOUTH), label("letter", EAST_WEST)


def find_side(sitting: TeamSitting, team: PrintedTeam) -> str:
    """Return the side of a team at a table; "" if its table names attack and defence."""
    return "" if sitting.parted else say_sides(sitting)[sitting.teams.index(team)]


def write_round(sitting: TeamSitting, position: int, *, format: Format) -> Data:
    """Return a table in a position for a score sheet: the teams that sign, and each étui with its attacker's name."""
    each = []
    for turn in sitting.turns:
        attacking = next(team for team in sitting.teams if team.id == turn.attacking)
        member = attacking.find_attacker(turn.badge, position)
        taker = {
            "name": member.name if member else attacking.name,
            "seat": turn.taker,
            "badge": write_badge(turn.badge, format),
        }
        each.append({"number": turn.etui, "taker": taker})
    players = [
        {"seat": "", "before": f"{side} {team.number}", "name": team.name}
        for team, side in zip(sitting.teams, say_sides(sitting), strict=True)
    ]
    return {"table": sitting.table, "each": each, "players": players}


def write_stop(stop: MemberStop, way: MemberWay) -> Data:
    """Return a member's stop as data for a guide card."""
    sitting, team = stop.sitting, way.team
    if sitting is None:
        return {"position": stop.position, "sitting": None}
    attacks = [turn for turn in sitting.turns if turn.attacking == team.id]
    own = [turn for turn in attacks if turn.badge == way.member.place]
    return {
        "position": stop.position,
        "sitting": {
            "table": sitting.table,
            "side": find_side(sitting, team),
            "other": write_team(sitting.other(team)),
            "attacks": [{"etui": turn.etui, "seat": turn.taker} for turn in own],
            "waits": etuis_text(turn.etui for turn in attacks if turn not in own),
            "defends": etuis_text(turn.etui for turn in sitting.turns if turn.attacking != team.id),
        },
    }


def write_start(way: MemberWay) -> Data:
    """Return the table of a member in position 1 and the side of the team. No table if they rest or come later.

    `seat` is the member's seat there, where a line-up names it.
    """
    position, sitting, seat = way.stops[0]
    later = say.comes_later(position) if position > 1 else ""
    if sitting is None or later:
        return {"table": None, "later": later, "side": "", "seat": ""}
    return {"table": sitting.table, "later": "", "side": find_side(sitting, way.team), "seat": seat}


def say_span(member: PrintedMember) -> str:
    """Return in words from or to which position the member plays; "" for the whole session."""
    first, last = member.span
    if first > 1:
        return say.comes_later(first)
    return _("to position %(number)s") % {"number": last} if last else ""
