"""The part of a team's member in each play of the team, by a report: who attacks, who defends, who waits.

It is decided here for pages, papers, mails and careers alike. No database and no language.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from scoring.formats import Format
from tournaments.reports.session import RankedPlayer, ReportedPlay

DEFENDERS = 3


class MemberPart(StrEnum):
    """A part that a member can have in a play of the team.

    WAIT: a team-mate attacked, and the member sat out. AWAY: the member was not in the team then, sat at another table,
    or was not in the line-up of a match. UNKNOWN: nobody took, or the report does not say who defended.
    """

    ATTACK = "attack"
    DEFENCE = "defence"
    WAIT = "wait"
    AWAY = "away"
    UNKNOWN = ""


class SpanOfPositions(Protocol):
    """The time of a member in a team: from position `first` to `last`, or to the end if `last` is None."""

    @property
    def first(self) -> int: ...

    @property
    def last(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class TeamParts:
    """The plays of a team in which the parts of its members can be found.

    `attackers` has the members who attack in each position, in formats in which the team's defenders play at another
    table at the same time. It is None in formats in which they wait.
    """

    team: RankedPlayer
    attackers: Mapping[int, Collection[int]] | None

    def find(
        self, play: ReportedPlay, taker: str | None, own: Collection[int], spans: Iterable[SpanOfPositions]
    ) -> MemberPart:
        """Return the part of a member in a play of the team.

        `taker` is the seat that takes, which is known from the étui even if nobody played. `own` are all ids of the
        member in the club's list, `spans` the memberships that the report has for them.
        """
        attacks = bool(taker) and play.seats.get(taker or "") == self.team.id
        if attacks and play.attacker in own:
            return MemberPart.ATTACK
        if play.defenders:
            defends = not attacks and any(pk in play.defenders for pk in own)
            return MemberPart.DEFENCE if defends else MemberPart.AWAY
        if not any(is_there(each, play.position) for each in spans):
            return MemberPart.AWAY
        if not taker:
            return MemberPart.UNKNOWN
        if self.attackers is None:
            return MemberPart.WAIT if attacks else MemberPart.DEFENCE
        elsewhere = self.find_attackers(play.position)
        if attacks or any(pk in elsewhere for pk in own):
            return MemberPart.AWAY
        defenders = {
            each.place for each in self.team.members if each.player not in elsewhere and is_there(each, play.position)
        }
        return MemberPart.DEFENCE if len(defenders) <= DEFENDERS else MemberPart.UNKNOWN

    def find_attackers(self, position: int) -> Collection[int]:
        """Return the players who attack for the team in a position.

        Without an attack there, return those of the last attack before it or, failing that, of the first after it.
        """
        attackers = self.attackers or {}
        before = [each for each in attackers if each <= position]
        return attackers.get(max(before) if before else min(attackers, default=0), ())


def is_there(member: SpanOfPositions, position: int) -> bool:
    """Return whether the membership includes the position."""
    return member.first <= position and (member.last is None or position <= member.last)


def read_team_parts(format: Format, team: RankedPlayer, plays: Iterable[ReportedPlay]) -> TeamParts:
    """Return the parts of the team's members. `plays` are all plays of the team."""
    taker = format.find_taker("")
    if taker is None:
        return TeamParts(team, None)
    attackers: dict[int, set[int]] = {}
    for play in plays:
        if play.attacker and play.seats[taker] == team.id:
            attackers.setdefault(play.position, set()).add(play.attacker)
    return TeamParts(team, attackers)
