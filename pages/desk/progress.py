"""The progress of a session under way as the desk shows it: the grid, the plays to look at, and the late results.

The grid has a row for each position and a column for each table. Helpers do not get what only directors may see.
"""

import datetime as dt
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import FilteredRelation, Q
from django.utils.functional import cached_property

from clubs.models import User
from evenings.glance import SessionGlance
from evenings.plays.desk_state import (
    MISSING,
    ODD,
    RINGING,
    STATES,
    TO_LOOK_AT,
    DeskPlay,
    desk_plays_for,
    find_plays_to_look_at,
    hidden_elsewhere,
)
from evenings.plays.free import count_unseated_after
from evenings.requests.reading import requests_in
from evenings.standings.computing import is_session_fresh
from pages.desk.settled import settled_of
from tournaments.models import Session, SessionStandings, Table
from tournaments.prepared import PreparedValues

ALL, LOOK = "", "look"
FILTERS = {ALL: frozenset(STATES), LOOK: TO_LOOK_AT, ODD: frozenset({ODD})}
# with more tables, the desk first shows only the parts that need the director, and fetches the rest on request
LARGE = 25
MOST_LOOKED_AT = 50  # plays that are listed in a large hall
FEW_TABLES = 8  # the most tables that fit side by side on a laptop; with more, one position is shown at a time
WAITING = frozenset({"started", "later", "unconfirmed"}) | TO_LOOK_AT
# The sign of each state, drawn if there is no room for its name.
SHAPES = {
    "missing": "·", "started": "…", "later": "→", "unconfirmed": "○", "disputed": "!", "check_etui": "▲",
    "odd": "?", "done": "✓", "not_played": "–", "annulled": "×",
}  # fmt: skip


class OpenCall(NamedTuple):
    """A call for the arbiter that waits for an answer: its table and reason, and the play and étui that it is about."""

    called_at: dt.datetime
    pk: int
    table: int
    play: int | None
    etui: int | None
    reason: str


class TablesNow(NamedTuple):
    """The state of a session's tables.

    `revisions` holds the revision of each table, by id. `last_calls` holds the position of each table's last call, by
    number. `calls` are the open calls for the arbiter. `requests` is the number of corrections that players ask for.
    """

    revisions: dict[int, int]
    last_calls: dict[int, int]
    calls: list[OpenCall]
    requests: int


OPEN_CALL = FilteredRelation("calls", condition=Q(calls__answered_at=None))
OF_CALL = ("call__called_at", "call__pk", "number", "call__play", "call__play__etui__number", "call__reason")
TABLES = PreparedValues(
    lambda session: (
        Table.objects.filter(session=session)
        .annotate(call=OPEN_CALL, requests=requests_in(session))
        .order_by("number")
        .values_list("pk", "revision", "last_call", "requests", *OF_CALL)
    )
)


def read_tables(session: Session) -> TablesNow:
    revisions, last_calls, calls = {}, {}, []
    rows = TABLES(session.pk)
    for pk, revision, last_call, _requests, *call in rows:
        revisions[pk], last_calls[call[2]] = revision, last_call
        if call[1] is not None:
            calls.append(OpenCall(*call))
    return TablesNow(revisions, last_calls, sorted(calls), rows[0][3] or 0 if rows else 0)


class ShownChip(NamedTuple):
    """A play as drawn in the grid: its étui and state. It is drawn `faint` if the filter asks for other states."""

    play: int
    number: int
    state: str
    shape: str
    faint: bool

    @property
    def waits(self) -> bool:
        """True if somebody has still to act on the play, so that it has its own link. The others share their cell's."""
        return self.state in WAITING


class ShownCell(NamedTuple):
    """The values that are drawn in a cell: one table in one position. Equal cells share their cached HTML.

    `is_begun`: whether the cell leads to the table's results. `has_deals`: whether the table deals, so that its chips
    are no étuis.
    """

    position: int
    table: int
    chips: tuple[ShownChip, ...]
    is_begun: bool
    has_deals: bool = False


