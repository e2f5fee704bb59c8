"""The order of the players in a ranking, the ranks that are shared, and the podium."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from clubs.shown import call_in_public
from evenings.reference import has_teams_first
from rankings.publication.teams import name_number, name_teams_in_tournaments
from scoring.formats import INDIVIDUAL, find_format
from tournaments.models import Version
from tournaments.reports.codec import decode, read_exact
from tournaments.reports.session import StoredCompetitor

PLACES = 3
MOST_ON_PODIUM = 6  # the most names on a podium
# The parts of a stored ranking from which its podium follows. A part that it does not have is None.
STORED = ("data__players", "data__together", "data__teams", "data__form", "data__alterne")


class HasRank(Protocol):
    """A row that has a rank, or None if it is unranked."""

    @property
    def rank(self) -> int | None: ...


Row = TypeVar("Row", bound=HasRank)
Anybody = TypeVar("Anybody")


class Sort(NamedTuple):
    """A column to sort by, and the direction. As text: "attack", or "-attack" for the highest first."""

    column: str
    descending: bool

    def __str__(self) -> str:
        return f"-{self.column}" if self.descending else self.column

    @property
    def turned(self) -> "Sort":
        """The sort by the same column in the other direction."""
        return self._replace(descending=not self.descending)


def read_sort(text: str, columns: Collection[str]) -> Sort | None:
    """Return the sort for a text such as "-attack", or None if it names none of the columns."""
    column = text.removeprefix("-")
    return Sort(column, text != column) if column in columns else None


def sorts_of(columns: Iterable[str]) -> set[str]:
    """Return the texts of all possible sorts by these columns, for example {"attack", "-attack"}."""
    return {f"{sign}{column}" for column in columns for sign in ("", "-")}


def arrange(rows: Iterable[Row], value_of: Callable[[Row], Any], *, descending: bool) -> list[Row]:
    """Return the rows sorted by `value_of`. Equal rows keep their order.

    In both directions, rows whose value is None come after the others, and unranked rows come last of all.
    """
    listed = list(rows)
    told = [row for row in listed if value_of(row) is not None]
    untold = [row for row in listed if value_of(row) is None]
    told.sort(key=value_of, reverse=descending)
    return sorted(told + untold, key=lambda row: row.rank is None)


def shared_ranks(ranks: Iterable[int | None]) -> set[int]:
    """Return the ranks that two or more rows have."""
    return {rank for rank, holders in Counter(ranks).items() if rank is not None and holders > 1}


def find_podium_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the ranks 1 to 3, in order. There may be fewer or more than three if ranks are shared."""
    return choose_podium(rows, lambda row: row.rank)


def choose_podium(rows: Iterable[Anybody], rank_of: Callable[[Anybody], int | None]) -> list[Anybody]:
    """Return the rows of the ranks 1 to 3, in order, but at most six rows.

    If there are more than six, the lowest rank is left out with all its rows, then the next one. The list is empty if
    more than six share the first rank.
    """
    held = [(rank, row) for row in rows if (rank := rank_of(row)) is not None and rank <= PLACES]
    held.sort(key=lambda one: one[0])
    while len(held) > MOST_ON_PODIUM:
        last = held[-1][0]
        held = [(rank, row) for rank, row in held if rank != last]
    return [row for _rank, row in held]


class PodiumStep(NamedTuple):
    """A row of the podium: the name of a player, of a player with the substitutes, or of a team.

    Equal players share a rank. `player` is the number of the player's own page, or 0 if there is no such page to link
    to. `overall` is a percentage, or match points.
    """

    rank: int
    name: str
    player: int
    overall: Fraction | None


def choose_firsts(stored: Mapping[str, Any], rank: str, figure: str) -> list[tuple[StoredCompetitor, PodiumStep]]:
    """Return the first rows of a stored ranking, whose steps have no names yet.

    `stored` has its columns as `read_podiums` reads them. The rows are the teams that add up results if these are
    ranked first, then those of all sections, else those of the session. `rank` and `figure` are keys of a row; without
    `figure`, the rows have none.
    """
    format, teams = find_format(stored["data__form"] or INDIVIDUAL.name), stored["data__teams"] or ()
    rows = stored["data__together"] or stored["data__players"]
    if has_teams_first(format, teams):
        rows, rank, figure = teams, "rank", "total"
    return [
        (decode(StoredCompetitor, row), PodiumStep(row[rank], "", 0, format.measure(read_exact(row.get(figure)).value)))
        for row in choose_podium(rows, itemgetter(rank))
    ]


def read_podiums(
    versions: Iterable[Version], find_rank: Callable[[Mapping[str, Any]], str], figure: str = "", **more: Any
) -> dict[int, list[PodiumStep]]:
    """Return the podium of each version by the version's id, as everybody may see it.

    There is at least one version, and all are of one kind. This takes two queries, which read only the rows, and one
    more if teams play. `find_rank` returns the key of a row's rank. It gets the columns STORED and `more`. One of the
    latter, `place`, is the id of the tournament whose teams may play. `figure` is the key of a row's figure.
    """
    listed = list(versions)
    rows = type(listed[0])._default_manager.filter(pk__in=[each.pk for each in listed]).order_by()
    stored = list(rows.annotate(**more).values("pk", *more, *STORED))
    firsts = [(row, *first) for row in stored for first in choose_firsts(row, find_rank(row), figure)]
    called = call_in_public({pk for _row, who, _step in firsts if not who.team for pk in who.people})
    named = name_teams_in_tournaments({(row["place"], who.team) for row, who, _step in firsts if who.team})
    podiums: dict[int, list[PodiumStep]] = {row["pk"]: [] for row in stored}
    for row, who, step in firsts:
        if who.team:
            name = named.get((row["place"], who.team)) or name_number(who.team)
        else:
            name = " / ".join(called[pk].name for pk in who.people)
        own_page = (called[who.people[0]].known_as or 0) if len(who.people) == 1 and not who.team else 0
        podiums[row["pk"]].append(step._replace(name=name, player=own_page))
    return podiums
