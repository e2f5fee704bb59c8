"""Lays a report out for pages: rows with their ranks and decimals, charts. An étui is laid out by `parts.board`.

The public pages and the director's live view show the same partials from these contexts; neither the report's origin
nor who may read it is known here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

from clubs.names import plain
from deals.domain.cards import LINES
from texts.decimals import round_half
from tournaments.models import Tournament
from tournaments.publication.report import FeuilleLine, Report
from tournaments.words.messages import say_ties

ALTERNE, GENERAL, LINE, SECTIONS = "alterne", "general", "line", "sections"
RANK = {ALTERNE: "rank_alterne", GENERAL: "rank_general", LINE: "rank_line", SECTIONS: "rank_general"}
ALL = "all"
A_PART = 200  # rows of a long ranking that are shown at once
PARTS = {ALL, *map(str, range(1, 101))}
BAR, GAP = 10, 2  # width of a bar in the chart of notes, and the space beside it


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A player's line in a ranking. `places`: decimals that tell his percentage from his neighbours'."""

    player: dict[str, Any]
    rank: int | None
    places: int
    found: bool
    opens_group: bool

    @property
    def is_first(self) -> bool:
        return self.rank is not None and self.rank <= 3


@dataclass(frozen=True, slots=True)
class RankingTable:
    by: str
    line: str
    rows: list[RankingRow]


@dataclass(frozen=True, slots=True)
class RankingPart:
    """A stretch of a long ranking, by the places in its table that it holds, the first being 1."""

    name: str
    first: int
    last: int


def asked_of_ranking(asked: Mapping[str, str]) -> dict[str, str]:
    """What an address asks of `ranking_page`."""
    return {
        "by": asked.get("by", ""),
        "wanted": asked.get("q", "").strip()[:80],
        "part": asked.get("part", ""),
    }


def ranking_page(report: Report, *, by: str = ALTERNE, wanted: str = "", part: str = "") -> dict[str, Any]:
    """The tables of one ranking: a single one, or one a line. `wanted` is part of a name, whose rows are marked.

    A long ranking comes in parts: the one asked for, or where the first of those found stands, or the first; all of
    it where that is asked for.
    """
    by = by if by in RANK and (by != SECTIONS or report.together) else ALTERNE
    if by == LINE:
        tables = [RankingTable(by, line, list(ranking_rows(report.line(line), by, wanted))) for line in LINES]
    else:
        whole = report.together if by == SECTIONS else report.general()
        players = report.alterne() if by == ALTERNE else whole
        tables = [RankingTable(by, "", list(ranking_rows(players, by, wanted)))]
    parts = parts_of(tables)
    shown = next((one for one in parts if one.name == part), None)
    if parts and shown is None and part != ALL:
        shown = next((one for one in parts if wanted and any(row.found for row in rows_in(tables, one))), parts[0])
    return {
        "report": report,
        "by": by,
        "wanted": wanted,
        "tables": [replace(table, rows=table.rows[shown.first - 1 : shown.last]) for table in tables]
        if shown
        else tables,
        "parts": parts,
        "part": shown,
        "found": [row for table in tables for row in table.rows if row.found],
        "any_unranked": any(player["unranked"] for player in report.players),
        "told_apart": say_ties(ties) if (ties := report.data.get("ties")) else "",
        "weighted": is_weighted(report),
    }


def parts_of(tables: Sequence[RankingTable]) -> list[RankingPart]:
    """None where all rows together are few."""
    if sum(len(table.rows) for table in tables) <= A_PART:
        return []
    longest, size = max(len(table.rows) for table in tables), A_PART // len(tables)
    return [
        RankingPart(str(number), first, min(first + size - 1, longest))
        for number, first in enumerate(range(1, longest + 1, size), start=1)
    ]


def rows_in(tables: Sequence[RankingTable], part: RankingPart) -> list[RankingRow]:
    return [row for table in tables for row in table.rows[part.first - 1 : part.last]]


def is_weighted(report: Report) -> bool:
    """Whether attack and defence are told apart and weighed: with an imposed contract, not in a free auction."""
    return bool(report.data["auction"] == Tournament.Auction.IMPOSED)


def ranking_rows(players: Sequence[dict[str, Any]], by: str, wanted: str) -> Iterator[RankingRow]:
    places = decimals([player["overall"] for player in players])
    looked_for = plain(wanted).split()
    for index, player in enumerate(players):
        before = players[index - 1] if index else player
        yield RankingRow(
            player=player,
            rank=player[RANK[by]],
            places=places[index],
            found=bool(looked_for) and all(word in plain(player["name"]) for word in looked_for),
            opens_group=(by == ALTERNE and before["rank_line"] != player["rank_line"])
            or (player["rank_general"] is None and before["rank_general"] is not None),
        )


def decimals(values: Sequence[Fraction | None]) -> list[int]:
    """One decimal for each value; two where it differs from a neighbour that would read the same."""
    places = [1] * len(values)
    for index, (one, other) in enumerate(pairwise(values)):
        if one is not None and other is not None and one != other and tenths(one) == tenths(other):
            places[index] = places[index + 1] = 2
    return places


def tenths(value: Fraction) -> int:
    return round_half(value, 1)


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