@dataclass(frozen=True, slots=True)
class StopCell:
    """One table in one position. `wanted` holds the states that the filter asks for. `reached`: it was called."""

    position: int
    table: int
    plays: list[DeskPlay]
    wanted: frozenset[str]
    reached: bool

    @property
    def missing(self) -> list[DeskPlay]:
        return [each for each in self.plays if each.missing]

    @property
    def faint(self) -> bool:
        return all(each.state not in self.wanted for each in self.plays)

    @property
    def missing_numbers(self) -> str:
        """The numbers of the étuis or deals without a result: "7, 8"."""
        return ", ".join(str(each.etui - self.first + 1) for each in self.missing)

    @property
    def first(self) -> int:
        """The number that is shown as 1: that of the first deal where the table deals."""
        return min((each.etui for each in self.plays), default=1) if self.has_deals else 1

    @property
    def shown(self) -> ShownCell:
        first, begun = self.first, self.reached or any(each.state != MISSING for each in self.plays)
        chips = (
            ShownChip(each.pk, each.etui - first + 1, each.state, SHAPES[each.state], each.state not in self.wanted)
            for each in self.plays
        )
        return ShownCell(self.position, self.table, tuple(chips), begun, self.has_deals)

    @property
    def has_deals(self) -> bool:
        """True if the table deals: its chips have the numbers of deals in the game."""
        return any(not each.play.etui.dealer for each in self.plays)


@dataclass(frozen=True)
class PositionRow:
    """One position in the grid, with its plays.

    `reached` is true if the position was called. `shown` is true for the position to show if there is room for only
    one. `missing` is the number of missing results if the position is reached, else 0.
    """

    position: int
    plays: list[DeskPlay]
    tables: list[int]
    wanted: frozenset[str]
    reached: bool
    shown: bool
    missing: int

    @cached_property
    def cells(self) -> list[StopCell | None]:
        """One cell for each table, or None if the table rests."""
        by_table: defaultdict[int, list[DeskPlay]] = defaultdict(list)
        for each in self.plays:
            by_table[each.table].append(each)
        return [
            StopCell(self.position, table, by_table[table], self.wanted, self.reached) if table in by_table else None
            for table in self.tables
        ]

    @property
    def unfaint(self) -> "PositionRow":
        """A copy of the row with only the tables that have plays in the states of the filter."""
        plays = [each for cell in self.cells if cell and not cell.faint for each in cell.plays]
        return replace(self, plays=plays, tables=sorted({each.table for each in plays}))

    @cached_property
    def owing(self) -> list[StopCell]:
        """The cells with missing results, or an empty list if the position is not reached."""
        return [cell for cell in self.cells if cell and cell.missing] if self.missing else []


@dataclass(frozen=True, slots=True)
class Legend:
    state: str
    shape: str
    count: int


class SessionDesk:
    """The data of a session under way for one reader, read once for the whole page.

    `user` is the reader if they are a director, else None. Only directors get the calls for the arbiter, and other data
    that helpers may not see. `stamp` is the digest of the glance, which was read before all other data.
    """

    def __init__(self, session: Session, user: User | None, glance: SessionGlance, *, stamp: str = "") -> None:
        self.session, self.directs, self.glance, self.stamp = session, user is not None, glance, stamp
        self.settled = settled_of(session, glance.names)
        self.tables = read_tables(session)
        self.playing = self.settled.playing_as(user) if user else None
        closed, revisions = hidden_elsewhere(session, user), self.tables.revisions
        self.plays = desk_plays_for(session, self.playing, flags=self.directs, revisions=revisions, closed=closed)


