"""The feuilles de route on paper, made from a publication: each player's figures, plays and personal link.

Each player gets half a page, to cut out and hand out. No cards are shown.
"""

from collections.abc import Callable
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from deals.domain.cards import LINES
from outgoing.paper.pdf import Code, draw_code_cells, make_heading, set_sheets
from rankings.publication.report import FeuilleLine, PlayedEvening
from rankings.ranking import RankedMember, RankedRow
from tournaments.models import Session
from tournaments.words.figures import percent, show_penalty
from tournaments.words.formats import say_word
from tournaments.words.messages import show_signed
from tournaments.words.rulings import say_deal_role
from tournaments.words.team_plans import BADGES, say_badge

FIXED = "§"  # sign of a note that the arbiter has fixed, as on the pages


def feuilles(session: Session, report: PlayedEvening, *, language: str, link_of: Callable[[int], Code]) -> bytes:
    """Return the feuilles of all players as a PDF, sorted by line and starting number.

    They show full names, also of players whose name is hidden in public: each player gets only their own. `link_of`
    returns the player's personal link by the id of the entrant. A team has none, only its members have.
    """
    people = session.entrants.select_related("player", "stand_in", "team").in_bulk()
    return set_feuilles(
        session,
        report,
        language,
        lambda player: page_of(report, player, link_of(player.id)) | {"name": people[player.id].name},
    )


def public_feuilles(session: Session, report: PlayedEvening, *, language: str, ranked: bool) -> bytes:
    """Return the PDF for everybody: with the names that the report shows, and without personal links.

    If `ranked` is false, it has no ranks.
    """
    return set_feuilles(
        session,
        report,
        language,
        lambda player: page_of(report, player, Code(), ranked=ranked) | {"name": player.name},
    )


def set_feuilles(
    session: Session, report: PlayedEvening, language: str, make_page: Callable[[RankedRow], dict[str, Any]]
) -> bytes:
    """Return the PDF with the page that `make_page` returns for each player, sorted by line and number."""
    players = sorted(report.players, key=lambda player: player.seat_order)
    with translation.override(language):
        pages = [make_page(player) for player in players]
    return set_pages(session, language, pages)


def set_pages(session: Session, language: str, pages: list[dict[str, Any]]) -> bytes:
    """Return the PDF with these pages."""
    with translation.override(language):
        words = {
            "feuille": _("Feuille de route"),
            "feuille_columns": name_columns(session.tournament.format),
            "mine": _("Your results, and how to report a mistake"),
            "fixed": _("§ The arbiter has fixed this note; it does not come from the topage."),
        }
    return set_sheets("feuilles", make_heading(session), language, words, {"pages": pages}).typeset()


def name_columns(format: str) -> list[str]:
    """Return the heads of the columns, in the words of the format with this name."""
    position, etui, note = (say_word(format, each) for each in ("position_head", "etui_head", "note_head"))
    return [position, _("Table"), etui, _("Role"), _("Score"), note]


def page_of(report: PlayedEvening, player: RankedRow, link: Code, *, ranked: bool = True) -> dict[str, Any]:
    """Return the data of one player's feuille for the layout. Without `ranked` it has no ranks."""
    lines, figures = report.feuille(player.id), figures_of(player, report)
    ranks = count_ranks(player)
    return {
        "line": player.line if player.line in LINES else "",
        "players": ", ".join(map(call_member, player.members)),
        "number": player.number,
        "link": draw_code_cells(link),
        "figures": figures if ranked else figures[:-ranks],
        "rows": list(map(row_of, lines)),
        "fixed": any(line.fixed for line in lines),
    }


def call_member(member: RankedMember) -> str:
    """Return a member's name with the colour of the badge: "Ada Roux (blue)"."""
    return f"{member.name} ({say_badge(member.place)})" if member.place in BADGES else member.name


def figures_of(player: RankedRow, report: PlayedEvening) -> list[list[str]]:
    """Return the player's figures as pairs of name and value.

    Attack and defence are included if they are weighted, as with an imposed contract. Penalties and bonuses are
    included because they are part of the total.
    """
    parts = [[_("Attack"), percent(player.attack, 2)], [_("Defence"), percent(player.defence, 2)]]
    return [
        [say_word(report.data.format.name, "figure_head"), percent(player.overall, 2)],
        *(parts if report.ranking.shape.weighted else []),
        *([[*penalty]] if (penalty := show_penalty(player.penalty)) else []),
        *([[_("Rank, alterné"), str(player.rank_alterne or "–")]] if player.line else []),
        [_("Rank, général"), str(player.rank_general or "–")],
    ]


def count_ranks(player: RankedRow) -> int:
    """Return how many of the player's figures are ranks, the last ones. Without lines there is no alterné."""
    return 2 if player.line else 1


def row_of(line: FeuilleLine) -> list[str]:
    """Return the cells of one play for the layout."""
    play = line.play
    who = play.attacking or play.taker_player
    role = say_deal_role(line.role, taker=who.name if who else "", covers=play.covers, state=play.state)
    if not line.role and play.base_score is not None:
        role = _("everyone passed")
    elif play.attacking and line.seat == play.taker:
        role = f"{role}, {play.attacking.name}"
    return write_row(line, role)


def write_row(line: FeuilleLine, role: str) -> list[str]:
    """Return the cells of one play for the layout. `role` is the text about what the player did."""
    play, score = line.play, line.play.base_score
    place = [str(play.position), str(play.table), str(line.deal)]
    note = f"{FIXED} {percent(line.note)}" if line.fixed else percent(line.note)
    return [*place, role, "–" if score is None else show_signed(score), note]
