"""The layout of rankings of every kind for pages, frames and papers: their views, their tables, and the columns.

Rankings can be sorted by any column, and long ones are shown in parts. The public pages and the directors' pages show
the same templates with these values.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.models import Player
from clubs.names import simplify_name
from pages.parts.etui import ListPart, parts_of
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
from rankings import columns
from rankings.columns import (
    PAGE,
    PLAIN,
    SORTS,
    RankingColumn,
    RankingShape,
    ValueKind,
    list_columns,
)
from rankings.publication.order import Sort, arrange, find_podium_rows, read_sort, sorts_of
from rankings.publication.report import Former, PlayedEvening
from rankings.ranking import RankedRow, Ranking
from scoring.plays import LINES
from scoring.ties import share_ranks
from tournaments.words.figures import say_weights
from tournaments.words.formats import say_word
from tournaments.words.messages import label, say_ties

ALTERNE, GENERAL, LINE, SECTIONS, CATEGORY = "alterne", "general", "line", "sections", "category"
TEAMS = "teams"  # the teams that add up the marks of their players
RANK = {ALTERNE: "rank_alterne", GENERAL: "rank_general", LINE: "rank_line", SECTIONS: "rank_general"}
VIEWS = {*RANK, CATEGORY, TEAMS, *map(str, LINES)}
ORDERS = {ALTERNE, GENERAL, SECTIONS}
LEAST_OF_CATEGORY = 3
GROUPS = [  # (field of a player, value of the field, name)
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


IN_ADDRESSES = ("by", "part", "sort", "me", "club")


@dataclass(frozen=True, slots=True)
class RankingQuery:
    """The query parameters of a ranking's address.

    `by` is the kind of ranking, `part` the part of a long ranking. Rows whose name has the `wanted` text are marked.
    `me` is the id of the player whose part is shown if the address has no `part`. `club` is the slug of a club, where
    several are compared.
    """

    by: str = ""
    wanted: str = ""
    part: str = ""
    sort: str = ""
    me: str = ""
    club: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "RankingQuery":
        return cls(wanted=given.get("q", "").strip()[:80], **{name: given.get(name, "") for name in IN_ADDRESSES})


def read_sorted_value(column: RankingColumn) -> Value:
    """Return the function that gives the value of a row by which a column is sorted."""
    if column.kind is ValueKind.PLACE:
        return lambda row: row.rank
    if column.kind is ValueKind.NAME:
        return lambda row: simplify_name(row.player.name)
    return lambda row: column.read_value(row.player)


PAGE_SORTS = sorts_of([*SORTS, *(f"s{place}" for place in range(MOST_ROUNDS))])


class RankingTab(NamedTuple):
    """A view of a ranking that a reader can choose. `key` is its name in addresses, `by` that of its tab."""

    key: str
    by: str | None
    label: columns.Text


def lay_out_ranking(ranking: Ranking[Any], asked: RankingQuery, *, most: int | None = None) -> dict[str, Any]:
    """Return the template context for one view of a ranking: one table, or one for each line or category.

    Without a wish, it is the ranking's reference, or that of the teams if it is the one that counts. `most` is the
    largest number of rows of a table.
    """
    session = next((each for each, club in ranking.clubs.items() if club.slug == asked.club), None)
    ranking = name_where_needed(ranking.of_session(session), asked)
    categories = list_categories(ranking)
    tabs = list_tabs(ranking, categories)
    by = choose_view(ranking, [tab.key for tab in tabs], asked)
    heads = make_heads(ranking.shape, asked, hidden=hidden_columns(by))
    laid = lay_out_tables(list_tables(ranking, by, categories), heads, asked, most)
    if by == TEAMS:
        laid["podium"] = find_podium_rows(place_rows(place_ranked(ranking.team_sums, "rank")))
    if ranking.names_late:
        name_shown(ranking, laid)
    return laid | {
        "ranking": ranking,
        "by": by,
        "tabs": tabs if len(tabs) > 1 or not ranking.shape.over_steps else [],
        "asked_club": asked.club if session else "",
        "clubs_to_choose": [("", _("All clubs")), *((each.slug, each.name) for each in ranking.clubs.values())],
        "hidden": {"by": by} | ({"sort": laid["sort"]} if laid["sort"] else {}),
        "any_unranked": any(row.unranked for row in ranking.rows),
        "moves": any(head.name == "moved" for head in heads),
    }


def ranking_page(
    report: PlayedEvening, asked: RankingQuery, former: Former | None = None, *, alone: bool
) -> dict[str, Any]:
    """Return the template context for one view of the ranking of a session, and what is said below it.

    `alone`: the tournament has no other session. `former` has the results of the session before. They are shown if any
    of the players took part in it.
    """
    ranking = report.rank(alone=alone, former=former)
    laid = lay_out_ranking(ranking, asked)
    return laid | {
        "former": former if ranking.shape.more else None,
        "report": report,
        "caption": say_word(report.data.format.name, f"by_{laid['by']}", {}) if laid["by"] in ORDERS else "",
        "team_matches": list_team_matches(report),
        "told_apart": say_ties(ties) if (ties := report.data.ties) else "",
        "table_weights": say_weights(report.data.weights),
    }


def name_where_needed(ranking: Ranking[Any], asked: RankingQuery) -> Ranking[Any]:
    """Return the ranking with the names on which its layout depends: of everybody, of the reader's own row, or none."""
    if not ranking.names_late:
        return ranking
    if asked.wanted or asked.sort.removeprefix("-") == "name":
        return replace(ranking, rows=ranking.show(ranking.rows))
    mine = {row.id: row for row in ranking.show(row for row in ranking.rows if asked.me == str(row.player))}
    return replace(ranking, rows=[mine.get(row.id, row) for row in ranking.rows])