class Progress:
    """The progress of a session under way: which results are entered and missing, and how fresh its standings are.

    `only` is the filter on states. `asked` is the position to show if there is room for only one; by default it is the
    position reached.
    """

    def __init__(self, desk: SessionDesk, only: str = ALL, asked: str = "") -> None:
        self.session, self.directs, self.stamp = desk.session, desk.directs, desk.stamp
        self.only = only if only in FILTERS else ALL
        self.asked = asked[:3]
        self.states = desk.plays
        # Only directors see the tables that wait for the arbiter. The longest wait comes first.
        self.calls = desk.tables.calls if desk.directs else []
        self.requests = desk.tables.requests if desk.directs else 0

    @cached_property
    def rows(self) -> list[PositionRow]:
        by_position: defaultdict[int, list[DeskPlay]] = defaultdict(list)
        for each in self.states:
            by_position[each.position].append(each)
        shown = next((position for position in by_position if str(position) == self.asked), self.reached)
        return [
            PositionRow(
                position,
                by_position[position],
                self.tables,
                FILTERS[self.only],
                reached=position <= self.reached,
                shown=position == shown,
                missing=self.owed[position] if position <= self.reached else 0,
            )
            for position in sorted(by_position)
        ]

    @cached_property
    def counted(self) -> Counter[tuple[int, str, bool]]:
        """The number of plays by position, state, and whether a result is missing.

        All plays are counted in one pass, because a large hall has thousands.
        """
        return Counter(map(attrgetter("position", "state", "missing"), self.states))

    @cached_property
    def owed(self) -> Counter[int]:
        """The number of missing results, by position."""
        owed: Counter[int] = Counter()
        for (position, _state, missing), count in self.counted.items():
            owed[position] += missing * count
        return owed

    def count_of(self, state: str) -> int:
        return sum(count for (_position, found, _missing), count in self.counted.items() if found == state)

    @cached_property
    def tables(self) -> list[int]:
        return sorted({each.table for each in self.states})

    @property
    def has_many_tables(self) -> bool:
        return len(self.tables) > FEW_TABLES

    @property
    def is_large(self) -> bool:
        return len(self.tables) > LARGE

    @cached_property
    def grid(self) -> list[PositionRow]:
        """The rows of the grid. In a large hall, they are one position or, with a filter, the tables that match it."""
        if not self.is_large:
            return self.rows
        if self.only:
            return [row for row in (row.unfaint for row in self.rows) if row.cells]
        return [row for row in self.rows if row.shown]

    @cached_property
    def legend(self) -> list[Legend]:
        counts = dict.fromkeys(STATES, 0)
        to_come = 0
        for (position, state, _missing), count in self.counted.items():
            counts[state] += count
            to_come += count if state == MISSING and position > self.reached else 0
        found = {state: count for state, count in counts.items() if count}
        if MISSING in found:
            found[MISSING] -= to_come
        return [Legend(state, SHAPES[state], count) for state, count in found.items()]

    @cached_property
    def to_look_at(self) -> list[DeskPlay]:
        """The plays to look at, in the order of the desk's list."""
        return find_plays_to_look_at(self.states)

    @property
    def first_to_look_at(self) -> list[DeskPlay]:
        """The first of the plays to look at in a large hall, else all of them. The filter shows all."""
        return self.to_look_at[:MOST_LOOKED_AT] if self.is_large else self.to_look_at

    @cached_property
    def odd(self) -> int:
        return self.count_of(ODD)

    @cached_property
    def rings(self) -> str:
        """The names of the open calls and disputes, separated by spaces: "call-7 disputed-31".

        The page rings for each name that is new to it.
        """
        if not self.directs:
            return ""
        disputes = [f"{each.state}-{each.pk}" for each in self.to_look_at if each.state in RINGING]
        return " ".join([f"call-{call.pk}" for call in self.calls] + disputes)

    @cached_property
    def missing(self) -> int:
        """The number of missing results, with those of games that are not seated yet."""
        return self.owed.total() + self.unseated

    @cached_property
    def unseated(self) -> int:
        """The number of results of games that are not seated yet."""
        return count_unseated_after(self.session, (each.position for each in self.states))

    @cached_property
    def entered(self) -> int:
        """The number of plays that have a result. Plays that were set aside are not counted."""
        return sum(each.entry is not None for each in self.states)

    @cached_property
    def reached(self) -> int:
        """The position called last. If no position was called, the last one with an entry, or the first position."""
        return self.session.position or max((each.position for each in self.states if each.entry), default=1)

    @cached_property
    def late(self) -> list[PositionRow]:
        """The positions reached that have missing results."""
        return [row for row in self.rows if row.missing]

    @cached_property
    def to_come(self) -> int:
        """The number of missing results of the positions that are not reached yet."""
        return self.unseated + sum(count for position, count in self.owed.items() if position > self.reached)

    @property
    def awaited(self) -> int:
        """The number of missing results of the positions reached."""
        return self.missing - self.to_come

    @cached_property
    def annulled(self) -> list[DeskPlay]:
        return [each for each in self.states if each.annulled] if self.count_of("annulled") else []

    @cached_property
    def closed(self) -> int:
        """The number of étuis whose results are hidden from this reader, who has still to play them."""
        return len({each.play.etui_id for each in self.states if each.closed})

    @property
    def query(self) -> str:
        """The query string with which the page asks for news: its stamp, its filter and its position."""
        asked = {"seen": self.stamp, "show": self.only, "position": self.asked}
        return urlencode({name: value for name, value in asked.items() if value})

    @property
    def standings(self) -> SessionStandings | None:
        return getattr(self.session, "standings", None)

    @property
    def computing(self) -> bool:
        return not is_session_fresh(self.session)
