"""Lays rankings out for pages: a session's in its tables, a tournament's with a column a round; sorted by any column,
long ones in parts. The public pages and the directors' show the same partials from these contexts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.models import Player
from clubs.names import plain
from deals.domain.cards import LINES
from scoring.ties import share_ranks
from texts.decimals import round_half
from tournaments.events.report import TournamentReport
from tournaments.publication.former import Former
from tournaments.publication.order import Sort, arrange, podium_of, read_sort, shared_ranks, sorts_of
from tournaments.publication.report import Report
from tournaments.web.report_pages import is_weighted
from tournaments.words.messages import say_ties

ALTERNE, GENERAL, LINE, SECTIONS, CATEGORY = "alterne", "general", "line", "sections", "category"
RANK = {ALTERNE: "rank_alterne", GENERAL: "rank_general", LINE: "rank_line", SECTIONS: "rank_general"}
VIEWS = {*RANK, CATEGORY}
LEAST_OF_CATEGORY = 3
GROUPS = [  # by the field of a player
    *(("category", str(group), group.label) for group in Player.Category),
    *(("series", str(group), group.label) for group in Player.Series),
    *(("ladies", str(group), group.label) for group in Player.Ladies),
]
ALL = "all"
A_PART = 200  # rows of a long ranking that are shown at once
PARTS = {ALL, *map(str, range(1, 101))}
MOST_FOUND = 20  # of those who have the name that is looked for
MOST_ROUNDS = 200

Person = dict[str, Any]
Value = Callable[["RankingRow"], Any]


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A player's line in a ranking. `places`: decimals that tell his percentage from his neighbours'. `shared`: whether
    others have his rank."""

    player: Person
    rank: int | None
    places: int
    found: bool
    shared: bool
    opens_group: bool

    @property
    def figure(self) -> Fraction | None:
        """What he is ranked by."""
        value: Fraction | None = self.player["overall" if "overall" in self.player else "total"]
        return value

    @property
    def is_first(self) -> bool:
        return self.rank is not None and self.rank <= 3


