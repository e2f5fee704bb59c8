"""The members of teams: in which positions a player belonged to a team, and the sessions in which members played."""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from tournaments.models import Entrant, Session, TeamMember

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


class PlayingMember(NamedTuple):
    """A member of a team in a session: the entrant of the team, the member, and when the member belonged to it."""

    entrant: Entrant
    member: TeamMember
    span: MemberSpan


def list_playing_members(session: Session, *, but: int | None = None) -> list[PlayingMember]:
    """Return the members of all teams of the session who belong to their team in one of its positions.

    They are sorted by the team's starting number, then by place. This takes two queries. With `but`, only those of this
    entrant (id).
    """
    entrants = session.entrants.filter(team__isnull=False).select_related("team")
    if but is not None:
        entrants = entrants.filter(pk=but)
    by_team = {entrant.team_id: entrant for entrant in entrants}
    members = TeamMember.objects.filter(team__in=by_team).select_related("player__person", *JOINS)
    found = [
        PlayingMember(by_team[member.team_id], member, span)
        for member in members
        if (span := find_span(member, session.number)) is not None
    ]
    return sorted(found, key=lambda each: (each.entrant.number, each.entrant.pk, each.member.place, each.span.first))


def is_team_of(players: Iterable[Any]) -> Q:
    """Return the condition for entrants that are a team of one of these players (ids).

    The player was a member of the team in at least one position of that session.
    """
    number = OuterRef("session__number")
    begun = Q(from_session=None) | Q(from_session__number__lte=number)
    left = Q(ended_at__isnull=False) & (Q(until_session=None) | Q(until_session__number__lt=number))
    # A substitute who was named between two sessions comes after the last session of the member before.
    before = Q(replaces__until_session__number__gt=number)
    played_last = Q(
        replaces__until_session__number=number,
        replaces__until_position__gte=F("replaces__until_session__positions"),
    )
    waits = Q(from_session=None, replaces__until_session__isnull=False) & (before | played_last)
    # A member who was replaced before the membership had begun never belonged to the team.
    never = Q(until_session=F("from_session"), until_position__lt=F("from_position"))
    never |= Q(from_session=None, until_session=F("replaces__until_session")) & Q(
        until_position__lte=F("replaces__until_position")
    )
    members = TeamMember.objects.filter(begun, team=OuterRef("team"), player__in=players).exclude(left)
    return Q(Exists(members.exclude(waits).exclude(never).order_by()), team__isnull=False)


def find_entries(players: Iterable[Any]) -> QuerySet[Entrant]:
    """Return the entrants by which these players (ids) played: as themselves, as stand-ins, or in a team."""
    own = Q(player__in=players) | Q(stand_in__in=players)
    return Entrant.objects.filter(own | is_team_of(players)).order_by()
