"""The one value from which the papers of an evening are printed: who sits where, on which étuis, in every position.

Callers fill it in from the rows. This module uses no database, no language and no layout. The modules of a kind of
evening add who sits at a table: players on four lines, two teams, or the people of a game. They also add the way of
each.
"""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from deals.domain.cards import LINES, Seat
from scoring.formats import Format


@dataclass(frozen=True, slots=True)
class SessionHeading:
    """The heading of each printed sheet of a session.

    With `imposed`, the taker named by the étui plays a Garde, so that the sheets have no place for a contract.
    """

    club: str
    tournament: str
    session: int
    date: dt.date
    imposed: bool = True


class AtTable(Protocol):
    """The players or teams at a table in a position, with the numbers of its étuis."""

    @property
    def table(self) -> int: ...

    @property
    def numbers(self) -> Sequence[int]: ...


Who = TypeVar("Who")
Table = TypeVar("Table", bound=AtTable)


@dataclass(frozen=True, slots=True)
class Position(Generic[Who, Table]):
    """A position, or a game: the tables that play, in rising order, and those who rest.

    A table at which somebody left or came within a game is there twice, with the part before and the part after.
    """

    number: int
    sittings: tuple[Table, ...]
    resting: tuple[Who, ...] = ()

    def at(self, table: int) -> Table | None:
        """Return what sits at the table with this number at the end of the position, or None if nobody plays there."""
        return next((sitting for sitting in reversed(self.sittings) if sitting.table == table), None)


@dataclass(frozen=True, slots=True)
class EveningPaper(Generic[Who, Table]):
    """The evening of a session as papers show it, with all its positions in order.

    `people` are all who take part, where papers list them before they have a seat. Without them, raise `ValueError` if
    nobody plays.
    """

    heading: SessionHeading
    format: Format
    positions: tuple[Position[Who, Table], ...]
    people: tuple[Who, ...] = ()

    def __post_init__(self) -> None:
        if not self.people and not any(position.sittings for position in self.positions):
            raise ValueError("nobody plays: there is no plan to print")

    @property
    def tables(self) -> list[int]:
        """The numbers of the tables that play in at least one position, in rising order."""
        return sorted({sitting.table for position in self.positions for sitting in position.sittings})

    @property
    def most_plays(self) -> int:
        """The number of times that the most played étui is played."""
        sittings = (sitting for position in self.positions for sitting in position.sittings)
        return max(Counter(number for sitting in sittings for number in sitting.numbers).values())

    @property
    def rests(self) -> bool:
        """True if somebody rests in at least one position."""
        return any(position.resting for position in self.positions)


AnyPaper = EveningPaper[Any, Any]


@dataclass(frozen=True, slots=True)
class PlannedPlayer:
    """A player with line and starting number. `listed` is the name for an alphabetical list, family name first."""

    name: str
    line: Seat
    number: int
    listed: str = ""


class PlannedEtui(NamedTuple):
    """An étui of the plan. `taker` is None if the table bids for the contract."""

    number: int
    taker: Seat | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """One table in one position: its étuis, and its four players in the order of LINES.

    A rover may sit on a line that is not their own.
    """

    table: int
    etuis: tuple[PlannedEtui, ...]
    players: tuple[PlannedPlayer, ...]

    def __post_init__(self) -> None:
        if len(self.players) != len(LINES):
            raise ValueError(f"table {self.table}: one player a line, in the order of the lines")

    @property
    def numbers(self) -> list[int]:
        """The numbers of the étuis, in the order of play."""
        return [etui.number for etui in self.etuis]

    def seat_of(self, player: PlannedPlayer) -> Seat:
        return LINES[self.players.index(player)]


PlayersPaper = EveningPaper[PlannedPlayer, Sitting]


class PlannedStop(NamedTuple):
    """A player's stop in a position. `sitting` is None if the player rests."""

    position: int
    sitting: Sitting | None


class PlannedWay(NamedTuple):
    """A player's way through the evening: one stop for each position in which the player is there."""

    player: PlannedPlayer
    stops: tuple[PlannedStop, ...]


def list_ways(evening: PlayersPaper) -> list[PlannedWay]:
    """Return every player's way, sorted by line and starting number."""
    stops: dict[PlannedPlayer, list[PlannedStop]] = {}
    for position in evening.positions:
        for sitting in position.sittings:
            for player in sitting.players:
                stops.setdefault(player, []).append(PlannedStop(position.number, sitting))
        for player in position.resting:
            stops.setdefault(player, []).append(PlannedStop(position.number, None))
    ways = (PlannedWay(player, tuple(mine)) for player, mine in stops.items())
    return sorted(ways, key=lambda way: (LINES.index(way.player.line), way.player.number, way.stops[0].position))
