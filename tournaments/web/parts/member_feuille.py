"""The feuille de route of a team's member for pages, and the rows of the members on the feuille of their team."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from tournaments.publication.report import Report, ShownMember, ShownPlayer
from tournaments.publication.teams.feuilles import (
    ATTACKS,
    DEFENDS,
    WAITS,
    MemberFeuille,
    list_member_feuilles,
    read_member_feuille,
)
from tournaments.web.report_pages import FeuilleRow, feuille_stops
from tournaments.words.teams.badges import BADGES, say_badge


@dataclass(frozen=True, slots=True)
class TeamMemberRow:
    """A member of a team with what the member did in a session.

    `number` is the member's place in the list of the feuille, from 1. `badge` is the colour as a word, and `code` its
    name in style sheets. `positions` says when the member played, as text; "" for the whole session. `attack` and
    `defence` are the means of the notes.
    """

    number: int
    member: ShownMember
    badge: str
    code: str
    positions: str
    etuis: list[int]
    attack: Fraction | None
    defences: int
    defence: Fraction | None
    waits: int

    @property
    def about(self) -> str:
        """The colour and the positions in one text: "white, from position 3"."""
        return ", ".join(filter(None, (self.badge, self.positions)))


def list_member_rows(report: Report, player: ShownPlayer) -> list[TeamMemberRow]:
    """Return a row for each member of the team, in the order of the badges; [] for a single player."""
    if not player.team:
        return []
    badges = report.data.format.has_badges
    feuilles = list_member_feuilles(report, player)
    return [make_row(number, mine, badges=badges) for number, mine in enumerate(feuilles, start=1)]


def make_row(number: int, mine: MemberFeuille, *, badges: bool) -> TeamMemberRow:
    place = mine.member.place if badges else 0
    return TeamMemberRow(
        number=number,
        member=mine.member,
        badge=say_badge(place) if place in BADGES else "",
        code=BADGES[place].value if place in BADGES else "",
        positions=say_positions(mine.member),
        etuis=[line.etui.number for line in mine.list_in(ATTACKS)],
        attack=mine.mean_in(ATTACKS),
        defences=len(mine.list_in(DEFENDS)),
        defence=mine.mean_in(DEFENDS),
        waits=len(mine.list_in(WAITS)),
    )


def say_positions(member: ShownMember) -> str:
    """Return in words in which positions the member played; "" for the whole session."""
    if member.last is not None and member.first == member.last:
        return _("position %(position)s") % {"position": member.first}
    if member.last is not None:
        return _("positions %(first)s to %(last)s") % {"first": member.first, "last": member.last}
    return _("from position %(first)s") % {"first": member.first} if member.first > 1 else ""


def is_member_number(value: str, _stamp: Any = None) -> bool:
    """Return whether the value can be the number of a member in an address."""
    return value in map(str, range(1, 100))


def member_page(report: Report, player: ShownPlayer, number: int) -> dict[str, Any] | None:
    """Return the template context for the feuille of a member.

    Return None if the team has no member with this number. Return None too if the members of a team do not attack in
    turn by badges, because then nobody knows who attacked which étui.
    """
    if not report.data.format.has_badges or not 1 <= number <= len(player.members):
        return None
    member = player.members[number - 1]
    mine = read_member_feuille(player, member, report.feuille(player.id))
    rows = [FeuilleRow(each.line, each.part) for each in mine.lines]
    return {
        "report": report,
        "player": player,
        "member": make_row(number, mine, badges=True),
        "badges": True,
        "subject": f"{member.name} ({player.name})",
        "member_rows": list_member_rows(report, player),
        "stops": list(feuille_stops(rows, player)),
        "fixed": any(row.line.fixed for row in rows),
        "ranks": True,
    }
