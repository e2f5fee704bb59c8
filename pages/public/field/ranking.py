"""The layout of a field's ranking: one part of it, of all clubs or of one, in one of several orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from clubs.names import simplify_name
from pages.parts.ranking_rows import RankingRow, place_rows
from pages.ranking_pages import A_PART, ALL, MOST_FOUND, RankingPart, RankingQuery, hidden_columns, make_heads
from rankings.columns import SORTS, RankingColumn, ValueKind
from rankings.publication.order import arrange, choose_podium, read_sort, shared_ranks, sorts_of
from rankings.rows import LINES_IN_ORDER
from rankings.simultaneous.field.report import ALTERNE, GENERAL, FieldReport
from scoring.plays import LINES

Data = Mapping[str, Any]

RANKS = {GENERAL: "rank_general", ALTERNE: "rank_alterne"}
VIEWS = {GENERAL, ALTERNE, *map(str, LINES)}


def read_stored(column: RankingColumn, row: Data) -> Any:
    """Return the value of a stored row by which a column is sorted. Names are not stored."""
    if column.kind is ValueKind.SEAT:
        return LINES_IN_ORDER.index(row["line"]), row["number"]
    value = row[column.name]
    return Fraction(value) if isinstance(value, str) else value


FIELD_SORTS = sorts_of(SORTS)


class StoredRow(NamedTuple):
    """A stored row of the ranking with its rank, to be sorted."""

    rank: int | None
    row: Data


@dataclass(frozen=True, slots=True)
class FieldQuery(RankingQuery):
    """The query parameters of a field's ranking: those of every ranking, and the slug of a club."""

    club: str = ""


def lay_out_field(report: FieldReport, asked: FieldQuery, *, most: int | None = None) -> dict[str, Any]:
    """Return the template context for a part of a field's ranking, by at most five queries.

    `most` is the largest number of rows, or None for all of the part.
    """
    offered = VIEWS if report.has_alterne else VIEWS - {ALTERNE}
    by = asked.by if asked.by in offered else report.reference
    clubs = report.list_clubs()
    session = next((each for each, choice in clubs.items() if choice.slug == asked.club), None)
    rows = report.order_rows(by, session)
    rank = RANKS.get(by, "rank_line")
    found = report.find_entrants_by_name(asked.wanted) if asked.wanted else set()
    columns = make_heads(report.shape, asked, hidden=hidden_columns(by))
    heads = {head.name: head.column for head in columns}
    sort = read_sort(asked.sort, heads)
    firsts = choose_podium(rows, lambda row: row[rank])
    if sort:
        stored = [StoredRow(row[rank], row) for row in rows]
        rows = sort_stored_rows(report, stored, heads[sort.column], descending=sort.descending)
    parts = list_parts(len(rows))
    part = choose_part(parts, rows, found, asked)
    shown = rows[part.first - 1 : part.last] if part else rows[:most]
    shared = shared_ranks(row[rank] for row in rows)
    players: list[Any] = report.show(shown)
    placed = place_rows([(getattr(player, rank), player) for player in players])
    marked = [
        replace(row, found=player.id in found, shared=row.rank in shared)
        for player, row in zip(players, placed, strict=True)
    ]
    return {
        "by": by,
        "has_lines": report.has_alterne,
        "clubs": list(clubs.values()),
        "asked_club": asked.club if session else "",
        "rows": marked,
        "columns": columns,
        "cells": [head.column for head in columns if head.is_plain],
        "sort": str(sort) if sort else "",
        "podium": place_shown(report, firsts, rank),
        "parts": parts,
        "part": part,
        "wanted": asked.wanted,
        "found": place_shown(report, [row for row in rows if row["id"] in found][:MOST_FOUND], rank),
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


def sort_stored_rows(
    report: FieldReport, placed: Sequence[StoredRow], column: RankingColumn, *, descending: bool
) -> list[Data]:
    """Return the rows sorted by a column. Unranked players come last. Sorting by name takes one query."""
    names: Mapping[int, str] = {}
    if column.kind is ValueKind.NAME:
        names = {player.id: simplify_name(player.name) for player in report.show(each.row for each in placed)}

    def value_of(placed: StoredRow) -> Any:
        if column.kind is ValueKind.PLACE:
            return placed.rank
        return names[placed.row["id"]] if names else read_stored(column, placed.row)

    return [each.row for each in arrange(placed, value_of, descending=descending)]


def place_shown(report: FieldReport, rows: Sequence[Data], rank: str) -> list[RankingRow]:
    """Return these stored rows as rows of the page, with names. It takes one query, and none without rows."""
    players: list[Any] = report.show(rows) if rows else []
    return place_rows([(getattr(player, rank), player) for player in players])