@dataclass(frozen=True, slots=True)
class RankingTable:
    """`line`: that of its players; `title`: what else they have in common."""

    rows: list[RankingRow]
    line: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class RankingPart:
    """A stretch of a long ranking, by the places in its table that it holds, the first being 1."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head. `name`: what an address calls it. `short`: its label where there is no room. `sort`: what a
    press on it asks for, None for the order of ranks; `sorted`: how it stands, as `aria-sort` says it. `wide`: not seen
    on a phone."""

    name: str
    label: str
    short: str
    sort: str | None
    sorted: str
    wide: bool
    round: Mapping[str, Any] | None = None

    @property
    def is_text(self) -> bool:
        return self.name in ("name", "seat")


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks of a ranking: which one, part of a name (its rows are marked), the part of a long one, the
    order, the player whose part is to be shown."""

    by: str = ""
    wanted: str = ""
    part: str = ""
    sort: str = ""
    me: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "Asked":
        by, part, sort, me = (given.get(name, "") for name in ("by", "part", "sort", "me"))
        return cls(by, given.get("q", "").strip()[:80], part, sort, me)


def figure(name: str) -> Value:
    return lambda row: row.player[name]


def in_round(place: int) -> Value:
    def value(row: RankingRow) -> Any:
        result = row.player["results"][place]
        return result and result["overall"]

    return value


def seat(row: RankingRow) -> tuple[str, int, int]:
    return row.player.get("section", ""), LINES.index(row.player["line"]), row.player["number"]


UPWARDS: dict[str, Value] = {  # columns that begin with what is lowest
    "rank": lambda row: row.rank,
    "seat": seat,
    "name": lambda row: plain(row.player["name"]),
    "general": figure("rank_general"),
    "alterne": figure("rank_alterne"),
}
FIGURES = {name: figure(name) for name in ("moved", "deals", "attack", "defence", "overall", "total", "former")}
ROUNDS = {f"s{place}": in_round(place) for place in range(MOST_ROUNDS)}
VALUES = UPWARDS | FIGURES | ROUNDS
SORTS = sorts_of(VALUES)


def ranking_page(report: Report, asked: Asked, former: Former | None = None) -> dict[str, Any]:
    """The tables of one ranking of a session: a single one, or one a line or a category. `former`: the session before,
    told where any of the players was there."""
    met = put_beside(former, [*report.players, *report.together]) if former else False
    categories = by_category(report.players, "rank_general")
    offered = {ALTERNE, GENERAL, LINE, *[SECTIONS] * bool(report.together), *[CATEGORY] * bool(categories)}
    by = asked.by if asked.by in offered else ALTERNE
    if by == LINE:
        tables = [RankingTable(make_rows(ranked(report.line(line), RANK[by])), line=line) for line in LINES]
    elif by == CATEGORY:
        tables = [RankingTable(make_rows(rows), title=title) for title, rows in categories.items()]
    else:
        players = {ALTERNE: report.alterne(), SECTIONS: report.together}.get(by, report.players)
        opens = opens_alterne if by == ALTERNE else opens_unranked
        tables = [RankingTable(make_rows(ranked(players, RANK[by]), opens=opens))]
    weighted = is_weighted(report)
    names = ["rank", "seat", "name", *["general"] * (by not in (GENERAL, SECTIONS)), *["alterne"] * (by != ALTERNE)]
    names += ["deals", *["attack", "defence"] * weighted, "overall", *["former"] * met]
    columns = label_columns(names, asked)
    if met and former:
        short = _("S%(number)s") % {"number": former.session}
        columns[-1] = replace(columns[-1], label=_("Session %(number)s") % {"number": former.session}, short=short)
    return lay_out(tables, columns, asked) | {
        "former": former if met else None,
        "report": report,
        "by": by,
        "categories": categories,
        "any_unranked": any(player["unranked"] for player in report.players),
        "told_apart": say_ties(ties) if (ties := report.data.get("ties")) else "",
        "weighted": weighted,
    }


def put_beside(former: Former, players: Sequence[Person]) -> bool:
    """What each had in the session before, as `former`; whether anybody was there. Who is hidden is not told by it."""
    for player in players:
        player["former"] = former.overall.get(player["known_as"])
    return any(player["former"] is not None for player in players)


def tournament_ranking(report: TournamentReport, asked: Asked) -> dict[str, Any]:
    """The table of a tournament, or one a category."""
    categories = by_category(report.players, "rank")
    by = asked.by if asked.by == CATEGORY and categories else ""
    if by == CATEGORY:
        tables = [RankingTable(make_rows(rows, "total"), title=title) for title, rows in categories.items()]
    else:
        tables = [RankingTable(make_rows(ranked(report.players, "rank"), "total", opens_others))]
    moves = len(report.rounds) > 1 and by != CATEGORY
    names = ["rank", *["moved"] * moves, "name", "total", *list(ROUNDS)[: len(report.rounds)]]
    columns = label_columns(names, asked)
    for place, column in enumerate(columns):
        if column.name == "total" and not report.is_sum:
            columns[place] = replace(column, label=_("Mean"))
        elif column.name in ROUNDS:
            columns[place] = replace(column, round=report.rounds[int(column.name[1:])])
    laid = lay_out(tables, columns, asked)
    return laid | {"report": report, "by": by, "categories": categories, "moves": moves, "is_points": report.is_sum}


Placed = list[tuple[int | None, Person]]


def ranked(players: Sequence[Person], rank: str) -> Placed:
    return [(player[rank], player) for player in players]


def by_category(players: Sequence[Person], rank: str) -> dict[str, Placed]:
    """The ranked of each category of today with at least three of them, by its name, ranked among themselves: by age,
    by the federation's series, and the ladies. Who is hidden has none."""
    found: dict[str, Placed] = {}
    for field, group, label in GROUPS:
        mine = [player for player in players if player.get(field) == group and player[rank] is not None]
        if len(mine) >= LEAST_OF_CATEGORY:
            ranks = share_ranks({place: player[rank] for place, player in enumerate(mine)})
            found[str(label).capitalize()] = [(ranks[place], player) for place, player in enumerate(mine)]
    return found


Opens = Callable[[Person, Person], bool]


def opens_alterne(before: Person, player: Person) -> bool:
    """The firsts of the lines, the seconds, and so on."""
    return bool(before["rank_line"] != player["rank_line"]) or opens_unranked(before, player)


def opens_unranked(before: Person, player: Person) -> bool:
    return player["rank_general"] is None and before["rank_general"] is not None


def opens_others(before: Person, player: Person) -> bool:
    """Those who are not in the final."""
    return bool(before["in_final"] and not player["in_final"])


def make_rows(placed: Placed, figure: str = "overall", opens: Opens = lambda *_: False) -> list[RankingRow]:
    places = decimals([player[figure] for _rank, player in placed])
    shared = shared_ranks(rank for rank, _player in placed)
    return [
        RankingRow(
            player,
            rank,
            places[index],
            found=False,
            shared=rank in shared,
            opens_group=opens(placed[index - 1][1] if index else player, player),
        )
        for index, (rank, player) in enumerate(placed)
    ]