def name_shown(ranking: Ranking[Any], laid: dict[str, Any]) -> None:
    """Put the names into the rows that the page shows: in tables, on the podium, and those that were looked for."""
    tables = laid["tables"]
    rows = [row.player for listed in (laid["podium"], laid["found"], *(each.rows for each in tables)) for row in listed]
    named = {row.id: row for row in ranking.show({row.id: row for row in rows}.values())}

    def name(listed: Sequence[RankingRow]) -> list[RankingRow]:
        return [replace(row, player=named[row.player.id]) for row in listed]

    laid["tables"] = [replace(table, rows=name(table.rows)) for table in tables]
    laid |= {listed: name(laid[listed]) for listed in ("podium", "found")}


def list_categories(ranking: Ranking[Any]) -> dict[str, Placed]:
    """Return the ranked players of each category by its name, and those who are new in a series if they are several."""
    if ranking.names_late:
        return {}
    rank = "rank" if ranking.shape.over_steps else "rank_general"
    found = by_category(ranking.rows, rank)
    new = [(row.rank, row) for row in ranking.rows if row.new and row.rank is not None]
    if LEAST_OF_CATEGORY <= len(new) < len(ranking.rows):
        found[_("New members")] = share_places(new)
    return found


def list_tabs(ranking: Ranking[Any], categories: Mapping[str, Placed]) -> list[RankingTab]:
    """Return the views that a ranking has, in the order of their tabs."""
    shape = ranking.shape
    alterne = RankingTab(ALTERNE, ALTERNE, columns.ALTERNE.label)
    general = RankingTab(GENERAL, GENERAL, columns.GENERAL.label)
    if shape.over_steps and not ranking.has_teams_first:
        general = RankingTab("", None, columns.GENERAL.label)
    category = RankingTab(CATEGORY, CATEGORY, _("By category"))
    teams = RankingTab(TEAMS, TEAMS, pgettext("a ranking", "Teams"))
    sections = RankingTab(SECTIONS, SECTIONS, _("All sections"))
    lines = [RankingTab(LINE, LINE, columns.BY_LINE.label)] if shape.lines else []
    if shape.clubs and ranking.format is not None:
        lines = [RankingTab(str(line), str(line), label("line", line)) for line in ranking.format.lines]
    return [
        *[alterne] * shape.lines,
        general,
        *lines,
        *[category] * bool(categories),
        *[teams] * bool(ranking.team_sums),
        *[sections] * bool(ranking.together),
    ]


def choose_view(ranking: Ranking[Any], offered: Sequence[str], asked: RankingQuery) -> str:
    """Return the view that is asked for, if the ranking has it, else the one that it shows first."""
    if asked.by in offered:
        return asked.by
    return TEAMS if ranking.has_teams_first else str(ranking.reference)


def list_tables(ranking: Ranking[Any], by: str, categories: Mapping[str, Placed]) -> list[RankingTable]:
    """Return the tables of a view. There is none if it shows the teams that add up the results of their players."""
    if by == TEAMS:
        return []
    if by == CATEGORY:
        return [RankingTable(place_rows(rows), title=title) for title, rows in categories.items()]
    if by == LINE and ranking.format is not None:
        lines = [(line, place_ranked(ranking.list_of_line(line), RANK[by])) for line in ranking.format.lines]
        return [RankingTable(place_rows(rows), line=line) for line, rows in lines]
    if ranking.shape.over_steps:
        return [RankingTable(place_rows(place_ranked(ranking.rows, "rank"), opens_others))]
    if by in LINES:
        return [RankingTable(place_rows(place_ranked(ranking.list_of_line(by), RANK[LINE])))]
    opens = opens_alterne if by == ALTERNE and not ranking.clubs else opens_unranked  # not for hundreds of groups
    return [RankingTable(place_rows(place_ranked(ranking.order(by), RANK[by]), opens=opens))]


