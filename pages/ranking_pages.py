"""The layout of rankings for pages: tables of a session, or of a tournament with a column for each round.

Rankings can be sorted by any column, and long ones are shown in parts. The public pages and the directors' pages show
the same templates with these values.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clubs.models import Player
from clubs.names import simplify_name
from evenings.reference import find_reported_reference, has_teams_first
from pages.parts.matches import list_team_matches
from pages.parts.ranking_rows import (
    Placed,
    RankingRow,
    opens_alterne,
    opens_others,
    opens_unranked,
    place_ranked,
    place_rows,
)
from pages.report_pages import is_weighted
from rankings.columns import (
    PAGE,
    PLAIN,
    SORTS,
    Medium,
    RankingColumn,
    RankingShape,
    ValueKind,
    list_columns,
    make_former,
)
from rankings.events.report import TournamentReport
from rankings.publication.order import Sort, arrange, find_podium_rows, read_sort, sorts_of
from rankings.publication.report import Former, Report
from rankings.rows import RankedRow
from scoring.ties import share_ranks
from tournaments.words.figures import say_weights
from tournaments.words.messages import say_ties

ALTERNE, GENERAL, LINE, SECTIONS, CATEGORY = "alterne", "general", "line", "sections", "category"
TEAMS = "teams"  # the teams that add up the marks of their players
RANK = {ALTERNE: "rank_alterne", GENERAL: "rank_general", LINE: "rank_line", SECTIONS: "rank_general"}
VIEWS = {*RANK, CATEGORY, TEAMS}
OVER_SESSIONS = {CATEGORY, TEAMS}  # the views of a tournament, besides that of everybody
LEAST_OF_CATEGORY = 3
GROUPS = [  # (field of a player, value of the field, label)
    *(("category", str(group), group.label) for group in Player.Category),
    *(("series", str(group), group.label) for group in Player.SeriesClass),
    *(("ladies", str(group), group.label) for group in Player.Ladies),
]
ALL = "all"
A_PART = 200  # rows of a long ranking that are shown at once
PARTS = {ALL, *map(str, range(1, 101))}
MOST_FOUND = 20  # players who are listed if the reader looks for a name
MOST_ROUNDS = 200

Value = Callable[[RankingRow], Any]


@dataclass(frozen=True, slots=True)
class RankingTable:
    """A table of a ranking.

    `line` is the line (N, E, S or W) of all its players, or "". `title` is the category of all its players, or "".
    """

    rows: list[RankingRow]
    line: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class RankingPart:
    """A part of a long ranking, given by the first and last place in its table, counted from 1."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class RankingHead:
    """The head of a column.

    `sort` is the order in which a press on the head sorts, as in addresses, or None for the order of ranks. `sorted` is
    the present order, as the attribute `aria-sort` names it, or "".
    """

    column: RankingColumn
    sort: str | None
    sorted: str

    @property
    def name(self) -> str:
        return self.column.in_addresses

    @property
    def is_plain(self) -> bool:
        """True if its cells need nothing but the value, so that `show_cells` draws them."""
        return self.column.kind in PLAIN


@dataclass(frozen=True, slots=True)
class RankingQuery:
    """The query parameters of a ranking's address.

    `by` is the kind of ranking, `part` the part of a long ranking. Rows whose name has the `wanted` text are marked.
    `me` is the id of the player whose part is shown if the address has no `part`.
    """

    by: str = ""
    wanted: str = ""
    part: str = ""
    sort: str = ""
    me: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "RankingQuery":
        by, part, sort, me = (given.get(name, "") for name in ("by", "part", "sort", "me"))
        return cls(by, given.get("q", "").strip()[:80], part, sort, me)


def read_sorted_value(column: RankingColumn) -> Value:
    """Return the function that gives the value of a row by which a column is sorted."""
    if column.kind is ValueKind.PLACE:
        return lambda row: row.rank
    if column.kind is ValueKind.NAME:
        return lambda row: simplify_name(row.player.name)
    return lambda row: column.read_value(row.player)


PAGE_SORTS = sorts_of([*SORTS, *(f"s{place}" for place in range(MOST_ROUNDS))])


