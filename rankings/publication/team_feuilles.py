"""The feuille de route of a member of a team: the plays in which the member attacked, defended or waited.

It is made from a report.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rankings.publication.report import FeuilleLine, PlayedEvening
from rankings.ranking import RankedMember, RankedRow
from scoring.formats import MatchPoints, Unit
from tournaments.reports.parts import MemberPart, TeamParts, read_team_parts
from tournaments.words.figures import percent, show_penalty


class MemberLine(NamedTuple):
    """A play of the team in which the member took part or waited, with what the member did.

    The note is the team's. It counts for the member who attacked, and for those who defended.
    """

    line: FeuilleLine
    part: MemberPart


@dataclass(frozen=True, slots=True)
class MemberFeuille:
    """The plays of a member of a team in a session, in the order of play.

    `in_points` is True if they are scored in match points, which attack and defence win together.
    """

    team: RankedRow
    member: RankedMember
    lines: Sequence[MemberLine]
    in_points: bool = False

    def list_in(self, part: MemberPart) -> list[FeuilleLine]:
        """Return the plays in which the member had this part."""
        return [each.line for each in self.lines if each.part == part]

    def count_in(self, part: MemberPart) -> int:
        """Return the number of deals that count in which the member had this part. Annulled deals do not count."""
        return sum(each.part == part and each.line.counts for each in self.lines)

    def mean_in(self, part: MemberPart) -> Fraction | None:
        """Return the mean of the notes in this part, the sum if they are match points, or None without notes."""
        notes = [line.note for line in self.list_in(part) if line.note is not None]
        if not notes:
            return None
        total = sum(notes, Fraction())
        return MatchPoints(total) if isinstance(notes[0], MatchPoints) else total / len(notes)


class MemberFigure(NamedTuple):
    """A figure of a member's feuille, in the active language: what it is, and its value."""

    word: str
    value: str


def list_member_figures(mine: MemberFeuille, *, ranked: bool) -> list[MemberFigure]:
    """Return the figures of a member, and those of the team. Without `ranked`, there is no rank.

    A penalty is the team's. Match points belong to the whole team, so attack and defence have only numbers of deals.
    """
    team = mine.team
    figures = []
    for word, part in ((_("Attack"), MemberPart.ATTACK), (_("Defence"), MemberPart.DEFENCE)):
        deals = count_deals(mine.count_in(part))
        if not mine.in_points:
            figures.append(MemberFigure(f"{word} ({deals})", percent(mine.mean_in(part), 2)))
        elif mine.list_in(part):
            figures.append(MemberFigure(word, deals))
    if not mine.in_points:
        waited = pgettext("a member of the attacking team", "Waited")
        figures.append(MemberFigure(waited, count_deals(len(mine.list_in(MemberPart.WAIT)))))
    figures.append(MemberFigure(_("The team"), percent(team.overall, 2)))
    if penalty := show_penalty(team.penalty):
        figures.append(MemberFigure(*penalty))
    if ranked and team.line:
        figures.append(MemberFigure(_("Rank, alterné"), str(team.rank_alterne or "–")))
    if ranked:
        figures.append(MemberFigure(_("Rank, général"), str(team.rank_general or "–")))
    return figures


def count_deals(count: int) -> str:
    return ngettext("%(n)s deal", "%(n)s deals", count) % {"n": count}


def find_parts_of_team(report: PlayedEvening, team: RankedRow, lines: Sequence[FeuilleLine]) -> TeamParts:
    """Return the parts of the team's members. `lines` are the team's plays."""
    stored = next(each for each in report.data.players if each.id == team.id)
    return read_team_parts(report.data.format, stored, (line.play for line in lines))


def list_member_feuilles(report: PlayedEvening, team: RankedRow) -> list[MemberFeuille]:
    """Return the feuilles of all members of a team, in the order of their places."""
    lines = report.feuille(team.id)
    parts = find_parts_of_team(report, team, lines)
    found = []
    for member in team.members:
        mine = [MemberLine(line, parts.find(line.play, line.etui.taker, (member.player,), (member,))) for line in lines]
        shown = [each for each in mine if each.part not in (MemberPart.AWAY, MemberPart.UNKNOWN)]
        found.append(MemberFeuille(team, member, shown, in_points=report.unit is Unit.MATCH_POINTS))
    return found
