"""The services that make teams: one by hand, many from pasted lines, or the teams of an earlier tournament."""

import datetime as dt
from collections.abc import Iterator, Sequence

from django.db import transaction

from clubs.models import Player, User
from clubs.players import take_list
from tournaments.errors import ActionRefused
from tournaments.models import Team, TeamMember, Tournament
from tournaments.teams.common import (
    MOST_NUMBER,
    check_free,
    check_name,
    find_club_players,
    lock_teams,
    log_teams,
    order_members,
    size_of_teams,
)
from tournaments.teams.pasted import MatchedTeam, require_matched


@transaction.atomic
def make_team(
    *,
    tournament_id: int,
    players: Sequence[int],
    name: str = "",
    captain: int | None = None,
    by: User,
    now: dt.datetime,
) -> Team:
    """Make a team of these players (ids), and return it. It may lack members, which can be added later.

    The captain is the first player if none is chosen. If a team of exactly these players and this name exists, return
    that one. Raise `ActionRefused` if a player is unknown or in another team, if there are too many, or if another team
    has the name.
    """
    tournament = lock_teams(tournament_id)
    found = find_club_players(tournament, players)
    if not found:
        raise ActionRefused("team_without_players", "players")
    if (same := find_same_team(tournament, found, name)) is not None:
        return same
    team = add_team(tournament, found, name=name, captain=captain, now=now)
    log_teams(tournament, "team_made", now=now, by=by, team=team.number)
    return team


def find_same_team(tournament: Tournament, players: Sequence[Player], name: str) -> Team | None:
    """Return the team that has exactly these active members and this name, or None."""
    wanted = {player.pk for player in players}
    for team in tournament.teams.filter(members__player=players[0], members__ended_at=None, left_at=None):
        members = team.members.filter(ended_at=None).values_list("player_id", flat=True)
        if set(members) == wanted and team.name == " ".join(name.split()):
            return team
    return None


def add_team(
    tournament: Tournament, players: Sequence[Player], *, name: str, captain: int | None = None, now: dt.datetime
) -> Team:
    """Add a team of these players to the locked tournament, with the next number."""
    size = size_of_teams(tournament)
    name = check_name(tournament, name)
    if len(players) > size.most:
        raise ActionRefused("team_too_large", "players", most=size.most, count=len(players))
    check_free(tournament, players)
    if captain is not None and captain not in {player.pk for player in players}:
        raise ActionRefused("captain_not_in_team", "captain")
    numbers = set(tournament.teams.values_list("number", flat=True))
    number = max(numbers, default=0) + 1
    if number > MOST_NUMBER:
        raise ActionRefused("team_number", "number", most=MOST_NUMBER)
    team = Team.objects.create(
        tournament=tournament, number=number, name=name, captain_id=captain or players[0].pk, made_at=now
    )
    TeamMember.objects.bulk_create(
        TeamMember(tournament=tournament, team=team, player=player, place=place)
        for place, player in enumerate(players, start=1)
    )
    order_members(team)
    return team


@transaction.atomic
def make_pasted_teams(*, tournament_id: int, teams: Sequence[MatchedTeam], by: User, now: dt.datetime) -> list[Team]:
    """Make the teams of pasted lines. New players in these lines are added to the club's list.

    Raise the error of the first line for which an answer is missing, or `ActionRefused` as `make_team` does. Then
    nothing is made.
    """
    require_matched(teams)
    tournament = lock_teams(tournament_id)
    lines = [player.taken for team in teams for player in team.players]
    found = iter(take_list(club=tournament.club, taken=lines))
    made = [add_team(tournament, take(found, len(team.players)), name=team.row.name, now=now) for team in teams]
    if made:
        log_teams(tournament, "teams_made", now=now, by=by, count=len(made))
    return made


def take(players: Iterator[Player], count: int) -> list[Player]:
    """Return the next `count` players. Raise `ActionRefused` if a line names one of them twice."""
    found = [next(players) for _place in range(count)]
    for place, player in enumerate(found):
        # two names of the line mean the same player
        if player in found[:place]:
            raise ActionRefused("player_in_team_twice", "players", name=player.name)
    return found


def find_last_tournament(tournament: Tournament) -> Tournament | None:
    """Return the club's latest other tournament of the same format that has teams, or None."""
    others = Tournament.objects.filter(club=tournament.club_id, format=tournament.format, teams__left_at=None)
    return others.exclude(pk=tournament.pk).filter(teams__isnull=False).order_by("-created_at", "-pk").first()


@transaction.atomic
def take_last_teams(*, tournament_id: int, by: User, now: dt.datetime) -> list[Team]:
    """Make the teams of the club's last tournament of this format again. Return the new ones.

    A team is left out if one of its players is in a team already, or was erased. If another team has the name of a
    team, the new team gets no name.
    """
    tournament = lock_teams(tournament_id)
    last = find_last_tournament(tournament)
    if last is None:
        raise ActionRefused("no_last_teams")
    taken = set(tournament.team_members.filter(ended_at=None).values_list("player_id", flat=True))
    made = []
    for team in last.teams.filter(left_at=None).order_by("number"):
        players = [member.player.is_now for member in team.members.filter(ended_at=None).select_related(*JOINS)]
        gone = any(player.erased_at is not None for player in players)
        if not players or gone or taken & {player.pk for player in players}:
            continue
        try:
            name = check_name(tournament, team.name)
        except ActionRefused:
            name = ""
        captain = team.captain_id if team.captain_id in {player.pk for player in players} else None
        made.append(add_team(tournament, players, name=name, captain=captain, now=now))
        taken |= {player.pk for player in players}
    if made:
        log_teams(tournament, "teams_made", now=now, by=by, count=len(made))
    return made


JOINS = ("player__merged_into",)
