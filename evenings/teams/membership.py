"""The members of teams: in which positions of a session a player belonged to a team, and the teams of a player."""

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Q

from tournaments.models import Entrant, TeamMember

# The joins that a query of members needs here. Reading the time of a membership then takes no further query.
JOINS = ("from_session", "until_session", "replaces__until_session")


class MemberSpan(NamedTuple):
    """The positions of a session in which a player belonged to a team: from `first` to `last`, None for its end."""

    first: int
    last: int | None

    def has(self, position: int) -> bool:
        return self.first <= position and (self.last is None or position <= self.last)


def find_span(member: TeamMember, number: int) -> MemberSpan | None:
    """Return when the member was in the team during the tournament's session with this number, None if never.

    If no beginning is stored for a substitute, the membership begins after the last position of the member before. The
    query must have joined JOINS.
    """
    begun, first = find_beginning(member)
    if begun > number or (member.ended_at is not None and member.until_session is None):
        return None
    ended = number + 1 if member.until_session is None else member.until_session.number
    if ended < number:
        return None
    span = MemberSpan(first if begun == number else 1, member.until_position if ended == number else None)
    return span if span.has(span.first) else None


def find_beginning(member: TeamMember) -> tuple[int, int]:
    """Return the number of the session and the position with which the membership begins, (0, 1) for the tournament."""
    if member.from_session is not None:
        return member.from_session.number, member.from_position
    before = member.replaces
    if before is not None and before.until_session is not None:
        last, session = before.until_position or 0, before.until_session
        return (session.number, last + 1) if last < session.positions else (session.number + 1, 1)
    return 0, 1


def was_active(member: TeamMember, number: int, position: int) -> bool:
    """Return whether the member was in the team in this position of the tournament's session with this number.

    The query must have joined JOINS.
    """
    span = find_span(member, number)
    return span is not None and span.has(position)


def list_entrants_of_members(
    players: Collection[int], formats: Collection[str], sessions: Q, tournament: int | None
) -> list[Entrant]:
    """Return the teams in sessions of these formats, of which one of these players (ids) is a member now.

    `sessions` is a further condition on their sessions. With `tournament` (an id), only its sessions count. The next
    session comes first. One query.
    """
    entrants = Entrant.objects.filter(
        sessions,
        session__tournament__format__in=formats,
        team__members__player__in=players,
        team__members__ended_at=None,
    )
    if tournament is not None:
        entrants = entrants.filter(session__tournament=tournament)
    related = entrants.select_related("session__tournament__club", "team__captain").distinct()
    return list(related.order_by("session__date", "session__number", "number"))
