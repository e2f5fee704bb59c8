"""Lays a report out for pages: feuilles de route, the list of étuis. Rankings: `ranking_pages`; an étui: `parts.board`.

The public pages and the director's live view show the same partials from these contexts; neither the report's origin
nor who may read it is known here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from texts.decimals import round_half
from tournaments.models import Tournament
from tournaments.publication.report import FeuilleLine, Report

BAR, GAP = 10, 2  # width of a bar in the chart of notes, and the space beside it


def is_weighted(report: Report) -> bool:
    """Whether attack and defence are told apart and weighed: with an imposed contract, not in a free auction."""
    return bool(report.data["auction"] == Tournament.Auction.IMPOSED)


@dataclass(frozen=True, slots=True)
class FeuilleRow:
    """One étui of a feuille de route. `role` is attack, defence, or empty where nobody took."""

    line: FeuilleLine
    role: str


@dataclass(frozen=True, slots=True)
class FeuilleStop:
    """What a player played in one position, with who sat at his table there: (line, player) of the three others."""

    position: int
    table: int
    others: list[tuple[str, dict[str, Any]]]
    rows: list[FeuilleRow]


@dataclass(frozen=True, slots=True)
class NoteBar:
    """One note in the chart, in units of the view box: above the middle where it is over 50."""

    x: int
    y: int
    height: int
    row: FeuilleRow


def feuille_page(report: Report, player: dict[str, Any]) -> dict[str, Any]:
    """A player's feuille de route, with his neighbours in the classement général."""
    rows = [feuille_row(line, player) for line in report.feuille(player["id"])]
    place = report.players.index(player)
    bars = list(note_bars(rows))
    return {
        "report": report,
        "player": player,
        "stops": list(feuille_stops(rows, player)),
        "bars": bars,
        "fixed": any(row.line.fixed for row in rows),
        "chart_width": bars[-1].x + BAR if bars else 0,
        "before": report.players[place - 1] if place else None,
        "after": report.players[place + 1] if place + 1 < len(report.players) else None,
        "ranks": True,
        "weighted": is_weighted(report),
    }


def feuille_row(line: FeuilleLine, player: dict[str, Any]) -> FeuilleRow:
    taker = line.play["taker_player"]
    return FeuilleRow(line, "" if taker is None else "attack" if taker["id"] == player["id"] else "defence")


def feuille_stops(rows: Sequence[FeuilleRow], player: dict[str, Any]) -> Iterator[FeuilleStop]:
    def place(row: FeuilleRow) -> tuple[int, int, dict[str, int]]:
        return row.line.play["position"], row.line.play["table"], row.line.play["seats"]

    for (position, table, seats), group in groupby(rows, key=place):
        stop = list(group)
        players = stop[0].line.play["players"]
        others = [(line, players[line]) for line, entrant in seats.items() if entrant != player["id"]]
        yield FeuilleStop(position, table, others, stop)


def note_bars(rows: Sequence[FeuilleRow]) -> Iterator[NoteBar]:
    """Bars from the middle line of a box 100 high; a note of 50 is a mark two units high. Positions stand apart."""
    x, position = 0, None
    for row in rows:
        if position is not None:
            x += BAR + (GAP if row.line.play["position"] == position else 3 * GAP)
        position = row.line.play["position"]
        if row.line.note is not None:
            note = round_half(row.line.note)
            yield NoteBar(x, min(50, 100 - note) - (note == 50), max(abs(note - 50), 2 * (note == 50)), row)


def boards_page(report: Report) -> dict[str, Any]:
    """Every étui with the best and the worst base score it brought, None where nothing counts."""
    boards = []
    for etui in report.data["etuis"]:
        scores = [play["base_score"] for play in etui["plays"] if play["base_score"] is not None]
        boards.append(
            {"etui": etui, "best": max(scores, default=None), "worst": min(scores, default=None), "count": len(scores)}
        )
    played = any(etui["plays"] for etui in report.data["etuis"])
    return {"report": report, "boards": boards, "played": played, "weighted": is_weighted(report)}
