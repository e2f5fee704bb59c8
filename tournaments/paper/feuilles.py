"""Each player's feuille de route on paper, from what is published: his figures, his étuis, and his own link.

Half a page each, to be cut and handed out. It carries no card.
"""

from collections.abc import Callable
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from deals.domain.cards import LINES
from tournaments.models import Session, Tournament
from tournaments.paper.pdf import Code, draw_code, set_sheets
from tournaments.plans.evening_plan import SessionHeading
from tournaments.publication.report import FeuilleLine, Report
from tournaments.words.figures import decimal, percent
from tournaments.words.messages import label, sign

FIXED = "§"  # beside a note that the arbiter has fixed, as on the pages


def feuilles(session: Session, report: Report, *, language: str, link_of: Callable[[int], Code]) -> bytes:
    """In the order of the lines and numbers, each headed by whose it is, though he be hidden in what is public.
    `link_of` gives a player's link by his entrant's id."""
    tournament = session.tournament
    heading = SessionHeading(
        club=tournament.club.name,
        tournament=tournament.name,
        session=session.number,
        date=session.date,
        imposed=tournament.auction == Tournament.Auction.IMPOSED,
    )
    players = sorted(report.players, key=lambda player: (LINES.index(player["line"]), player["number"]))
    people = session.entrants.select_related("player", "stand_in").in_bulk()
    with translation.override(language):
        words = {
            "feuille": _("Feuille de route"),
            "feuille_columns": [_("Position"), _("Table"), _("Étui"), _("Role"), _("Score"), _("Note")],
            "mine": _("Your results, and what is wrong with them"),
            "fixed": _("§ The arbiter has fixed this note; it does not come from the topage."),
        }
        pages = [
            page_of(report, player, link_of(player["id"])) | {"name": people[player["id"]].name} for player in players
        ]
    return set_sheets("feuilles", heading, language, words, {"pages": pages})


def page_of(report: Report, player: dict[str, Any], link: Code) -> dict[str, Any]:
    lines = report.feuille(player["id"])
    return {
        "line": player["line"],
        "number": player["number"],
        "link": draw_code(link),
        "figures": figures_of(player, weighted=report.data["auction"] == Tournament.Auction.IMPOSED),
        "rows": [row_of(line, player) for line in lines],
        "fixed": any(line.fixed for line in lines),
    }


def figures_of(player: dict[str, Any], *, weighted: bool) -> list[list[str]]:
    """Return the player's figures as words and values: attack and defence where the étui names the taker, and what
    penalties or bonuses have changed, since the percentages contain them."""
    parts = [[_("Attack"), percent(player["attack"], 2)], [_("Defence"), percent(player["defence"], 2)]]
    return [
        [_("Global"), percent(player["overall"], 2)],
        *(parts if weighted else []),
        *penalty_of(player),
        [_("Rank, alterné"), str(player["rank_alterne"] or "–")],
        [_("Rank, général"), str(player["rank_general"] or "–")],
    ]


def penalty_of(player: dict[str, Any]) -> list[list[str]]:
    """Return the points taken off or added, worded as on the player's page; nothing without any."""
    if not player["penalty"]:
        return []
    if player["penalty"] < 0:
        return [[_("Bonus, already added"), f"+{decimal(-player['penalty'], 2)}"]]
    return [[_("Penalty, already taken off"), f"−{decimal(player['penalty'], 2)}"]]


def row_of(line: FeuilleLine, player: dict[str, Any]) -> list[str]:
    play = line.play
    taker, score = play["taker_player"], play["base_score"]
    if taker is not None:
        role = _("Attack") if taker["id"] == player["id"] else _("against %(taker)s") % {"taker": taker["name"]}
    else:
        role = _("everyone passed") if score is not None else label("state", play["state"])
    place = [str(play["position"]), str(play["table"]), str(line.etui["number"])]
    note = f"{FIXED} {percent(line.note)}" if line.fixed else percent(line.note)
    return [*place, role, "–" if score is None else sign(score), note]
