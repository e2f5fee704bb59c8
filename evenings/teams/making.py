"""The services that make teams: one by hand, many from pasted lines, or the teams of an earlier tournament."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from django.db import transaction
from django.db.models import Prefetch

from clubs.answers import require_settled, take_settled
from clubs.licences import offer_licences
from clubs.lists import ListLine, PastedList
from clubs.matching import MatchRow, match_lines
from clubs.models import Player, User
from clubs.players import ListCounts, known_of, require_told, take_counted
from clubs.roster import NameOrder
from clubs.teams import PastedTeam, TeamError, key_of_name, read_teams
from evenings.teams.common import (
    MOST_NUMBER,
    check_free,
    find_club_players,
    lock_teams,
    log_teams,
    name_parts,
    size_of_teams,
)
from tournaments.errors import ActionRefused
from tournaments.models import Team, TeamMember, Tournament


def match_teams(
    tournament: Tournament, pasted: PastedList, answers: Mapping[str, str], order: NameOrder = NameOrder.SEEN
) -> list[PastedTeam]:
    """Return the teams of a pasted list, with the players of the club's list whom each row may mean.

    This takes five queries at most. `answers` has the answers by key: of a team (`PastedTeam.key`), of a row
    (`MatchRow.key`). `order` comes before the order that the heading says. Raise TeamError if there are too many teams.
    """
    club = tournament.club

    def match(lines: list[ListLine]) -> list[MatchRow]:
        return offer_licences(club, match_lines(lines, known_of(club), order or pasted.order))

    teams = read_teams(pasted, size_of_teams(tournament), answers, match)
    members = tournament.team_members.filter(ended_at=None, team__left_at=None).select_related("player", "team")
    there = {member.player_id: member for member in members}
    names = {key_of_name(team.name): team for team in tournament.teams.exclude(name="")}
    checked = []
    for team in teams:
        error = team.error
        if error is None and team.name and (named := names.get(key_of_name(team.name))) is not None:
            error = ActionRefused("team_name_taken", "text", name=named.name, number=named.number)
        member = next((there[player.means] for player in team.players if player.means in there), None)
        if error is None and member is not None:
            told = {"name": member.player.name, "team": member.team.shown_name}
            error = ActionRefused("player_in_a_team", "text", **told)
        checked.append(replace(team, error=error))
    return checked


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
    if captain is not None and captain not in players:
        raise ActionRefused("captain_not_in_team", "captain")
    captain_first = sorted(players, key=lambda pk: pk != captain)
    (team,) = add_teams(tournament, [WantedTeam(captain_first, name)], now=now)
    log_teams(tournament, "team_made", now=now, by=by, team=team.number)
    return team


class WantedTeam(NamedTuple):
    """A team that is to be made: the ids of its players, with the captain first, and its name or ""."""

    players: Sequence[int]
    name: str = ""


@transaction.atomic
def make_teams(*, tournament_id: int, wanted: Sequence[WantedTeam], by: User, now: dt.datetime) -> list[Team]:
    """Make these teams and return them, in as many queries for hundreds as for one. A name that is taken is not given.

    Raise `ActionRefused` as `make_team` does, also if two of the teams have one player. Then nothing is made.
    """
    if not wanted:
        return []
    tournament = lock_teams(tournament_id)
    find_club_players(tournament, [pk for team in wanted for pk in team.players])
    teams = add_teams(tournament, wanted, now=now, drops_names=True)
    log_teams(tournament, "teams_made", now=now, by=by, count=len(teams))
    return teams


def add_teams(
    tournament: Tournament, wanted: Sequence[WantedTeam], *, now: dt.datetime, drops_names: bool = False
) -> list[Team]:
    """Add these teams to the locked tournament, with the next numbers. This takes seven queries at most.

    Raise `ActionRefused` for a name that is taken; with `drops_names`, the team gets none instead.
    """
    players = Player.objects.in_bulk([pk for team in wanted for pk in team.players])
    check_free(tournament, players.values())
    known = list(tournament.teams.all())
    most, first = size_of_teams(tournament).most, max((team.number for team in known), default=0) + 1
    if first + len(wanted) - 1 > MOST_NUMBER:
        raise ActionRefused("team_number", "number", most=MOST_NUMBER)
    taken = {key_of_name(team.name): team for team in known if team.name}
    teams: list[Team] = []
    members: list[TeamMember] = []
    team_of: dict[int, Team] = {}
    for number, each in enumerate(wanted, start=first):
        if len(each.players) > most:
            raise ActionRefused("team_too_large", "players", most=most, count=len(each.players))
        name = " ".join(each.name.split())
        if name and (other := taken.get(key_of_name(name))) is not None:
            if not drops_names:
                raise ActionRefused("team_name_taken", "name", name=other.name, number=other.number)
            name = ""
        team = Team(tournament=tournament, number=number, name=name, captain_id=each.players[0], made_at=now)
        if name:
            taken[key_of_name(name)] = team
        for pk in each.players:
            if pk in team_of:
                raise ActionRefused("player_in_a_team", "players", name=players[pk].name, team=team_of[pk].shown_name)
            team_of[pk] = team
        in_order = sorted((players[pk] for pk in each.players), key=name_parts)
        members += [
            TeamMember(tournament=tournament, team=team, player=player, place=place)
            for place, player in enumerate(in_order, start=1)
        ]
        teams.append(team)
    Team.objects.bulk_create(teams)
    TeamMember.objects.bulk_create(members)
    return teams


def find_same_team(tournament: Tournament, players: Sequence[Player], name: str) -> Team | None:
    """Return the team that has exactly these active members and this name, or None."""
    wanted = {player.pk for player in players}
    for team in tournament.teams.filter(members__player=players[0], members__ended_at=None, left_at=None):
        members = team.members.filter(ended_at=None).values_list("player_id", flat=True)
        if set(members) == wanted and team.name == " ".join(name.split()):
            return team
    return None


@transaction.atomic
def make_pasted_teams(
    *, tournament_id: int, teams: Sequence[PastedTeam], by: User, now: dt.datetime, told: ListCounts | None = None
) -> list[Team]:
    """Make the teams of a pasted list. Its new players are added to the club's list.

    Raise the error of the first team that cannot be made, or for which an answer is missing, or `ActionRefused` as
    `make_team` does. `told` has the numbers that a page has told. Raise `ListChanged` if others would be written. Then
    nothing is made.
    """
    for team in teams:
        if team.error is not None:
            raise team.error
        if team.asks:
            raise TeamError("team_unclear", line=team.number, text=team.text.strip(), key=team.key)
        require_settled(team.players)
    tournament = lock_teams(tournament_id)
    taken = take_settled([player for team in teams for player in team.players])
    players, counts = take_counted(club=tournament.club, taken=[*taken.values()])
    found = iter(players)
    sizes = [sum(player.counts for player in team.players) for team in teams]
    wanted = [
        WantedTeam([player.pk for player in islice(found, size)], team.name)
        for size, team in zip(sizes, teams, strict=True)
    ]
    made = add_teams(tournament, wanted, now=now)
    require_told(told, counts._replace(rows=len(made)))
    if made:
        log_teams(tournament, "teams_made", now=now, by=by, count=len(made))
    return made


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
    members = TeamMember.objects.filter(ended_at=None).select_related("player__merged_into").order_by("place")
    teams = last.teams.filter(left_at=None).order_by("number").prefetch_related(Prefetch("members", members))
    taken = set(tournament.team_members.filter(ended_at=None).values_list("player_id", flat=True))
    wanted = []
    for team in teams:
        players = [member.player.is_now for member in team.members.all()]
        own = {player.pk for player in players}
        if own and not taken & own and all(player.erased_at is None for player in players):
            taken |= own
            captain_first = sorted((player.pk for player in players), key=lambda pk: pk != team.captain_id)
            wanted.append(WantedTeam(captain_first, team.name))
    return make_teams(tournament_id=tournament_id, wanted=wanted, by=by, now=now)
