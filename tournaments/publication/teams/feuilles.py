"""The feuille de route of a member of a team: the plays in which the member attacked, defended or waited.

It is made from a report.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scoring.formats import MatchPoints
from tournaments.publication.report import FeuilleLine, Report, ShownMember, ShownPlayer
from tournaments.teams.membership import MemberSpan

ATTACKS, DEFENDS, WAITS = "attack", "defence", "wait"


class MemberLine(NamedTuple):
    """A play of the team while the member belonged to it, and the member's part: attack, defence or waiting.

    The note is the team's. It counts for the member who attacked, and for those who defended.
    """

    line: FeuilleLine
    part: str


@dataclass(frozen=True, slots=True)
class MemberFeuille:
    """The plays of a member of a team in a session, in the order of play."""

    team: ShownPlayer
    member: ShownMember
    lines: Sequence[MemberLine]

    def list_in(self, part: str) -> list[FeuilleLine]:
        """Return the plays in which the member had this part."""
        return [each.line for each in self.lines if each.part == part]

    def mean_in(self, part: str) -> Fraction | None:
        """Return the mean of the notes in this part, None without notes."""
        notes = [line.note for line in self.list_in(part) if line.note is not None]
        return measure_mean(notes)


def measure_mean(notes: Sequence[Fraction]) -> Fraction | None:
    """Return the mean of the notes in their unit, or None without notes. For match points, return their sum."""
    if not notes:
        return None
    if isinstance(notes[0], MatchPoints):
        return MatchPoints(sum(notes, Fraction()))
    return sum(notes, Fraction()) / len(notes)


def read_member_feuille(team: ShownPlayer, member: ShownMember, lines: Sequence[FeuilleLine]) -> MemberFeuille:
    """Return the member's feuille. `lines` is the team's feuille.

    If another member of the team attacked in a play, this member waited in that play.
    """
    span = MemberSpan(member.first, member.last)
    mine = [
        MemberLine(line, find_part(team, member, line))
        for line in lines
        if span.has(line.play.position) or line.play.attacker == member.player
    ]
    return MemberFeuille(team, member, mine)


def find_part(team: ShownPlayer, member: ShownMember, line: FeuilleLine) -> str:
    if line.play.seats.get(line.etui.taker) != team.id:
        return DEFENDS
    return ATTACKS if line.play.attacker == member.player else WAITS


def list_member_feuilles(report: Report, team: ShownPlayer) -> list[MemberFeuille]:
    """Return the feuilles of all members of a team, in the order of their places."""
    lines = report.feuille(team.id)
    return [read_member_feuille(team, member, lines) for member in team.members]
