"""The sessions in which members of teams played: from the members to the entrants of their teams, and back."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from evenings.teams.membership import JOINS, MemberSpan, find_span
from tournaments.models import Entrant, Session, TeamMember


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
