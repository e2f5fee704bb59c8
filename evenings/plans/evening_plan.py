"""The values from which documents about the plan are printed: the seats and étuis of every position.

Callers fill them in from the rows. This module uses no database, no language and no layout. It derives what documents
need from the plan, such as each player's way through the evening.
"""

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from deals.domain.cards import LINES, Seat


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

    def seat_of(self, player: PlannedPlayer) -> Seat:
        return LINES[self.players.index(player)]


@dataclass(frozen=True, slots=True)
class Position:
    """A position: the tables that play, in rising order, and the players who rest."""

    number: int
    sittings: tuple[Sitting, ...]
    resting: tuple[PlannedPlayer, ...] = ()

    def at(self, table: int) -> Sitting | None:
        """Return the sitting at the table with this number, or None if nobody plays there."""
        return next((sitting for sitting in self.sittings if sitting.table == table), None)


class PlannedStop(NamedTuple):
    """A player's stop in a position. `sitting` is None if the player rests."""

    position: int
    sitting: Sitting | None


class PlannedWay(NamedTuple):
    """A player's way through the evening: one stop for each position in which the player is there."""

    player: PlannedPlayer
    stops: tuple[PlannedStop, ...]


@dataclass(frozen=True, slots=True)
class EveningPlan:
    """The plan of a session, with all its positions in order. Raises `ValueError` if nobody plays."""

    heading: SessionHeading
    positions: tuple[Position, ...]

    def __post_init__(self) -> None:
        if not any(position.sittings for position in self.positions):
            raise ValueError("nobody plays: there is no plan to print")

    @property
    def tables(self) -> list[int]:
        """The numbers of the tables that play in at least one position, in rising order."""
        return sorted({sitting.table for position in self.positions for sitting in position.sittings})

    @property
    def most_plays(self) -> int:
        """The number of times that the most played étui is played."""
        sittings = (sitting for position in self.positions for sitting in position.sittings)
        return max(Counter(etui.number for sitting in sittings for etui in sitting.etuis).values())

    @property
    def rests(self) -> bool:
        """True if a player rests in at least one position."""
        return any(position.resting for position in self.positions)

    def ways(self) -> list[PlannedWay]:
        """Return every player's way, sorted by line and starting number."""
        stops: dict[PlannedPlayer, list[PlannedStop]] = {}
        for position in self.positions:
            for sitting in position.sittings:
                for player in sitting.players:
                    stops.setdefault(player, []).append(PlannedStop(position.number, sitting))
            for player in position.resting:
                stops.setdefault(player, []).append(PlannedStop(position.number, None))
        ways = (PlannedWay(player, tuple(mine)) for player, mine in stops.items())
        return sorted(ways, key=lambda way: (LINES.index(way.player.line), way.player.number, way.stops[0].position))
