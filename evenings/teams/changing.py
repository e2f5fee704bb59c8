"""The services that change a team: its name, captain and number, its members before it plays, its leaving."""

import datetime as dt
from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Q

from clubs.models import User
from clubs.players import raise_names_version
from evenings.teams.common import (
    MOST_NUMBER,
    SomePlayer,
    check_free,
    check_name,
    find_or_add_player,
    find_team,
    has_played,
    list_members,
    lock_teams,
    log_teams,
    order_members,
    size_of_teams,
)
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, MatchDecision, Session, Team, TeamMember


@transaction.atomic
def rename_team(*, tournament_id: int, team_id: int, name: str, by: User, now: dt.datetime) -> Team:
    """Give the team a name, or none, and return it. Raise `ActionRefused` if another team has this name."""
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    name = check_name(tournament, name, but=team.pk)
    if name != team.name:
        team.name = name
        team.save(update_fields=["name"])
        raise_names_version(tournament.club_id)
        log_teams(tournament, "team_renamed", now=now, by=by, team=team.number)
    return team


@transaction.atomic
def change_team(
    *,
    tournament_id: int,
    team_id: int,
    name: str | None = None,
    number: int | None = None,
    captain: int | None = None,
    by: User,
    now: dt.datetime,
) -> None:
    """Change the name, the number and the captain (id of a player) of a team, or those of them that are not None.

    If one of the changes is refused, none is made.
    """
    asked: dict[str, Any] = {"tournament_id": tournament_id, "team_id": team_id, "by": by, "now": now}
    if name is not None:
        rename_team(name=name, **asked)
    if number is not None:
        renumber_team(number=number, **asked)
    if captain is not None:
        choose_captain(player_id=captain, **asked)


@transaction.atomic
def forget_name(*, tournament_id: int, team_id: int, now: dt.datetime) -> Team:
    """Remove the name of the team, because it contains the name of a member who is erased.

    Return the team, which is then shown by its number.
    """
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    if team.name:
        team.name = ""
        team.save(update_fields=["name"])
        log_teams(tournament, "team_renamed", now=now, by=None, team=team.number)
    return team


@transaction.atomic
def choose_captain(*, tournament_id: int, team_id: int, player_id: int, by: User, now: dt.datetime) -> Team:
    """Make an active member the captain of the team, and return the team."""
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    member = next((each for each in list_members(team) if each.player_id == player_id), None)
    if member is None:
        raise ActionRefused("captain_not_in_team", "captain")
    if team.captain_id != player_id:
        team.captain = member.player
        team.save(update_fields=["captain"])
        told = {"team": team.number, "name": member.player.name}
        log_teams(tournament, "team_captain", now=now, by=by, words=member.player.name, **told)
    return team


@transaction.atomic
def renumber_team(*, tournament_id: int, team_id: int, number: int, by: User, now: dt.datetime) -> Team:
    """Give the team another number, and return it. If another team has that number, the two exchange their numbers.

    Raise `ActionRefused` once one of the tournament's sessions has started, because people know the numbers then.
    """
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    if team.number == number:
        return team
    if not 1 <= number <= MOST_NUMBER:
        raise ActionRefused("team_number", "number", most=MOST_NUMBER)
    if tournament.sessions.exclude(status=Session.Status.DRAFT).exists():
        raise ActionRefused("team_numbers_fixed", "number")
    before, other = team.number, tournament.teams.filter(number=number).first()
    if other is not None:
        Team.objects.filter(pk=other.pk).update(number=MOST_NUMBER + 1)
    team.number = number
    team.save(update_fields=["number"])
    if other is not None:
        Team.objects.filter(pk=other.pk).update(number=before)
    raise_names_version(tournament.club_id)
    log_teams(tournament, "team_renumbered", now=now, by=by, team=number, before=before)
    return team


@transaction.atomic
def add_member(*, tournament_id: int, team_id: int, player: SomePlayer, by: User, now: dt.datetime) -> TeamMember:
    """Add a player to a team that lacks one, and return the membership. If it exists already, return that one.

    `player` is the id of a player on the club's list, or the line of one.

    Raise `ActionRefused` if the team is complete, has left or has played, or if the player is in another team.
    """
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    found = find_or_add_player(tournament, player)
    members = list_members(team)
    for member in members:
        if member.player_id == found.pk:
            return member
    require_stays(team)
    most = size_of_teams(tournament).most
    if len(members) >= most:
        raise ActionRefused("team_full", "players", name=team.shown_name, most=most)
    if has_played(team):
        raise ActionRefused("team_has_played", name=team.shown_name)
    check_free(tournament, [found])
    free = next(place for place in range(1, most + 1) if place not in {member.place for member in members})
    member = TeamMember.objects.create(tournament=tournament, team=team, player=found, place=free)
    if team.captain_id is None:
        team.captain = found
        team.save(update_fields=["captain"])
    order_members(team)
    log_teams(tournament, "member_added", now=now, by=by, words=found.name, team=team.number, name=found.name)
    member.refresh_from_db()
    return member


