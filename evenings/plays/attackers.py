"""The members of the team that attacks in a play: who they were in its position, and who attacked.

The rules name one of them beforehand: `Play.badge` is that member's place in the team. A `ResultEntry` names an
attacker only if another member attacked. Such an attack out of turn changes no note.
"""

from collections.abc import Collection, Iterable

from evenings.teams.membership import JOINS, was_active
from tournaments.errors import ActionRefused
from tournaments.locks import lock_member
from tournaments.models import Entrant, Play, Team, TeamMember


def attacking_team(play: Play) -> Team | None:
    """Return the team that attacks in the play, or None if single players play."""
    if not play.badge:
        return None
    entrant = play.seats.get(play.taker)
    return entrant.team if entrant else None


def members_of(teams: Collection[int]) -> list[TeamMember]:
    """Return all members of these teams (ids), the former ones too, by team and place."""
    return list(
        TeamMember.objects.filter(team__in=teams)
        .select_related("player__person", *JOINS)
        .order_by("team", "place", "id")
    )


def members_in(play: Play, members: Iterable[TeamMember], team: int | None) -> dict[int, TeamMember]:
    """Return the members whom this team (an id) had in the play's position, by place."""
    number = play.session.number
    there = [one for one in members if one.team_id == team and was_active(one, number, play.position)]
    return {member.place: member for member in there}


def settle_attacker(play: Play, attacker: int | None) -> int | None:
    """Return the id of the member to store as the attacker, or None if it is the member whose turn it is.

    `attacker` is the id of a member, or None. The member is locked, so that no substitute takes their place meanwhile.
    Raise `ActionRefused` if that member was not in the attacking team in the play's position.
    """
    if attacker is None:
        return None
    team = require_team(play)
    lock_member(attacker)
    member = TeamMember.objects.select_related("player", "team", *JOINS).filter(pk=attacker).first()
    if member is None or member.tournament_id != team.tournament_id:
        raise ActionRefused("attacker_unknown", "attacker", team=team.shown_name)
    if member.team_id != team.pk:
        raise ActionRefused("attacker_stranger", "attacker", name=member.player.name, team=team.shown_name)
    if not was_active(member, play.session.number, play.position):
        raise ActionRefused("attacker_away", "attacker", name=member.player.name, position=play.position)
    return None if member.place == play.badge else member.pk


def find_by_place(play: Play, place: int) -> int | None:
    """Return the id of the member with this place in the attacking team. Return None if the rules name that place."""
    team = require_team(play)
    if place == play.badge:
        return None
    member = members_in(play, members_of([team.pk]), team.pk).get(place)
    if member is None:
        raise ActionRefused("attacker_unknown", "attacker", team=team.shown_name)
    return member.pk


def require_team(play: Play) -> Team:
    team = attacking_team(play)
    if team is None:
        raise ActionRefused("attacker_without_team", "attacker")
    return team


def team_ids(entrants: Iterable[Entrant]) -> set[int]:
    return {entrant.team_id for entrant in entrants if entrant.team_id is not None}
