"""The feuilles de route of the members of teams on paper: half a page each, with what the member did étui by étui.

No cards are shown.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.models import Player
from outgoing.paper.feuilles import set_pages, write_row
from outgoing.paper.pdf import Code, draw_code_cells
from rankings.publication.report import PlayedEvening
from rankings.publication.team_feuilles import (
    MemberFeuille,
    MemberLine,
    list_member_feuilles,
    list_member_figures,
)
from scoring.formats import Format
from tournaments.models import Session, TeamMember
from tournaments.reports.parts import MemberPart
from tournaments.words.messages import label
from tournaments.words.team_plans import badges_of, say_badge
from wording.figures import NONE

Owners = Mapping[tuple[int, int], TeamMember]


def member_feuilles(session: Session, report: PlayedEvening, *, language: str, link_of: Callable[[int], Code]) -> bytes:
    """Return the feuilles of all members as a PDF, by team and badge.

    They show each member's own full name, also if it is hidden in public, because each member gets only their own.
    `link_of` returns the personal link by the id of the membership.
    """
    owners = read_owners(session)

    def find_link(mine: MemberFeuille) -> Code:
        owner = owners.get((mine.team.id, mine.member.player))
        return link_of(owner.pk) if owner else Code()

    def find_name(mine: MemberFeuille) -> str:
        owner = owners.get((mine.team.id, mine.member.player))
        return owner.player.is_now.name if owner else mine.member.name

    return set_member_pages(session, report, language, find_name, find_link, ranked=True)


def public_member_feuilles(session: Session, report: PlayedEvening, *, language: str, ranked: bool) -> bytes:
    """Return the PDF for everybody: with the names that the report shows, and without personal links.

    If `ranked` is false, it has no ranks.
    """
    return set_member_pages(session, report, language, lambda mine: mine.member.name, None, ranked=ranked)


def read_owners(session: Session) -> Owners:
    """Return the memberships of the session's teams by (entrant's id, player's id), by three queries.

    A report can have the id that a player had before a merge, so each membership stands under all ids of its player.
    """
    entrants: dict[int, int] = dict(session.entrants.exclude(team=None).values_list("team_id", "pk"))
    members = list(TeamMember.objects.filter(team__in=entrants).select_related("player__merged_into").order_by("pk"))
    kept = {pk for member in members for pk in (member.player_id, member.player.merged_into_id) if pk}
    merged = Player.objects.filter(merged_into__in=kept).values_list("pk", "merged_into")
    ids: dict[int, set[int]] = {pk: {pk} for pk in kept}
    for pk, into in merged:
        ids[into or pk].add(pk)
    return {
        (entrants[member.team_id], pk): member
        for member in members
        for pk in {member.player_id, *ids[member.player.merged_into_id or member.player_id]}
    }


def set_member_pages(
    session: Session,
    report: PlayedEvening,
    language: str,
    name_of: Callable[[MemberFeuille], str],
    link_of: Callable[[MemberFeuille], Code] | None,
    *,
    ranked: bool,
) -> bytes:
    teams = sorted(report.players, key=lambda player: player.seat_order)
    with translation.override(language):
        pages = [
            write_page(mine, report.data.format, ranked=ranked)
            | {"name": name_of(mine), "link": draw_code_cells(link_of(mine)) if link_of else None}
            for team in teams
            for mine in list_member_feuilles(report, team)
        ]
    return set_pages(session, language, pages)


def write_page(mine: MemberFeuille, format: Format, *, ranked: bool) -> dict[str, Any]:
    """Return the data of one member's feuille for the layout, without the name and the link."""
    team, badge = mine.team, say_badge(mine.member.place, badges_of(format.name))
    return {
        "line": "",
        "number": team.number,
        "players": f"{team.name} · {badge}" if badge else team.name,
        "figures": [[*figure] for figure in list_member_figures(mine, ranked=ranked)],
        "rows": [write_row(each.line, say_role(each)) for each in mine.lines],
        "fixed": any(each.line.fixed for each in mine.lines),
    }


def say_role(each: MemberLine) -> str:
    """Return what the member did, in words. For a play without a score, its state stands beside it."""
    play = each.line.play
    who = play.attacking.name if play.attacking else ""
    if each.part is MemberPart.ATTACK:
        role = _("Attack")
    elif each.part is MemberPart.UNKNOWN:
        role = NONE
    elif each.part is not MemberPart.WAIT:
        role = _("against %(taker)s") % {"taker": who} if who else _("Defence")
    else:
        role = (
            _("waits, %(name)s attacks") % {"name": who} if who else pgettext("a member of the attacking team", "waits")
        )
    return f"{role}, {label('state', play.state)}" if play.base_score is None else role
