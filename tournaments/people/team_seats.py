"""The step from teams that are present to teams of the tournament that play in the session.

It uses the services that make and change teams (`tournaments.teams`).
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction

from clubs.models import Player, User
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_members
from tournaments.log import log_action
from tournaments.models import Applicant, Entrant, Session, Team, TeamMember, Tournament
from tournaments.people.applicants import ListedTeam, list_teams_down
from tournaments.people.refusals import RegistrationRefused
from tournaments.people.seats import settle_players
from tournaments.plans.teams.seating import seat_teams
from tournaments.teams.changing import add_member, require_stays
from tournaments.teams.common import check_name, lock_teams, size_of_teams
from tournaments.teams.making import make_team
from tournaments.teams.substitutes import replace_member


@transaction.atomic
def seat_present_teams(
    *, session_id: int, answers: Mapping[int, int | None], by: User, now: dt.datetime
) -> list[Entrant]:
    """Let the complete teams whose players are all present play in the session. Return the entrants.

    Teams that played before keep their number in the tournament; others are made. A team that had signed up no longer
    plays in the session if one of its players is not present any more. Teams that never signed up stay. `answers` is as
    in `seat_present`. Raise `ActionRefused` if no team is there, or if two teams name one player. Raise it too if two
    teams have players of one team that played before: otherwise one of them would take the other's players without
    notice.
    """
    tournament_id = Session.objects.values_list("tournament_id", flat=True).get(pk=session_id)
    lock_members(tournament_id)
    tournament = lock_teams(tournament_id)
    session = lock_draft(session_id)
    size = size_of_teams(tournament).least
    teams = list_teams_down(session)
    ready = [team for team in teams if len(team.members) >= size and all(each.present_at for each in team.members)]
    if not ready:
        raise ActionRefused("no_team_present", needed=size)
    ready.sort(key=lambda team: (max(each.present_at for each in team.members if each.present_at), team.pk))
    present = [each for team in ready for each in team.members]
    follow_merges(present)
    settle_players(session, present, answers)
    require_apart(tournament, ready)
    wanted = [take_team(tournament, team, by=by, now=now).pk for team in ready]
    before = list(session.entrants.order_by("number").values_list("team_id", flat=True))
    signed_up = find_teams_of(tournament, Applicant.objects.filter(session=session).exclude(player=None))
    kept = [pk for pk in before if pk in wanted or pk not in signed_up]
    log_action(session, "teams_seated_from_list", now=now, by=by, count=len(ready))
    return seat_teams(session_id=session_id, teams=[*kept, *(pk for pk in wanted if pk not in kept)], by=by, now=now)


def follow_merges(applicants: Iterable[Applicant]) -> None:
    """Store the remaining player for applicants whose player was merged since the last check-in."""
    players = Player.objects.filter(pk__in=[each.player_id for each in applicants if each.player_id])
    merged = dict(players.exclude(merged_into=None).values_list("pk", "merged_into"))
    for each in applicants:
        if each.player_id in merged:
            each.player_id = merged[each.player_id]
            each.save(update_fields=["player"])


def require_apart(tournament: Tournament, ready: Sequence[ListedTeam]) -> None:
    """Raise `ActionRefused` if two present teams have one player, or players of one team of the tournament."""
    first: dict[int | None, ListedTeam] = {}
    for listed in ready:
        for each in listed.members:
            other = first.setdefault(each.player_id, listed)
            if other is not listed:
                told = {"team": call_listed(other), "other": call_listed(listed)}
                raise RegistrationRefused("player_in_two_lists", name=each.name, **told)
        if len({each.player_id for each in listed.members}) < len(listed.members):
            raise ActionRefused("player_in_team_twice", name=listed.captain.name)
    members = TeamMember.objects.filter(tournament=tournament, ended_at=None, player__in=first)
    claims: dict[int, ListedTeam] = {}
    for member in members.select_related("team").order_by("pk"):
        listed = first[member.player_id]
        other = claims.setdefault(member.team_id, listed)
        if other is not listed:
            told = {"team": member.team.shown_name, "one": call_listed(other), "other": call_listed(listed)}
            raise RegistrationRefused("team_parted", **told)


def call_listed(listed: ListedTeam) -> str:
    """Return the name of a team that signed up, or that of its captain."""
    return listed.captain.team_name or listed.captain.name


def find_teams_of(tournament: Tournament, applicants: Iterable[Applicant]) -> set[int]:
    """Return the ids of the teams whose active members are among these applicants."""
    players = [each.player_id for each in applicants]
    active = TeamMember.objects.filter(tournament=tournament, ended_at=None, player__in=players)
    return set(active.values_list("team", flat=True))


def take_team(tournament: Tournament, listed: ListedTeam, *, by: User, now: dt.datetime) -> Team:
    """Return the team of these players.

    If none of them is in a team, make one. If some of them are in one team, add the others to it.
    """
    players = [each.player_id for each in listed.members if each.player_id is not None]
    there = TeamMember.objects.filter(tournament=tournament, ended_at=None, player__in=players).select_related("team")
    teams = {member.team_id: member.team for member in there}
    asked: dict[str, Any] = {"tournament_id": tournament.pk, "by": by, "now": now}
    if len(teams) != 1:  # without a team, one is made; with several, `make_team` refuses and names the player
        name = free_name(tournament, listed.captain.team_name)
        return make_team(players=players, name=name, captain=listed.captain.player_id, **asked)
    team = next(iter(teams.values()))
    require_stays(team)
    members = list(team.members.filter(ended_at=None))
    missing = [pk for pk in players if pk not in {member.player_id for member in members}]
    gone = [member for member in members if member.player_id not in players]
    for member, player in zip(gone, missing, strict=False):
        replace_member(member_id=member.pk, player=player, **asked)
    for player in missing[len(gone) :]:
        add_member(team_id=team.pk, player_id=player, **asked)
    return team


def free_name(tournament: Tournament, name: str) -> str:
    """Return the name if no team of the tournament has it, else ""."""
    try:
        return check_name(tournament, name)
    except ActionRefused:
        return ""