def ranking_page(report: Report, asked: RankingQuery, former: Former | None = None, *, alone: bool) -> dict[str, Any]:
    """Return the template context for one ranking of a session: one table, or one for each line or category.

    Without a wish, it is the session's reference. `alone`: the tournament has no other session.
    `former` has the results of the session before. They are shown if any of the players took part in it.
    """
    met = report.add_former(former.overall) if former else False
    categories = by_category(report.players, "rank_general")
    lines = report.has_lines
    offered = {
        *[ALTERNE] * lines,
        GENERAL,
        *[LINE] * lines,
        *[SECTIONS] * bool(report.together),
        *[CATEGORY] * bool(categories),
        *[TEAMS] * bool(report.team_sums),
    }
    by = asked.by if asked.by in offered else str(find_reported_reference(report.data, alone=alone))
    if by != asked.by and shows_teams_first(report):
        by = TEAMS
    if by == LINE:
        ranked = [(line, place_ranked(report.line(line), RANK[by])) for line in report.data.format.lines]
        tables = [RankingTable(place_rows(rows), line=line) for line, rows in ranked]
    elif by == CATEGORY:
        tables = [RankingTable(place_rows(rows), title=title) for title, rows in categories.items()]
    elif by == TEAMS:
        tables = []
    else:
        players = {ALTERNE: report.alterne(), SECTIONS: report.together}.get(by, report.players)
        opens = opens_alterne if by == ALTERNE else opens_unranked
        tables = [RankingTable(place_rows(place_ranked(players, RANK[by]), opens=opens))]
    shape = replace(report.shape, more=[make_former(former.session)]) if met and former else report.shape
    columns = make_heads(shape, asked, hidden=hidden_columns(by))
    laid = lay_out_tables(tables, columns, asked)
    if by == TEAMS:
        laid["podium"] = find_team_podium(report)
    return laid | {
        "former": former if met else None,
        "report": report,
        "team_matches": list_team_matches(report),
        "by": by,
        "categories": categories,
        "any_unranked": any(player.unranked for player in report.players),
        "told_apart": say_ties(ties) if (ties := report.data.ties) else "",
        "weighted": is_weighted(report),
        "with_sections": by == SECTIONS,
        "has_lines": lines,
        "table_weights": say_weights(report.data.weights),
    }


def tournament_ranking(report: TournamentReport, asked: RankingQuery) -> dict[str, Any]:
    """Return the template context for the ranking of a tournament: one table, or one for each category."""
    categories = by_category(report.players, "rank")
    offered = {*[CATEGORY] * bool(categories), *[TEAMS] * bool(report.team_sums)}
    by = asked.by if asked.by in offered else ""
    if shows_teams_first(report) and asked.by not in {GENERAL, *offered}:
        by = TEAMS
    if by == CATEGORY:
        tables = [RankingTable(place_rows(rows), title=title) for title, rows in categories.items()]
    elif by == TEAMS:
        tables = []
    else:
        tables = [RankingTable(place_rows(place_ranked(report.players, "rank"), opens_others))]
    moves = len(report.rounds) > 1 and by != CATEGORY
    columns = make_heads(report.shape, asked, hidden=() if moves else {"moved"})
    laid = lay_out_tables(tables, columns, asked)
    if by == TEAMS:
        laid["podium"] = find_team_podium(report)
    is_points = report.is_sum and report.in_per_cent
    laid |= {"report": report, "by": by, "categories": categories, "moves": moves, "is_points": is_points}
    return laid | {"everybody": GENERAL if shows_teams_first(report) else None}


def shows_teams_first(report: Report | TournamentReport) -> bool:
    """Return whether the ranking of teams is the one that counts, so that a reader sees it first."""
    return has_teams_first(report.data.format, report.team_sums)


def find_team_podium(report: Report | TournamentReport) -> list[RankingRow]:
    """Return the first teams of those that add up the results of their players."""
    teams = [
        RankedRow(name=team.name, named=True, team=team.team, rank=team.rank, total=team.total)
        for team in report.team_sums
    ]
    return find_podium_rows(place_rows(place_ranked(teams, "rank")))


def by_category(players: Sequence[RankedRow], rank: str) -> dict[str, Placed]:
    """Return (rank, player) of the ranked players of each category, by the category's name.

    The categories are by age, the federation's series, and ladies. Ranks are those within the category. A category with
    fewer than three players is left out. Players who are not shown by name have no category.
    """
    found: dict[str, Placed] = {}
    for field, group, label in GROUPS:
        of_group = [player for player in players if getattr(player, field) == group]
        mine = [(held, player) for held, player in place_ranked(of_group, rank) if held is not None]
        if len(mine) >= LEAST_OF_CATEGORY:
            ranks = share_ranks({place: held for place, (held, _player) in enumerate(mine)})
            found[str(label).capitalize()] = [(ranks[place], player) for place, (_held, player) in enumerate(mine)]
    return found