@transaction.atomic
def remove_member(*, tournament_id: int, team_id: int, player_id: int, by: User | None, now: dt.datetime) -> Team:
    """Take a player out of a team that has not played, and return the team. It then waits for another player.

    Raise `ActionRefused` if the team has played: then a substitute replaces the member.
    """
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    member = team.members.filter(player=player_id, ended_at=None).select_related("player").first()
    if member is None:
        return team
    if has_played(team):
        raise ActionRefused("team_has_played", name=team.shown_name)
    team.line_ups.all().delete()  # they name four members; the team hands in another one
    member.delete()
    order_members(team)
    if team.captain_id == player_id:
        rest = list_members(team)
        team.captain = rest[0].player if rest else None
        team.save(update_fields=["captain"])
    name = member.player.name
    log_teams(tournament, "member_removed", now=now, by=by, words=name, team=team.number, name=name)
    return team


@transaction.atomic
def give_up_captain(*, tournament_id: int, team_id: int, players: Collection[int], now: dt.datetime) -> Team:
    """Make another active member the captain, if the captain is one of these players (ids). Return the team.

    If there is no other member, the team then has no captain.
    """
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    if team.captain_id in players:
        team.captain = next((each.player for each in list_members(team) if each.player_id not in players), None)
        team.save(update_fields=["captain"])
        if team.captain is not None:
            told = {"team": team.number, "name": team.captain.name}
            log_teams(tournament, "team_captain", now=now, by=None, words=team.captain.name, **told)
    return team


@transaction.atomic
def dissolve_team(*, tournament_id: int, team_id: int, by: User, now: dt.datetime) -> None:
    """Delete a team that has not played. The teams after it in sessions in preparation move up by one number.

    If there is no such team any more, do nothing. Raise `ActionRefused` if it has played: then it can only leave.
    """
    tournament = lock_teams(tournament_id)
    team = tournament.teams.filter(pk=team_id).first()
    if team is None:
        return
    if has_played(team) or MatchDecision.objects.filter(Q(winner=team) | Q(loser=team)).exists():
        raise ActionRefused("team_has_played", name=team.shown_name)
    unseat(team)
    number = team.number
    team.line_ups.all().delete()
    team.delete()
    log_teams(tournament, "team_dissolved", now=now, by=by, team=number)


def unseat(team: Team) -> None:
    """Remove the team from the sessions in preparation, and close the gap in their starting numbers."""
    for entrant in Entrant.objects.filter(team=team, session__status=Session.Status.DRAFT):
        entrant.delete()
        for other in Entrant.objects.filter(session=entrant.session_id, number__gt=entrant.number).order_by("number"):
            other.number -= 1
            other.save(update_fields=["number"])


@transaction.atomic
def leave_tournament(*, tournament_id: int, team_id: int, reason: str, by: User, now: dt.datetime) -> Team:
    """Let a team leave the tournament, and return it. Its members and results stay.

    Raise `ActionRefused` without a reason. Raise it too if the team still has to play in a running session, which it
    must leave first.
    """
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    if team.left_at is not None:
        return team
    reason = " ".join(reason.split())
    if not reason:
        raise ActionRefused("reason_for_leaving", "reason")
    playing = Entrant.objects.filter(team=team, last_position=None, session__closed_at=None)
    entrant = playing.filter(session__status=Session.Status.RUNNING).select_related("session").first()
    if entrant is not None:
        raise ActionRefused("team_plays_now", name=team.shown_name, number=entrant.session.number)
    unseat(team)
    team.left_at, team.left_reason = now, reason
    team.save(update_fields=["left_at", "left_reason"])
    log_teams(tournament, "team_left", now=now, by=by, team=team.number)
    return team


@transaction.atomic
def return_to_tournament(*, tournament_id: int, team_id: int, by: User, now: dt.datetime) -> Team:
    """Let a team that had left take part again, and return it."""
    tournament = lock_teams(tournament_id)
    team = find_team(tournament, team_id)
    if team.left_at is not None:
        team.left_at, team.left_reason = None, ""
        team.save(update_fields=["left_at", "left_reason"])
        log_teams(tournament, "team_back", now=now, by=by, team=team.number)
    return team


def require_stays(team: Team) -> None:
    """Raise `ActionRefused` if the team has left the tournament."""
    if team.left_at is not None:
        raise ActionRefused("team_has_left", "team", name=team.shown_name)
