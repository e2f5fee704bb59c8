"""How far a session under way is, laid out as the desk shows it: a grid of positions and tables, what to look at, what
is late. What of it is for directors alone is left out for everybody else.
"""

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import FilteredRelation, Q
from django.utils.functional import cached_property

from clubs.models import User
from tournaments.models import Session, SessionStandings
from tournaments.permissions import SessionGlance
from tournaments.plays.desk_state import (
    MISSING,
    ODD,
    RINGING,
    STATES,
    TO_LOOK_AT,
    DeskPlay,
    count_states,
    desk_plays_for,
    hidden_elsewhere,
)
from tournaments.requests.reading import requests_in
from tournaments.standings.computing import is_fresh
from tournaments.web.desk.settled import settled_of

ALL, LOOK = "", "look"
FILTERS = {ALL: frozenset(STATES), LOOK: TO_LOOK_AT, ODD: frozenset({ODD})}
LARGE = 25  # of more tables the desk opens with what needs the director; the rest is asked for
MOST_LOOKED_AT, MOST_LEADERS = 50, 20  # there
FEW_TABLES = 8  # as many as stand in one line of a laptop; of more, one position is shown at a time
# The shape that stands for a state wherever there is no room for its word.
SHAPES = {
    "missing": "·", "started": "…", "later": "→", "unconfirmed": "○", "disputed": "!", "check_etui": "▲",
    "odd": "?", "done": "✓", "not_played": "–", "annulled": "×",
}  # fmt: skip


class OpenCall(NamedTuple):
    """A table that waits for the arbiter; with the play that it calls about, its étui, and the reason it gave."""

    called_at: dt.datetime
    pk: int
    table: int
    play: int | None
    etui: int | None
    reason: str


class TablesNow(NamedTuple):
    """What a session's tables are at: their revisions by id, their last calls by number, their open calls; and how many
    corrections are asked for of what was played there."""

    revisions: dict[int, int]
    last_calls: dict[int, int]
    calls: list[OpenCall]
    requests: int


def read_tables(session: Session) -> TablesNow:
    opened = FilteredRelation("calls", condition=Q(calls__answered_at=None))
    columns = ("call__called_at", "call__pk", "number", "call__play", "call__play__etui__number", "call__reason")
    tables = session.tables.annotate(call=opened, requests=requests_in(session)).order_by("number")
    rows = list(tables.values_list("pk", "revision", "last_call", "requests", *columns))
    revisions, last_calls, calls = {}, {}, []
    for pk, revision, last_call, _requests, *call in rows:
        revisions[pk], last_calls[call[2]] = revision, last_call
        if call[1] is not None:
            calls.append(OpenCall(*call))
    return TablesNow(revisions, last_calls, sorted(calls), rows[0][3] or 0 if rows else 0)


class ShownChip(NamedTuple):
    """One étui at one table in the grid; `faint` where the filter asks for others."""

    play: int
    number: int
    state: str
    shape: str
    faint: bool


class ShownCell(NamedTuple):
    """All that is drawn of a cell: the same is drawn once."""

    table: int
    chips: tuple[ShownChip, ...]


@dataclass(frozen=True, slots=True)
class StopCell:
    """One table in one position; `wanted` are the states that the filter asks for."""

    position: int
    table: int
    plays: list[DeskPlay]
    wanted: frozenset[str]

    @property
    def missing(self) -> list[DeskPlay]:
        return [each for each in self.plays if each.missing]

    @property
    def faint(self) -> bool:
        return all(each.state not in self.wanted for each in self.plays)

    @property
    def shown(self) -> ShownCell:
        chips = (
            ShownChip(each.pk, each.etui, each.state, SHAPES[each.state], each.state not in self.wanted)
            for each in self.plays
        )
        return ShownCell(self.table, tuple(chips))


@dataclass(frozen=True)
class PositionRow:
    """One position in the grid: one cell a table, None where it rests. `shown` where there is room for one only."""

    position: int
    cells: list[StopCell | None]
    reached: bool
    shown: bool

    @property
    def unfaint(self) -> "PositionRow":
        """With only those tables that the filter asks for."""
        return replace(self, cells=[cell for cell in self.cells if cell and not cell.faint])

    @cached_property
    def owing(self) -> list[StopCell]:
        """The tables that owe results of a position that was reached."""
        return [cell for cell in self.cells if cell and cell.missing] if self.reached else []

    @cached_property
    def missing(self) -> int:
        return sum(len(cell.missing) for cell in self.owing)


@dataclass(frozen=True, slots=True)
class Legend:
    state: str
    shape: str
    count: int