def lay_out_tables(tables: list[RankingTable], columns: list[RankingHead], asked: RankingQuery) -> dict[str, Any]:
    """Return the template context for the tables, sorted and cut as the reader asks, with found rows and the podium."""
    heads = {head.name: head.column for head in columns}
    sort = read_sort(asked.sort, heads)
    podium = find_podium_rows(tables[0].rows) if len(tables) == 1 else []
    tables = [replace(table, rows=list(mark_found(table.rows, asked.wanted))) for table in tables]
    if sort:
        value = read_sorted_value(heads[sort.column])
        tables = [replace(table, rows=sort_rows(table.rows, value, descending=sort.descending)) for table in tables]
    parts, found = parts_of(tables), [row for table in tables for row in table.rows if row.found]
    shown, count = find_part(tables, parts, asked), max((len(table.rows) for table in tables), default=0)
    if shown:
        tables = [replace(table, rows=table.rows[shown.first - 1 : shown.last]) for table in tables]
    return {
        "tables": tables,
        "columns": columns,
        "cells": [head.column for head in columns if head.is_plain],
        "sort": str(sort) if sort else "",
        "wanted": asked.wanted,
        "parts": parts,
        "part": shown,
        "count": count,
        "found": found[:MOST_FOUND],
        "more_found": max(0, len(found) - MOST_FOUND),
        "podium": podium,
        "asked_me": asked.me,
        "sheet": sheet_of(tables),
    }


def sheet_of(tables: Sequence[RankingTable]) -> str:
    """Return the class of ranking.css for printing: it sets the lines closer if the ranking is long."""
    lines = sum(len(table.rows) for table in tables)
    if lines > 32:
        return "dense side-by-side" if len(tables) > 1 else "dense"
    return "one-sheet" if lines > 16 else ""


def mark_found(rows: Sequence[RankingRow], wanted: str) -> Iterator[RankingRow]:
    looked_for = simplify_name(wanted).split()
    for row in rows:
        name = simplify_name(" ".join((row.player.name, *(member.name for member in row.player.members))))
        found = bool(looked_for) and all(word in name for word in looked_for)
        yield replace(row, found=True) if found else row


def sort_rows(rows: Sequence[RankingRow], value: Value, *, descending: bool) -> list[RankingRow]:
    """Return the rows in the order of a value. They form no groups, except that unranked players are a group."""
    listed = arrange(rows, value, descending=descending)
    return [
        replace(row, opens_group=row.rank is None and before.rank is not None)
        for before, row in zip([*listed[:1], *listed], listed, strict=False)
    ]


def parts_of(tables: Sequence[RankingTable]) -> list[RankingPart]:
    """Return the parts of a long ranking, or an empty list if the ranking is short."""
    if sum(len(table.rows) for table in tables) <= A_PART:
        return []
    longest, size = max(len(table.rows) for table in tables), A_PART // len(tables)
    return [
        RankingPart(str(number), first, min(first + size - 1, longest))
        for number, first in enumerate(range(1, longest + 1, size), start=1)
    ]


def find_part(tables: Sequence[RankingTable], parts: Sequence[RankingPart], asked: RankingQuery) -> RankingPart | None:
    """Return the part to show, or None to show all rows.

    It is the part asked for, else the first one with a found row or the reader's own row, else the first part.
    """
    named = next((part for part in parts if part.name == asked.part), None)
    if not parts or named or asked.part == ALL:
        return named

    def holds(part: RankingPart) -> bool:
        rows = [row for table in tables for row in table.rows[part.first - 1 : part.last]]
        return any(row.found or (asked.me and asked.me in known_in(row.player)) for row in rows)

    return next(filter(holds, parts), parts[0])


def known_in(player: RankedRow) -> set[str]:
    """Return the ids, as text, by which a phone recognises its owner in this row.

    They are the ids of the player, or of the members of the team.
    """
    return {str(each.known_as) for each in (player, *player.members)}


def hidden_columns(by: str) -> set[str]:
    """Return the columns that a page leaves out in the order `by`, because the first column has their ranks."""
    return {"general"} if by in (GENERAL, SECTIONS) else {"alterne"} if by == ALTERNE else set()


def make_heads(
    shape: RankingShape, asked: RankingQuery, *, hidden: Container[str] = (), on: Medium = PAGE
) -> list[RankingHead]:
    """Return the heads of the columns of a ranking, without those that are hidden.

    A press on a head sorts the ranking by that column. If it is sorted by it already, a press reverses the order.
    """
    columns = {each.in_addresses: each for each in list_columns(shape, on) if each.in_addresses not in hidden}
    sort = read_sort(asked.sort, columns) or Sort("rank", descending=False)
    heads = []
    for name, column in columns.items():
        here = name == sort.column
        asks = sort.turned if here else Sort(name, descending=not column.up)
        pressed = None if asks == ("rank", False) else str(asks)
        heads.append(RankingHead(column, pressed, ("descending" if sort.descending else "ascending") if here else ""))
    return heads
