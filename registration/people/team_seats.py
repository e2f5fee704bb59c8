"""The step from teams that are present to teams of the tournament that play in the session.

It uses the services that make and change teams (`evenings.teams`).
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction

from clubs.models import Player, User
from evenings.plans.teams.seating import seat_teams
from evenings.teams.changing import add_member, require_stays
from evenings.teams.common import lock_teams, size_of_teams
from evenings.teams.making import WantedTeam, make_teams
from evenings.teams.substitutes import replace_member
from registration.people.applicants import ListedTeam, list_teams_down
from registration.people.refusals import RegistrationRefused
from registration.people.seats import settle_players
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_members
from tournaments.log import log_action
from tournaments.models import Applicant, Entrant, Session, TeamMember, Tournament


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
    require_apart(ready)
    claims = find_claims(tournament, ready)
    new = [team for team in ready if not claims[team.pk]]
    asked: dict[str, Any] = {"tournament_id": tournament.pk, "by": by, "now": now}
    made = make_teams(wanted=[want_team(team) for team in new], **asked)
    found = {listed.pk: team.pk for listed, team in zip(new, made, strict=True)}
    found |= {team.pk: take_team(team, claims[team.pk], **asked) for team in ready if team.pk not in found}
    wanted = [found[team.pk] for team in ready]
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


def require_apart(ready: Sequence[ListedTeam]) -> None:
    """Raise `ActionRefused` if a player is in two present teams, or twice in one of them."""
    first: dict[int | None, ListedTeam] = {}
    for listed in ready:
        for each in listed.members:
            other = first.setdefault(each.player_id, listed)
            if other is not listed:
                told = {"team": call_listed(other), "other": call_listed(listed)}
                raise RegistrationRefused("player_in_two_lists", name=each.name, **told)
        if len({each.player_id for each in listed.members}) < len(listed.members):
            raise ActionRefused("player_in_team_twice", name=listed.captain.name)


def find_claims(tournament: Tournament, ready: Sequence[ListedTeam]) -> dict[int, list[TeamMember]]:
    """Return the active members of the teams that have players of a present team, by the id of the present team.

    This takes two queries. Raise `RegistrationRefused` if two present teams have players of one team.
    """
    listed_of = {each.player_id: listed for listed in ready for each in listed.members}
    active = TeamMember.objects.filter(tournament=tournament, ended_at=None)
    touched = active.filter(player__in=listed_of).values("team")
    claims: dict[int, list[TeamMember]] = {listed.pk: [] for listed in ready}
    first: dict[int, ListedTeam] = {}
    members = list(active.filter(team__in=touched).select_related("team", "player").order_by("pk"))
    for member in members:
        listed = listed_of.get(member.player_id)
        other = first.setdefault(member.team_id, listed) if listed is not None else listed
        if other is not listed and other is not None and listed is not None:
            told = {"team": member.team.shown_name, "one": call_listed(other), "other": call_listed(listed)}
            raise RegistrationRefused("team_parted", **told)
    for member in members:
        claims[first[member.team_id].pk].append(member)
    return claims


def call_listed(listed: ListedTeam) -> str:
    """Return the name of a team that signed up, or that of its captain."""
    return listed.captain.team_name or listed.captain.name


def find_teams_of(tournament: Tournament, applicants: Iterable[Applicant]) -> set[int]:
    """Return the ids of the teams whose active members are among these applicants."""
    players = [each.player_id for each in applicants]
    active = TeamMember.objects.filter(tournament=tournament, ended_at=None, player__in=players)
    return set(active.values_list("team", flat=True))


def want_team(listed: ListedTeam) -> WantedTeam:
    """Return the team that is to be made of a present team, whose players are all known."""
    players = [each.player_id for each in listed.members if each.player_id is not None]
    return WantedTeam(players, listed.captain.team_name)


def take_team(listed: ListedTeam, members: Sequence[TeamMember], **asked: Any) -> int:
    """Return the id of the team of the tournament that has some of these players, and let the others come to it.

    `members` are the active members of the teams in which these players are. `asked` has the tournament's id, the user
    and the time. Raise `ActionRefused` if they are in several teams.
    """
    players = want_team(listed).players
    teams = {member.team_id: member.team for member in members}
    if len(teams) > 1:
        other = next(member for member in members if member.player_id in players)
        told = {"name": other.player.name, "team": other.team.shown_name}
        raise ActionRefused("player_in_a_team", "players", **told)
    team = next(iter(teams.values()))
    require_stays(team)
    missing = [pk for pk in players if pk not in {member.player_id for member in members}]
    gone = [member for member in members if member.player_id not in players]
    for member, player in zip(gone, missing, strict=False):
        replace_member(member_id=member.pk, player=player, **asked)
    for player in missing[len(gone) :]:
        add_member(team_id=team.pk, player=player, **asked)
    return team.pk
