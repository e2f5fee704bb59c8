"""The plan of an evening as data: who sits at each table in each position, and which étuis or deals are played there.

`TableSeating` says how a table is filled: by two teams, or game by game. A competitor is a starting number: a team or a
person. This module does not know who the competitors are, or how the plan was made. Plans of four lines have a value of
their own in `movements.plans`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, cast

from movements.plan.bounds import check_counts


class TableSeating(StrEnum):
    """The ways in which competitors fill a table.

    - SIDES: two teams. The first sits North-South, the second East-West; the taker of each étui says which attacks.
    - MIRROR: two teams. The first attacks with one player, the second defends with three. At another table the second
      team attacks the first team on the same étuis.
    - BADGES: two teams. The first attacks with one of its three players. A team may attack at three tables at once,
      with a different player at each. Only Emmanuel 16 uses this.
    - TABLES: three to five players, in the order of the seats. Tables are seated game by game.
    """

    SIDES = "sides"
    MIRROR = "mirror"
    BADGES = "badges"
    TABLES = "tables"


class OddTables(StrEnum):
    """The kinds of tables for a number of people that cannot be divided by four.

    - THREES: tables of three.
    - FIVE: tables of five, where all five play.
    - MORT: tables of five, where one rests in each deal.
    - FIVES: everybody plays at tables of five, and tables of four are the odd ones.
    - ALL_THREES, ALL_FIVES: every table has three people, or every table five. Étuis are for one number of players.
    """

    THREES = "threes"
    FIVE = "five"
    MORT = "mort"
    FIVES = "fives"
    ALL_THREES = "all_threes"
    ALL_FIVES = "all_fives"


# The size of a table that is not odd.
USUAL = {
    OddTables.THREES: 4,
    OddTables.FIVE: 4,
    OddTables.MORT: 4,
    OddTables.FIVES: 5,
    OddTables.ALL_THREES: 3,
    OddTables.ALL_FIVES: 5,
}
ALIKE = (OddTables.ALL_THREES, OddTables.ALL_FIVES)  # these have no odd tables


class PlanStop(NamedTuple):
    """A table in a position: its étuis or deals in the order of play, and its competitors.

    - `seats`: the competitors in the order of the seating; None if one is missing, so that the others rest.
    - `badge`: the player with whom the first team attacks, 1 to 3; 0 if the plan does not say it.
    - `rests`: for each étui the competitor who rests. Empty if nobody rests.
    """

    position: int
    table: int
    etuis: tuple[int, ...]
    seats: tuple[int | None, ...]
    badge: int = 0
    rests: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        return None not in self.seats

    @property
    def people(self) -> tuple[int, ...]:
        """The competitors who are at the table."""
        everybody = cast("tuple[int, ...]", self.seats)
        return tuple(number for number in everybody if number is not None) if None in self.seats else everybody

    @property
    def start(self) -> int:
        """The number of the first étui or deal."""
        return self.etuis[0]

    @property
    def end(self) -> int:
        """The number of the last étui or deal."""
        return self.etuis[-1]

    @property
    def first(self) -> int | None:
        """The first of two teams."""
        return self.seats[0]

    @property
    def second(self) -> int | None:
        """The second of two teams."""
        return self.seats[1]


class Stay(NamedTuple):
    """The first and the last position of a competitor who is not there from start to end.

    Somebody who leaves within a position plays a part of the last one. Somebody who never comes has last < first.
    """

    number: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TablePlan:
    """The tables of an evening, sorted by position and table. Positions that are not seated yet have none.

    - `competitors`: how many there are. Their numbers go from 1 to this number.
    - `positions`: of the evening, also those that are not seated yet.
    - `etuis_per_position`: how many étuis or deals a competitor plays in a position.
    - `rule`: the name of the way in which the plan was made.
    - `tables`: the most tables that play in a position; 0 if the plan does not say it.
    - `lines`: the numbers of competitors that keep a line, line by line, the lowest numbers first. Empty without lines.
    - `stays`: when competitors come and go who are not there all the time.
    - `mates`: the numbers of each team whose members never meet.
    - `odd`: the kind of odd tables, if tables are seated game by game.
    """

    seating: TableSeating
    competitors: int
    positions: int
    etuis_per_position: int
    stops: tuple[PlanStop, ...]
    rule: str
    tables: int = 0
    lines: tuple[int, ...] = ()
    stays: tuple[Stay, ...] = ()
    mates: tuple[tuple[int, ...], ...] = ()
    odd: OddTables = OddTables.THREES

    @property
    def seated(self) -> int:
        """The number of positions that are seated."""
        return max((stop.position for stop in self.stops), default=0)

    @property
    def usual(self) -> int:
        """The size of a table that is not odd."""
        return USUAL[self.odd] if self.seating is TableSeating.TABLES else 2

    def at(self, position: int) -> tuple[PlanStop, ...]:
        """Return the tables of a position, in the order of their numbers and étuis."""
        return tuple(stop for stop in self.stops if stop.position == position)

    def seats_mates(self, stop: PlanStop) -> bool:
        """Return whether two members of one team sit at a table of the plan."""
        return any(len({*team} & {*stop.people}) > 1 for team in self.mates)

    def present(self, position: int) -> tuple[int, ...]:
        """Return the numbers of the competitors who are there in a position."""
        stays = {stay.number: stay for stay in self.stays}
        return tuple(
            number
            for number in range(1, self.competitors + 1)
            if number not in stays or stays[number].first <= position <= stays[number].last
        )

    def in_barometer(self, position: int) -> bool:
        """Return whether several tables play in that position, all with the same étuis."""
        sets = [frozenset(stop.etuis) for stop in self.at(position)]
        return len(sets) > 1 and len({*sets}) == 1

    def list_resting(self) -> tuple[tuple[int, ...], ...]:
        """Return the competitors who are there and have no complete table, as one tuple for each position."""
        playing: list[set[int]] = [set() for _ in range(self.positions)]
        for stop in self.stops:
            if stop.complete:
                playing[stop.position - 1].update(stop.people)
        return tuple(
            tuple(number for number in self.present(position) if number not in there)
            for position, there in enumerate(playing, start=1)
        )


def make_team_plan(
    seating: TableSeating, teams: int, stops: Iterable[PlanStop], rule: str, lines: tuple[int, ...] = ()
) -> TablePlan:
    """Return the plan with these stops; all other figures follow from them. Raise PlanError if a count is too large."""
    laid = tuple(sorted(stops, key=lambda stop: stop[:2]))
    tables, positions = max(stop.table for stop in laid), max(stop.position for stop in laid)
    etuis = len(laid[0].etuis)
    check_counts(tables=tables, positions=positions, etuis_per_position=etuis)
    return TablePlan(seating, teams, positions, etuis, laid, rule, tables, lines)


def drop_competitor(plan: TablePlan, number: int, *, after: int) -> TablePlan:
    """Return the plan without this competitor in the positions after `after`. The others at the table rest there."""
    stops = (
        stop._replace(seats=tuple(None if seat == number else seat for seat in stop.seats))
        if stop.position > after
        else stop
        for stop in plan.stops
    )
    return replace(plan, stops=tuple(stops))
