"""The template tags for ranks and names in rankings.

A page may have hundreds of rows, so they are fast: no templates.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from pages.parts.ranking_rows import RankingRow
from rankings.columns import RankingColumn, ValueKind
from rankings.kinds import RankingPlace
from rankings.listing import kind_of
from rankings.ranking import RankedMember, RankedRow, Ranking
from tournaments.models import Version
from tournaments.words.figures import decimal, percent
from wording.figures import NONE

register = template.Library()
SHARED = '<span class="shared">{} <span class="shared-word">{}</span></span>'


@register.simple_tag
def show_rank(row: RankingRow) -> SafeString | str:
    """Return the rank of a row, and the word "tied" if others share it, as HTML."""
    if not row.shared:
        return str(row.rank or NONE)
    return format_html(SHARED, row.rank, pgettext("shares a rank", "tied"))


@register.simple_tag
def ranking_title(version: Version) -> str:
    """Return the title of the ranking to which a published version belongs, for all kinds of rankings."""
    return kind_of(version).title(version)


@register.simple_tag
def ranking_place(version: Version) -> RankingPlace:
    """Return the paths of a published version and of the ranking to which it belongs."""
    return kind_of(version).place(version)


@register.simple_tag(takes_context=True)
def paper_address(context: template.Context) -> str:
    """Return the address of the PDF with the view that the page shows: of the same club, and of the same version."""
    shown = context["shown_ranking"]
    place = shown.place
    version = shown.version.version if shown.is_replaced and not place.names.numbered else ""
    wanted = {"by": context["by"], "club": context["asked_club"], "version": version}
    query = urlencode({name: value for name, value in wanted.items() if value})
    return f"{place.paper}?{query}" if query else str(place.paper)


@register.simple_tag
def show_figure(ranking: Ranking[Any], figure: Fraction | None, places: int = 2) -> str:
    """Return a figure by which the players of this ranking are ranked: points without the sign of per cent."""
    return decimal(figure, places) if ranking.shape.points else percent(figure, places)


@register.simple_tag
def show_cells(columns: Sequence[RankingColumn], player: RankedRow) -> SafeString:
    """Return the cells of a player's row in these columns as HTML. The columns need nothing but their values."""
    return SafeString("".join(show_cell(column, player) for column in columns))


@register.simple_tag
def show_cell(column: RankingColumn, player: RankedRow) -> SafeString:
    """Return the cell of a player's row in a column that needs nothing but its value, as HTML."""
    counted = column.kind in (ValueKind.RANK, ValueKind.WHOLE)
    flags = {"num": not column.is_text, "wide-only": column.wide, "quiet": counted}
    classes = " ".join(name for name, holds in flags.items() if holds)
    return SafeString(f'<td class="{classes}">{write_value(column.kind, column.read_value(player))}</td>')


def write_value(kind: ValueKind, value: Any) -> str:
    """Return the value of a plain column as HTML."""
    match kind:
        case ValueKind.RANK:
            return str(value or NONE)
        case ValueKind.NOTE:
            return escape(percent(value))
        case ValueKind.EXACT:
            return escape(decimal(value))
        case _:
            return escape(str(value))


@register.simple_tag
def show_members(player: RankedRow) -> SafeString | str:
    """Return the names of a team's members as HTML, each as the member is shown; "" for a single player."""
    if not player.team:
        return ""
    names = ((mark_owner(one), one.name) for one in player.members)
    told = format_html_join(", ", "<span{}>{}</span>", names)
    return format_html('<span class="quiet members">{}</span>', told)


def mark_owner(member: RankedMember) -> SafeString | str:
    """Return the attribute by which a phone finds its reader, or "" for a member who is not shown by name."""
    return format_html(' data-player="{}"', member.known_as) if member.known_as else ""


@register.simple_tag(takes_context=True)
def show_name(context: template.Context, player: RankedRow, feuille: str = "") -> SafeString:
    """Return a player's name in a ranking, as HTML.

    The name is a link to `feuille` if that is given, else to the player's own page if there is one.
    """
    name = player.name
    if feuille and not player.elsewhere:
        return format_html('<a href="{}" data-who>{}</a>', feuille, name)
    if player.team:
        return format_html("<span data-who>{}</span>", name)
    club = context.get("club")
    if player.named and not (club and club.is_practice):
        return format_html('<a href="{}" data-who>{}</a>', reverse("player", args=(player.known_as,)), name)
    return format_html("<span data-who>{}</span>", name)
