"""The feuille de route of a team's member for pages, and the rows of the members on the feuille of their team."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from pages.report_pages import FeuilleRow, feuille_stops
from rankings.publication.report import PlayedEvening
from rankings.publication.team_feuilles import MemberFeuille, list_member_feuilles, list_member_figures
from rankings.ranking import RankedMember, RankedRow
from tournaments.reports.parts import MemberPart
from tournaments.words.team_plans import badges_of, say_badge


@dataclass(frozen=True, slots=True)
class TeamMemberRow:
    """A member of a team with what the member did in a session.

    `number` is the member's place in the list of the feuille, from 1. `badge` is the colour as a word. `positions` says
    when the member played, as text; "" for the whole session. `etuis` are those that the member attacked. `attack` and
    `defence` are the means of the notes.
    """

    number: int
    member: RankedMember
    badge: str
    positions: str
    etuis: list[int]
    attack: Fraction | None
    defence: Fraction | None

    @property
    def about(self) -> str:
        """The colour and the positions in one text: "white, from position 3"."""
        return ", ".join(filter(None, (self.badge, self.positions)))


def list_member_rows(report: PlayedEvening, player: RankedRow) -> list[TeamMemberRow]:
    """Return a row for each member of the team, in the order of the badges; [] for a single player."""
    if not player.team:
        return []
    return make_member_rows(report, list_member_feuilles(report, player))


def make_member_rows(report: PlayedEvening, feuilles: Sequence[MemberFeuille]) -> list[TeamMemberRow]:
    badges = badges_of(report.data.format.name)
    colours = [say_badge(mine.member.place, badges) for mine in feuilles]
    return [make_member_row(number, *row) for number, row in enumerate(zip(feuilles, colours, strict=True), start=1)]


def make_member_row(number: int, mine: MemberFeuille, badge: str) -> TeamMemberRow:
    return TeamMemberRow(
        number=number,
        member=mine.member,
        badge=badge,
        positions=say_positions(mine.member),
        etuis=[line.etui.number for line in mine.list_in(MemberPart.ATTACK)],
        attack=mine.mean_in(MemberPart.ATTACK),
        defence=mine.mean_in(MemberPart.DEFENCE),
    )


def say_positions(member: RankedMember) -> str:
    """Return in words in which positions the member played; "" for the whole session."""
    if member.last is not None and member.first == member.last:
        return _("position %(position)s") % {"position": member.first}
    if member.last is not None:
        return _("positions %(first)s to %(last)s") % {"first": member.first, "last": member.last}
    return _("from position %(first)s") % {"first": member.first} if member.first > 1 else ""


def is_member_number(value: str, _stamp: Any = None) -> bool:
    """Return whether the value can be the number of a member in an address."""
    return value in map(str, range(1, 100))


def member_page(report: PlayedEvening, player: RankedRow, number: int, *, ranked: bool = True) -> dict[str, Any] | None:
    """Return the template context for the feuille of a member, None if the team has no member with this number.

    Without `ranked`, there is no rank.
    """
    if not player.team or not 1 <= number <= len(player.members):
        return None
    feuilles = list_member_feuilles(report, player)
    rows = make_member_rows(report, feuilles)
    mine, member = feuilles[number - 1], rows[number - 1]
    shown = [FeuilleRow(each.line, each.part, waits=each.part is MemberPart.WAIT) for each in mine.lines]
    return {
        "report": report,
        "player": player,
        "member": member,
        "figures": list_member_figures(mine, ranked=ranked),
        "in_points": mine.in_points,
        "subject": f"{member.member.name} ({player.name})",
        "member_rows": rows,
        "stops": list(feuille_stops(shown, player)),
        "fixed": any(row.line.fixed for row in shown),
    }