class Desk:
    """A session under way as it is read for whoever asks: once for the whole page.

    `user` is whoever directs, for whom calls and what only directors know are in; None for everybody else. `stamp` was
    made before anything was read.
    """

    def __init__(self, session: Session, user: User | None, glance: SessionGlance, *, stamp: str = "") -> None:
        self.session, self.directs, self.glance, self.stamp = session, user is not None, glance, stamp
        self.settled = settled_of(session, glance.names)
        self.tables = read_tables(session)
        self.playing = self.settled.playing_as(user) if user else None
        closed, revisions = hidden_elsewhere(session, user), self.tables.revisions
        self.plays = desk_plays_for(session, self.playing, flags=self.directs, revisions=revisions, closed=closed)


class Progress:
    """What of a session under way is entered and what is missing, and how fresh its standings are.

    `asked` is the position that somebody wants to see where there is room for one only: without it, the one that was
    reached.
    """

    def __init__(self, desk: Desk, only: str = ALL, asked: str = "") -> None:
        self.session, self.directs, self.stamp = desk.session, desk.directs, desk.stamp
        self.only = only if only in FILTERS else ALL
        self.asked = asked[:3]
        self.states = desk.plays
        # The tables that wait for the arbiter, the longest first; for directors.
        self.calls = desk.tables.calls if desk.directs else []
        self.requests = desk.tables.requests if desk.directs else 0

    @cached_property
    def rows(self) -> list[PositionRow]:
        by_stop: defaultdict[tuple[int, int], list[DeskPlay]] = defaultdict(list)
        for each in self.states:
            by_stop[each.position, each.table].append(each)
        cells = {stop: StopCell(*stop, plays, FILTERS[self.only]) for stop, plays in by_stop.items()}
        positions = sorted({position for position, _ in cells})
        shown = next((position for position in positions if str(position) == self.asked), self.reached)
        return [
            PositionRow(
                position,
                [cells.get((position, table)) for table in self.tables],
                reached=position <= self.reached,
                shown=position == shown,
            )
            for position in positions
        ]

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
        """In a large hall the position shown alone, or what the filter asks for."""
        if not self.is_large:
            return self.rows
        if self.only:
            return [row for row in (row.unfaint for row in self.rows) if row.cells]
        return [row for row in self.rows if row.shown]

    @cached_property
    def legend(self) -> list[Legend]:
        counts = count_states(self.states)
        if MISSING in counts:
            counts[MISSING] -= sum(each.state == MISSING for each in self.states_to_come)
        return [Legend(state, SHAPES[state], count) for state, count in counts.items()]

    @cached_property
    def to_look_at(self) -> list[DeskPlay]:
        """What rings first, then what is odd; all of it in playing order."""
        found = [each for each in self.states if each.state in TO_LOOK_AT]
        return sorted(found, key=lambda each: each.state not in RINGING)

    @property
    def first_to_look_at(self) -> list[DeskPlay]:
        """In a large hall the first of them; the filter shows all."""
        return self.to_look_at[:MOST_LOOKED_AT] if self.is_large else self.to_look_at

    @cached_property
    def odd(self) -> int:
        return sum(each.state == ODD for each in self.states)

    @cached_property
    def rings(self) -> str:
        """What the desk rings for, each by a name of its own: a new one among them is heard."""
        if not self.directs:
            return ""
        disputes = [f"{each.state}-{each.pk}" for each in self.states if each.state in RINGING]
        return " ".join([f"call-{call.pk}" for call in self.calls] + disputes)

    @cached_property
    def missing(self) -> int:
        return sum(each.missing for each in self.states)

    @cached_property
    def entered(self) -> int:
        """Plays that have a result; what is set aside has none, though nobody waits for it."""
        return sum(each.entry is not None for each in self.states)

    @cached_property
    def reached(self) -> int:
        """The position called last; where none ever is, the last one of which something is entered, or the first."""
        return self.session.position or max((each.position for each in self.states if each.entry), default=1)

    @cached_property
    def late(self) -> list[PositionRow]:
        """The positions reached of which tables owe results."""
        return [row for row in self.rows if row.owing]

    @cached_property
    def states_to_come(self) -> list[DeskPlay]:
        """Of the positions that nobody has reached."""
        return [each for each in self.states if each.position > self.reached]

    @cached_property
    def to_come(self) -> int:
        """Results of the positions that nobody has reached."""
        return sum(each.missing for each in self.states_to_come)

    @property
    def awaited(self) -> int:
        """Results that are waited for now: of the positions that were reached."""
        return self.missing - self.to_come

    @cached_property
    def annulled(self) -> list[DeskPlay]:
        return [each for each in self.states if each.annulled]

    @cached_property
    def closed(self) -> int:
        """Étuis whose results stay hidden from this reader, who has still to play them."""
        return len({each.play.etui_id for each in self.states if each.closed})

    @property
    def query(self) -> str:
        """What the page asks with when it looks for news: what it shows, and of which position."""
        asked = {"seen": self.stamp, "show": self.only, "position": self.asked}
        return urlencode({name: value for name, value in asked.items() if value})

    @property
    def standings(self) -> SessionStandings | None:
        return getattr(self.session, "standings", None)

    @property
    def computing(self) -> bool:
        return not is_fresh(self.session)
