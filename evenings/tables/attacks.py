"""The two teams of a play, in the data of a table's screen: who attacks, whose turn it is, and who defends.

If single players play, the functions return {}, and the screens get no further data.
"""

from collections.abc import Mapping
from typing import Any

from clubs.shown import public_name
from evenings.plays.attackers import attacking_team, find_by_place, members_in
from evenings.plays.common import EAST_SIDE, NORTH_SIDE, Common
from evenings.plays.entries import name_attacker
from evenings.teams.lineups import SOUTH, find_line_up
from scoring.teams import order_teams
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Play, ResultEntry, TeamMember
from tournaments.rules.entry import Entry
from tournaments.words.team_plans import badges_of

MOST_PLACE = 9


def attack_data(play: Play, common: Common, *, by_name: bool) -> dict[str, Any]:
    """Return the field `attack` of a play of two teams, or {} if single players play.

    It has the names of both teams, and the members of the attacking team by place. It also has the place of the member
    whose turn it is. `coloured` is False if the places of members are not badges with colours.
    """
    team = attacking_team(play)
    if team is None:
        return {}
    sides = play.seats
    (defence,) = {entrant for entrant in sides.values() if entrant.team_id != team.pk}
    members = members_in(play, common.members, team.pk)
    return {
        "attack": {
            "team": sides[play.taker].get_name(by_name=by_name),
            "defence": defence.get_name(by_name=by_name),
            "badge": play.badge,
            "members": [
                {"place": place, "name": name_member(member, by_name=by_name)} for place, member in members.items()
            ],
            **({} if badges_of(play.session.tournament.format) else {"coloured": False}),
            **seat_names(play, defence, members, common, by_name=by_name),
        }
    }


def name_member(member: TeamMember, *, by_name: bool) -> str:
    return member.player.name if by_name else public_name(member.player)


def seat_names(
    play: Play, defence: Entrant, attackers: Mapping[int, TeamMember], common: Common, *, by_name: bool
) -> dict[str, dict[str, str]]:
    """Return the field `seats`: the attacker South, and the three defenders by seat. {} without line-ups."""
    line_up = find_line_up(common.line_ups.get(defence.team_id or 0, ()), play.position)
    if not line_up or play.taker != SOUTH:
        return {}
    members = members_in(play, common.members, defence.team_id)
    seats = {seat: members[place] for seat, place in line_up.items() if seat != SOUTH and place in members}
    if play.badge in attackers:
        seats[SOUTH] = attackers[play.badge]
    return {"seats": {seat: name_member(member, by_name=by_name) for seat, member in seats.items()}}


def teams_data(play: Play, common: Common, *, by_name: bool) -> dict[str, Any]:
    """Return the field `teams` of a stop: the names of the team North-South and of the team East-West.

    Return {} if single players play. If teams sit at several tables in this position, one team attacks every étui of
    the table. This team then stands under N, and the field `attacking` says so.
    """
    if attacking_team(play) is None:
        return {}
    attacking, parted = play.seats[play.taker], play.position in common.parted
    (defending,) = {entrant for entrant in play.seats.values() if entrant != attacking}
    named = zip((NORTH_SIDE, EAST_SIDE), order_teams(attacking, defending, play.taker, parted=parted), strict=True)
    teams = {line: {"name": team.get_name(by_name=by_name)} for line, team in named}
    return {"teams": teams} | ({"attacking": NORTH_SIDE} if parted else {})


def attacker_data(play: Play, row: ResultEntry, common: Common) -> dict[str, int]:
    """Return the field `attacker` of an entry: the place of the member who attacked.

    Return {} if single players play.
    """
    if not play.badge:
        return {}
    places = {member.pk: member.place for member in common.members}
    return {"attacker": play.badge if row.attacker_id is None else places.get(row.attacker_id, play.badge)}


def read_attacker(entry: Entry, data: Mapping[str, Any], play: Play) -> Entry:
    """Return the entry with the attacker whose place in the team the screen has sent.

    Without a place, the member attacked whose turn it was.
    """
    place = data.get("attacker")
    if place is None:
        return entry
    if isinstance(place, bool) or not isinstance(place, int) or not 0 < place <= MOST_PLACE:
        raise ActionRefused("command_malformed", "attacker")
    return name_attacker(entry, find_by_place(play, place))