def lay_out(tables: list[RankingTable], columns: list[Column], asked: Asked) -> dict[str, Any]:
    """The tables in the order that is asked for, the part to be shown, whom the reader looks for, the podium."""
    sort = read_sort(asked.sort, [column.name for column in columns])
    podium = podium_of(tables[0].rows) if len(tables) == 1 else []
    tables = [replace(table, rows=list(mark_found(table.rows, asked.wanted))) for table in tables]
    if sort:
        tables = [replace(table, rows=sort_rows(table.rows, sort)) for table in tables]
    parts, found = parts_of(tables), [row for table in tables for row in table.rows if row.found]
    shown = find_part(tables, parts, asked)
    if shown:
        tables = [replace(table, rows=table.rows[shown.first - 1 : shown.last]) for table in tables]
    return {
        "tables": tables,
        "columns": columns,
        "sort": str(sort) if sort else "",
        "wanted": asked.wanted,
        "parts": parts,
        "part": shown,
        "found": found[:MOST_FOUND],
        "more_found": max(0, len(found) - MOST_FOUND),
        "podium": podium,
        "asked_me": asked.me,
        "sheet": sheet_of(tables),
    }


def sheet_of(tables: Sequence[RankingTable]) -> str:
    """How close the lines stand on paper, so that a ranking takes one sheet: a class of ranking.css."""
    lines = sum(len(table.rows) for table in tables)
    if lines > 32:
        return "dense side-by-side" if len(tables) > 1 else "dense"
    return "one-sheet" if lines > 16 else ""


def mark_found(rows: Sequence[RankingRow], wanted: str) -> Iterator[RankingRow]:
    looked_for = plain(wanted).split()
    for row in rows:
        name = plain(row.player["name"])
        found = bool(looked_for) and all(word in name for word in looked_for)
        yield replace(row, found=True) if found else row


def sort_rows(rows: Sequence[RankingRow], sort: Sort) -> list[RankingRow]:
    """Only the unranked still stand apart."""
    listed = arrange(rows, VALUES[sort.column], descending=sort.descending)
    return [
        replace(row, opens_group=row.rank is None and before.rank is not None)
        for before, row in zip([*listed[:1], *listed], listed, strict=False)
    ]


def parts_of(tables: Sequence[RankingTable]) -> list[RankingPart]:
    """None where all rows together are few."""
    if sum(len(table.rows) for table in tables) <= A_PART:
        return []
    longest, size = max(len(table.rows) for table in tables), A_PART // len(tables)
    return [
        RankingPart(str(number), first, min(first + size - 1, longest))
        for number, first in enumerate(range(1, longest + 1, size), start=1)
    ]


def find_part(tables: Sequence[RankingTable], parts: Sequence[RankingPart], asked: Asked) -> RankingPart | None:
    """The one asked for, or where the reader or the first of those found stands, or the first; None for all of it."""
    named = next((part for part in parts if part.name == asked.part), None)
    if not parts or named or asked.part == ALL:
        return named

    def holds(part: RankingPart) -> bool:
        rows = [row for table in tables for row in table.rows[part.first - 1 : part.last]]
        return any(row.found or (asked.me and str(row.player["known_as"]) == asked.me) for row in rows)

    return next(filter(holds, parts), parts[0])


def label_columns(names: Sequence[str], asked: Asked) -> list[Column]:
    """Their heads: a press sorts, the other way where it is sorted so already."""
    sort, labels = read_sort(asked.sort, names) or Sort("rank", descending=False), column_labels()
    columns = []
    for name in names:
        here = name == sort.column
        asks = sort.turned if here else Sort(name, descending=name not in UPWARDS)
        columns.append(
            Column(
                name,
                *labels.get(name, ("", "")),
                sort=None if asks == ("rank", False) else str(asks),
                sorted=("descending" if sort.descending else "ascending") if here else "",
                wide=name not in ("rank", "seat", "moved", "name", "overall", "total"),
            )
        )
    return columns


def column_labels() -> dict[str, tuple[str, str]]:
    """In full, and short where that is too long for its figures."""
    labels = {
        "rank": _("Rank"),
        "name": _("Player"),
        "general": _("Général"),
        "alterne": _("Alterné"),
        "deals": _("Deals"),
        "attack": _("Attack"),
        "defence": _("Defence"),
        "overall": _("Global"),
        "total": _("Total"),
    }
    shortened = {
        "seat": (_("Line and number"), pgettext("number of a line", "No.")),
        "moved": (_("Since the session before"), "▲▼"),
    }
    return {name: (label, "") for name, label in labels.items()} | shortened


def decimals(values: Sequence[Fraction | None]) -> list[int]:
    """One decimal for each value; two where it differs from a neighbour that would read the same."""
    places = [1] * len(values)
    for index, (one, other) in enumerate(pairwise(values)):
        if one is not None and other is not None and one != other and tenths(one) == tenths(other):
            places[index] = places[index + 1] = 2
    return places


def tenths(value: Fraction) -> int:
    return round_half(value, 1)
