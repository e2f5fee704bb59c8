"""The services for substitutes: a player takes over the place of a member of a team, and the undoing of it."""

import datetime as dt

from django.db import transaction
from django.db.models import ProtectedError

from clubs.models import Player, User
from evenings.teams.changing import require_stays
from evenings.teams.common import (
    SomePlayer,
    check_free,
    find_or_add_player,
    has_played,
    is_new,
    list_entries,
    lock_teams,
    log_teams,
    order_members,
)
from evenings.teams.membership import find_span
from tournaments.errors import ActionRefused
from tournaments.locks import lock_member
from tournaments.models import PersonalLink, ResultEntry, Session, Team, TeamMember, Tournament


@transaction.atomic
def replace_member(
    *,
    tournament_id: int,
    member_id: int,
    player: SomePlayer,
    session_id: int | None = None,
    position: int | None = None,
    reason: str = "",
    by: User,
    now: dt.datetime,
) -> TeamMember:
    """Let a substitute take over the place of a member, and return the new membership. The call is idempotent.

    - `player`: the id of a player on the club's list, or the line of a new player, which needs a reason.
    - `session_id`, `position`: the first position of the substitute. By default it is the position that is being
      played, if a session of the team is under way. Otherwise it is the first one of the team's next session.

    Raise `ActionRefused` if the player is in a team, or if the position is not one of the session. Raise it too if a
    result from this position on names the member as attacker.
    """
    lock_member(member_id)
    tournament = lock_teams(tournament_id)
    member = tournament.team_members.filter(pk=member_id).select_related("player", "team").first()
    if member is None:
        raise ActionRefused("member_unknown", "member")
    reason = " ".join(reason.split())
    if is_new(player) and not reason:
        raise ActionRefused("reason_for_outsider", "reason")
    found = find_or_add_player(tournament, player)
    if member.ended_at is not None:
        after = TeamMember.objects.filter(replaces=member).first()
        if after is not None and after.player_id == found.pk:
            return after
        raise ActionRefused("member_gone", "member", name=member.player.name)
    if member.player_id == found.pk:
        return member
    require_stays(member.team)
    check_free(tournament, [found])
    start = find_start(tournament, member.team, session_id, position)
    if start is not None:
        check_start(member, *start)
    substitute = take_place(member, found, start, reason=reason, now=now)
    told = {"team": member.team.number, "name": found.name, "other": member.player.name}
    log_teams(tournament, "member_replaced", now=now, by=by, words=f"{found.name} {member.player.name}", **told)
    return substitute


def take_place(
    member: TeamMember, player: Player, start: tuple[Session, int] | None, *, reason: str, now: dt.datetime
) -> TeamMember:
    """End the membership and make the substitute's. A member who has not played leaves no trace.

    In a team that has not played, the row of the membership stays, with its seat in a line-up. It gets the new player.
    """
    team, wanted = member.team, TeamMember(tournament=member.tournament, team=member.team, place=member.place)
    wanted.player, wanted.reason = player, reason
    if not has_played(team):
        PersonalLink.objects.filter(member=member).delete()
        TeamMember.objects.filter(pk=member.pk).update(player=player, reason=reason)
        order_members(team)
        wanted = TeamMember.objects.select_related("player").get(pk=member.pk)
    else:
        member.ended_at = now
        if start is not None:
            wanted.from_session, wanted.from_position = start
            member.until_session, member.until_position = find_last_played(team, *start)
        else:
            member.until_session, member.until_position = find_last_played(team, None, 1)
        member.save()
        end_links(member, now=now)
        wanted.replaces = member
        wanted.save()
    if team.captain_id == member.player_id:
        team.captain = player
        team.save(update_fields=["captain"])
    return wanted


