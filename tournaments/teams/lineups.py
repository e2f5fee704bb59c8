"""The line-ups of teams in which one member attacks the whole session, always South, and three others defend.

A line-up comes in before the session and is secret until the session starts. Later a director changes it for the
positions to come, with a reason.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction

from clubs.models import User
from deals.domain.cards import LINES
from scoring.formats import Format, find_format
from tournaments.errors import ActionRefused
from tournaments.log import log_action
from tournaments.models import Entrant, LineUp, Play, Session, Team, TeamMember
from tournaments.models.seats import sits_at_play
from tournaments.teams.common import lock_teams

SOUTH = "S"


class TeamLineUp(NamedTuple):
    """The line-up of a team in a session: its members by seat. `chosen` is False if nobody has chosen it yet."""

    team: Team
    members: dict[str, TeamMember]
    chosen: bool

    @property
    def attacker(self) -> TeamMember:
        return self.members[SOUTH]


def has_line_ups(format: Format) -> bool:
    """Return whether teams name their attacker for a whole session: one seat takes every étui."""
    return format.is_for_teams and format.fixed_taker is not None


def read_line_ups(session: Session) -> dict[int, TeamLineUp]:
    """Return the line-up of each of the session's teams by the team's id. Teams without four members are left out.

    A team without a line-up plays as in its last session with one. Without any, its members have the seats South,
    North, East and West in the order of their places. Three queries.
    """
    teams = {team.pk: team for team in Team.objects.filter(entries__session=session)}
    members: dict[int, list[TeamMember]] = {pk: [] for pk in teams}
    for member in TeamMember.objects.filter(team__in=teams).select_related("player").order_by("place", "id"):
        members[member.team_id].append(member)
    newest: dict[int, LineUp] = {}
    known = LineUp.objects.filter(team__in=teams, session__number__lte=session.number)
    for line_up in known.order_by("session__number", "pk").select_related("session"):
        newest[line_up.team_id] = line_up
    found = {}
    for pk, team in teams.items():
        there = [member for member in members[pk] if member.ended_at is None][: len(LINES)]
        if len(there) == len(LINES):
            found[pk] = _line(team, there, members[pk], newest.get(pk), session)
    return found


def _line(
    team: Team, there: list[TeamMember], members: list[TeamMember], newest: LineUp | None, session: Session
) -> TeamLineUp:
    """Return the line-up of a team with the active members `there`. `members` has the former ones too."""
    if newest is not None:
        heirs = {member.replaces_id: member for member in members if member.replaces_id}
        named = {member.pk: member for member in members}
        seats = {seat: _follow(named[pk], heirs) for seat, pk in newest.members.items()}
        if {member.pk for member in seats.values()} <= {member.pk for member in there}:
            return TeamLineUp(team, seats, newest.session_id == session.pk)
    return TeamLineUp(team, dict(zip((SOUTH, "N", "E", "W"), there, strict=True)), chosen=False)


def _follow(member: TeamMember, heirs: Mapping[int, TeamMember]) -> TeamMember:
    """Return the member who has this member's place now: the member, or the last of the substitutes."""
    while member.ended_at is not None and member.pk in heirs:
        member = heirs[member.pk]
    return member


@transaction.atomic
def choose_line_up(
    *, session_id: int, team_id: int, members: Mapping[str, int], reason: str = "", by: User | None, now: dt.datetime
) -> LineUp:
    """Store the line-up of a team for a session, and return it. Choosing the same one again stores nothing.

    `members` has the id of a member for each seat; South attacks. Once the session has started, the line-up counts for
    the positions that have not been called, and needs a reason. Raise `ActionRefused` if a seat is empty, if a member
    has two seats or is not in the team, or if the session is closed.
    """
    lock_teams(Session.objects.only("tournament").get(pk=session_id).tournament_id)
    session = Session.objects.select_related("tournament").get(pk=session_id)
    entrant = check_may_line_up(session, team_id)
    there = {member.pk: member for member in TeamMember.objects.filter(team=team_id, ended_at=None)}
    check_members(members, there)
    if (newest := LineUp.objects.filter(session=session, team=team_id).last()) and newest.members == dict(members):
        return newest
    position = None
    if session.status == Session.Status.RUNNING:
        position = session.position + 1
        if position > session.positions:
            raise ActionRefused("line_up_late")
        if not reason.strip():
            raise ActionRefused("line_up_reason", "reason")
    columns = {"in_north_id": members["N"], "in_east_id": members["E"], "in_west_id": members["W"]}
    line_up = LineUp.objects.create(
        session=session,
        team_id=team_id,
        position=position,
        attacker_id=members[SOUTH],
        reason=reason.strip(),
        made_at=now,
        author=by,
        **columns,
    )
    if position is not None:
        plays = Play.objects.filter(sits_at_play(entrant), session=session, position__gte=position)
        attacks = [play.pk for play in plays if play.seat_ids[SOUTH] == entrant.pk]
        Play.objects.filter(pk__in=attacks).update(badge=there[members[SOUTH]].place)
    said: dict[str, Any] = {"team": entrant.number, "position": position or 0, "reason": line_up.reason}
    code = "line_up_chosen" if position is None else "line_up_changed"
    log_action(session, code, now=now, by=by, words=line_up.reason, **said)
    return line_up


def check_may_line_up(session: Session, team_id: int) -> Entrant:
    """Return the entrant of the team in the session. Raise `ActionRefused` if it can have no line-up there."""
    if not has_line_ups(find_format(session.tournament.format)):
        raise ActionRefused("line_ups_not_played")
    if session.closed_at is not None:
        raise ActionRefused("line_up_late")
    entrant = session.entrants.filter(team=team_id).first()
    if entrant is None:
        raise ActionRefused("team_unknown", "team", team=team_id)
    return entrant


def check_members(members: Mapping[str, int], there: Mapping[int, TeamMember]) -> None:
    """Raise `ActionRefused` unless each seat has another member of the team. `there` has the members by id."""
    if set(members) != set(map(str, LINES)):
        raise ActionRefused("line_up_incomplete", "members")
    for seat, pk in members.items():
        if pk not in there:
            raise ActionRefused("line_up_stranger", seat)
        if [*members.values()].count(pk) > 1:
            raise ActionRefused("line_up_twice", seat, place=there[pk].place)
