"""The layout of a field's ranking: one part of it, of all clubs or of one, in one of several orders."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.plays import LINES
from tournaments.publication.order import shared_ranks
from tournaments.simultaneous.field.report import ALTERNE, GENERAL, FieldReport
from tournaments.web.parts.ranking_rows import RankingRow, place_rows
from tournaments.web.ranking_pages import A_PART, ALL, MOST_FOUND, RankingPart

RANKS = {GENERAL: "rank_general", ALTERNE: "rank_alterne"}
VIEWS = {GENERAL, ALTERNE, *map(str, LINES)}


@dataclass(frozen=True, slots=True)
class FieldQuery:
    """The query parameters of a field's ranking: its order, the slug of a club, the part, a name, the reader's id."""

    by: str = ""
    club: str = ""
    part: str = ""
    wanted: str = ""
    me: str = ""


def lay_out_field(report: FieldReport, asked: FieldQuery) -> dict[str, Any]:
    """Return the template context for a part of a field's ranking, by at most three queries."""
    offered = VIEWS if report.has_alterne else VIEWS - {ALTERNE}
    by = asked.by if asked.by in offered else ALTERNE if report.has_alterne else GENERAL
    clubs = report.list_clubs()
    session = next((each for each, choice in clubs.items() if choice.slug == asked.club), None)
    rows = report.order_rows(by, session)
    rank = RANKS.get(by, "rank_line")
    found = report.find_entrants_by_name(asked.wanted) if asked.wanted else set()
    parts = list_parts(len(rows))
    part = choose_part(parts, rows, found, asked)
    shown = rows[part.first - 1 : part.last] if part else rows
    shared = shared_ranks(row[rank] for row in rows)
    players: list[Any] = report.show(shown)
    placed = place_rows([(getattr(player, rank), player) for player in players])
    marked = [
        replace(row, found=player.id in found, shared=row.rank in shared)
        for player, row in zip(players, placed, strict=True)
    ]
    return {
        "by": by,
        "with_alterne": report.has_alterne,
        "with_general": by != GENERAL,
        "clubs": list(clubs.values()),
        "asked_club": asked.club if session else "",
        "rows": marked,
        "parts": parts,
        "part": part,
        "wanted": asked.wanted,
        "found": list_found(report, rows, found, rank),
        "more_found": max(0, len(found) - MOST_FOUND),
        "asked_me": asked.me,
        "weighted": report.weighted,
        "any_unranked": report.has_unranked(rows),
        "sheet": "dense",
        "count": len(rows),
    }


def list_parts(count: int) -> list[RankingPart]:
    """Return the parts of a long ranking, or an empty list if the ranking is short."""
    if count <= A_PART:
        return []
    return [
        RankingPart(str(number), first, min(first + A_PART - 1, count))
        for number, first in enumerate(range(1, count + 1, A_PART), start=1)
    ]


def choose_part(
    parts: Sequence[RankingPart], rows: Sequence[Any], found: set[int], asked: FieldQuery
) -> RankingPart | None:
    """Return the part asked for, else the first one with a found row or the reader's row, else the first one.

    Return None for all rows.
    """
    named = next((part for part in parts if part.name == asked.part), None)
    if not parts or named or asked.part == ALL:
        return named
    for place, row in enumerate(rows):
        if row["id"] in found or (asked.me and asked.me == str(row["player"])):
            return parts[place // A_PART]
    return parts[0]


def list_found(report: FieldReport, rows: Sequence[Any], found: set[int], rank: str) -> list[RankingRow]:
    """Return the first found players as rows."""
    mine: list[Any] = report.show([row for row in rows if row["id"] in found][:MOST_FOUND])
    return place_rows([(getattr(player, rank), player) for player in mine])
