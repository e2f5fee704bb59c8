"""The line-up of a team for a session: stored before the start, or changed for the positions to come."""

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction

from clubs.models import User
from deals.domain.cards import LINES
from evenings.changes.ways import find_held
from evenings.teams.lineups import OF_SESSION, SOUTH, SeenLineUp, may_hand_in, read_line_ups
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_plan, lock_tournament
from tournaments.log import log_action
from tournaments.models import Entrant, LineUp, Play, Session, TeamMember
from tournaments.models.seats import sits_at_play


@transaction.atomic
def hand_in_line_up(
    *,
    session_id: int,
    team_id: int,
    players: Collection[int],
    members: Mapping[str, int],
    by: User | None,
    now: dt.datetime,
) -> LineUp:
    """Store the line-up that the captain of a team hands in before the session, and return it.

    `players` are the ids of the players that the person is, in the clubs' lists. `members` has the id of a member for
    each seat; South attacks.
    Raise `ActionRefused` once the session has started, or if the person may not speak for the team.
    """
    session = lock_line_ups(session_id)
    team = check_may_line_up(session, team_id).team
    if team is None or not may_hand_in(team, players):
        raise ActionRefused("line_up_captain")
    if session.status != Session.Status.DRAFT:
        raise ActionRefused("line_up_begun")
    return _store_line_up(session, team_id, members, by=by, now=now, action="line_up_handed_in")


@transaction.atomic
def choose_line_up(
    *,
    session_id: int,
    team_id: int,
    members: Mapping[str, int],
    reason: str = "",
    seen: SeenLineUp | None = None,
    by: User | None,
    now: dt.datetime,
) -> LineUp:
    """Store the line-up of a team for a session, and return it. Choosing the same one again stores nothing.

    `seen` is the line-up that the director has seen. If another one came in since, raise `Conflict`.

    `members` has the id of a member for each seat; South attacks. Once the session has started, the line-up counts for
    the positions that have neither been called nor begun, and needs a reason. Raise `ActionRefused` if a seat is empty,
    if a member has two seats or is not in the team, or if the session is closed.
    """
    session = lock_line_ups(session_id)
    check_may_line_up(session, team_id)
    if seen is not None and not seen.is_still(read_line_ups(session).get(team_id)):
        raise Conflict("line_up_meanwhile", "members")
    return _store_line_up(session, team_id, members, reason=reason, by=by, now=now, action="line_up_chosen")


def _store_line_up(
    session: Session,
    team_id: int,
    members: Mapping[str, int],
    *,
    reason: str = "",
    by: User | None,
    now: dt.datetime,
    action: str,
) -> LineUp:
    """Store the line-up of a locked session. `action` is the code in the log before the start."""
    entrant = check_may_line_up(session, team_id)
    there = {member.pk: member for member in TeamMember.objects.filter(team=team_id, ended_at=None)}
    check_members(members, there)
    if (newest := LineUp.objects.filter(session=session, team=team_id).last()) and newest.members == dict(members):
        return newest
    position = None
    if session.status == Session.Status.RUNNING:
        position = find_held(session) + 1
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
    code = action if position is None else "line_up_changed"
    log_action(session, code, now=now, by=by, words=line_up.reason, **said)
    return line_up


def lock_line_ups(session_id: int) -> Session:
    """Lock a session's teams, its plays and tables, and the session. Return the session with its tournament."""
    lock_tournament(Session.objects.only("tournament").get(pk=session_id).tournament_id, no_key=True)
    return lock_plan(session_id, no_key=True)


def check_may_line_up(session: Session, team_id: int) -> Entrant:
    """Return the entrant of the team in the session. Raise `ActionRefused` if it can have no line-up there."""
    if session.tournament.format not in OF_SESSION:
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