def by_category(players: Sequence[RankedRow], rank: str) -> dict[str, Placed]:
    """Return (rank, player) of the ranked players of each category, by the category's name.

    The categories are by age, the federation's series, and ladies. Ranks are those within the category. A category with
    fewer than three players is left out. Players who are not shown by name have no category.
    """
    found: dict[str, Placed] = {}
    for field, group, name in GROUPS:
        of_group = [player for player in players if getattr(player, field) == group]
        mine = [(held, player) for held, player in place_ranked(of_group, rank) if held is not None]
        if len(mine) >= LEAST_OF_CATEGORY:
            found[str(name).capitalize()] = share_places(mine)
    return found


def share_places(ranked: Sequence[tuple[int, RankedRow]]) -> Placed:
    """Return rows of a ranking with their ranks among themselves."""
    ranks = share_ranks({place: held for place, (held, _row) in enumerate(ranked)})
    return [(ranks[place], row) for place, (_held, row) in enumerate(ranked)]


def lay_out_tables(
    tables: list[RankingTable], shown_heads: list[RankingHead], asked: RankingQuery, most: int | None
) -> dict[str, Any]:
    """Return the template context for the tables, sorted and cut as the reader asks, with found rows and the podium."""
    heads = {head.name: head.column for head in shown_heads}
    sort = read_sort(asked.sort, heads)
    podium = find_podium_rows(tables[0].rows) if len(tables) == 1 else []
    tables = [replace(table, rows=list(mark_found(table.rows, asked.wanted))) for table in tables]
    if sort:
        value = read_sorted_value(heads[sort.column])
        tables = [replace(table, rows=sort_rows(table.rows, value, descending=sort.descending)) for table in tables]
    lengths, found = [len(table.rows) for table in tables], [row for table in tables for row in table.rows if row.found]
    longest = max(lengths, default=0)
    parts = parts_of(longest, A_PART // len(tables)) if sum(lengths) > A_PART else []
    shown = find_part(tables, parts, asked)
    if shown or most:
        cut = slice(shown.first - 1, shown.last) if shown else slice(most)
        tables = [replace(table, rows=table.rows[cut]) for table in tables]
    return {
        "tables": tables,
        "columns": shown_heads,
        "cells": [head.column for head in shown_heads if head.is_plain],
        "sort": str(sort) if sort else "",
        "wanted": asked.wanted,
        "parts": parts,
        "part": shown,
        "count": longest,
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


def find_part(tables: Sequence[RankingTable], parts: Sequence[ListPart], asked: RankingQuery) -> ListPart | None:
    """Return the part to show, or None to show all rows.

    It is the part asked for, else the first one with a found row or the reader's own row, else the first part.
    """
    named = next((part for part in parts if part.name == asked.part), None)
    if not parts or named or asked.part == ALL:
        return named

    def holds(part: ListPart) -> bool:
        rows = [row for table in tables for row in table.rows[part.first - 1 : part.last]]
        return any(row.found or (asked.me and asked.me in known_in(row.player)) for row in rows)

    return next(filter(holds, parts), parts[0])


def known_in(player: RankedRow) -> set[str]:
    """Return the ids, as text, by which a phone recognises its owner in this row.

    They are the ids of the player, or of the members of the team.
    """
    return {str(each.known_as) for each in (player, *player.members)}


def hidden_columns(by: str) -> set[str]:
    """Return the columns that a page leaves out in a view: its first column has their ranks, or they tell nothing."""
    if by == CATEGORY:
        return {"moved"}
    return {"general"} if by in (GENERAL, SECTIONS) else {"alterne"} if by == ALTERNE else set()


def make_heads(shape: RankingShape, asked: RankingQuery, *, hidden: Container[str] = ()) -> list[RankingHead]:
    """Return the heads of the columns of a ranking, without those that are hidden.

    A press on a head sorts the ranking by that column. If it is sorted by it already, a press reverses the order.
    """
    listed = {each.in_addresses: each for each in list_columns(shape, PAGE) if each.in_addresses not in hidden}
    sort = read_sort(asked.sort, listed) or Sort("rank", descending=False)
    heads = []
    for name, column in listed.items():
        here = name == sort.column
        asks = sort.turned if here else Sort(name, descending=not column.up)
        pressed = None if asks == ("rank", False) else str(asks)
        heads.append(RankingHead(column, pressed, ("descending" if sort.descending else "ascending") if here else ""))
    return heads