def end_links(member: TeamMember, *, now: dt.datetime) -> None:
    """Revoke the personal links of a former member in sessions in which they played no position."""
    links = PersonalLink.objects.filter(member=member, revoked_at=None).select_related("entrant__session")
    over = [link.pk for link in links if find_span(member, link.entrant.session.number) is None]
    PersonalLink.objects.filter(pk__in=over).update(revoked_at=now)


def find_start(
    tournament: Tournament, team: Team, session_id: int | None, position: int | None
) -> tuple[Session, int] | None:
    """Return the session and the position from which the substitute plays, None for the next session of the team."""
    if session_id is None:
        entrant = list_entries(team).filter(session__closed_at=None, last_position=None)
        running = entrant.filter(session__status=Session.Status.RUNNING).select_related("session").first()
        return None if running is None else (running.session, find_position_now(running.session))
    session = tournament.sessions.filter(pk=session_id).first()
    if session is None or not 1 <= (position or 1) <= session.positions:
        raise ActionRefused("substitute_when", "position", most=session.positions if session else 0)
    return session, position or 1


def find_position_now(session: Session) -> int:
    """Return the last position in which an étui was begun or a result entered, at least 1."""
    begun = session.plays.exclude(started_at=None) | session.plays.filter(entries__isnull=False)
    return begun.order_by("-position").values_list("position", flat=True).first() or 1


def check_start(member: TeamMember, session: Session, position: int) -> None:
    """Raise `ActionRefused` if the member came later than this, or attacked in a result from then on."""
    own = member.from_session
    if own is not None and (own.number, member.from_position) >= (session.number, position):
        raise ActionRefused("substitute_too_early", "position", name=member.player.name)
    attacked = ResultEntry.objects.filter(attacker=member, play__session__tournament=member.tournament_id)
    same = attacked.filter(play__session=session, play__position__gte=position)
    if same.exists() or attacked.filter(play__session__number__gt=session.number).exists():
        raise ActionRefused("substitute_attacked", "position", name=member.player.name)


def find_last_played(team: Team, session: Session | None, position: int) -> tuple[Session | None, int | None]:
    """Return the team's last session and position before this position, (None, None) if it played none."""
    if session is not None and position > 1:
        return session, position - 1
    played = Session.objects.filter(entrants__in=list_entries(team)).exclude(status=Session.Status.DRAFT)
    if session is not None:
        played = played.filter(number__lt=session.number)
    last = played.order_by("-number").first()
    return (None, None) if last is None else (last, last.positions)


@transaction.atomic
def undo_substitute(*, tournament_id: int, member_id: int, by: User, now: dt.datetime) -> TeamMember:
    """Undo a substitution: delete the substitute's membership, and return that of the member before.

    Raise `ActionRefused` if the substitute was replaced, attacked in a result, asked for a correction, answered one, or
    stands in a line-up. Raise it too if the member before is in another team now.
    """
    lock_member(member_id)
    tournament = lock_teams(tournament_id)
    substitute = tournament.team_members.filter(pk=member_id).select_related("player", "team", "replaces").first()
    if substitute is None or substitute.replaces is None:
        raise ActionRefused("member_unknown", "member")
    before = substitute.replaces
    if substitute.ended_at is not None:
        raise ActionRefused("substitute_played", name=substitute.player.name)
    check_free(tournament, [before.player])
    PersonalLink.objects.filter(member=substitute).delete()
    team = substitute.team
    was_captain = team.captain_id == substitute.player_id
    name = substitute.player.name
    try:
        substitute.delete()
    except ProtectedError as error:
        raise ActionRefused("substitute_played", name=name) from error
    PersonalLink.objects.filter(member=before, revoked_at=before.ended_at).update(revoked_at=None)
    before.ended_at = before.until_session = before.until_position = None
    before.save()
    if was_captain:
        team.captain = before.player
        team.save(update_fields=["captain"])
    told = {"team": team.number, "name": before.player.name, "other": name}
    log_teams(tournament, "member_back", now=now, by=by, words=f"{name} {before.player.name}", **told)
    return before
