"""The plan of an evening as data: who sits at each table in each position, and which étuis or deals are played there.

One value serves every format. `Seating` says how a table is filled: by four lines, by two teams, or game by game. This
module does not know who the competitors are, or how the plan was made. A stored plan is never computed again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Generic, NamedTuple, TypeAlias, TypeVar, cast

from deals.domain.cards import LINES
from movements.plan.bounds import check_counts

SEATS = len(LINES)


class Seating(StrEnum):
    """The ways in which competitors fill a table.

    - LINES: four players, in the order of LINES. A line has starting numbers of its own.
    - SIDES: two teams. The first sits North-South, the second East-West; the taker of each étui says which attacks.
    - MIRROR: two teams. The first attacks with one player, the second defends with three. At another table the second
      team attacks the first team on the same étuis.
    - BADGES: two teams. The first attacks with one of its three players. A team may attack at three tables at once,
      with a different player at each. Only Emmanuel 16 uses this.
    - TABLES: three to five players, in the order of the seats. Tables are seated game by game.
    """

    LINES = "lines"
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


class Member(NamedTuple):
    """A player of one of four lines: the index of the line in LINES, and the starting number, from 1."""

    line: int
    number: int

    @property
    def name(self) -> str:
        """The name of the starting number, such as "N8"."""
        return f"{LINES[self.line]}{self.number}"


Competitor = TypeVar("Competitor", bound=int | Member)  # a starting number: of a team or a person, or of a line


class Shifts(NamedTuple):
    """The number of tables by which the players of each line, and the étuis, move up after every position.

    An arbiter announces these numbers. A negative number means down.
    """

    north: int
    east: int
    south: int
    west: int
    etuis: int


# North stays, East moves up one table a position, South two, West three; the étuis go down one (FFT 2012).
CYCLIC = Shifts(north=0, east=1, south=2, west=3, etuis=-1)


class PlanStop(NamedTuple, Generic[Competitor]):
    """A table in a position: its étuis or deals in the order of play, and its competitors.

    - `seats`: the competitors in the order of the seating; None if one is missing, so that the others rest.
    - `badge`: the player with whom the first team attacks, 1 to 3; 0 if the plan does not say it.
    - `rests`: for each étui the competitor who rests. Empty if nobody rests.
    """

    position: int
    table: int
    etuis: tuple[int, ...]
    seats: tuple[Competitor | None, ...]
    badge: int = 0
    rests: tuple[Competitor, ...] = ()

    @property
    def complete(self) -> bool:
        return None not in self.seats

    @property
    def people(self) -> tuple[Competitor, ...]:
        """The competitors who are at the table."""
        if None in self.seats:
            return tuple(each for each in self.seats if each is not None)
        return cast("tuple[Competitor, ...]", self.seats)

    @property
    def start(self) -> int:
        """The number of the first étui or deal."""
        return self.etuis[0]

    @property
    def end(self) -> int:
        """The number of the last étui or deal."""
        return self.etuis[-1]

    @property
    def first(self) -> Competitor | None:
        """The first of two teams."""
        return self.seats[0]

    @property
    def second(self) -> Competitor | None:
        """The second of two teams."""
        return self.seats[1]

    def exchange(self, others: Mapping[Competitor, Competitor | None]) -> "PlanStop[Competitor]":
        """Return the table with others in some seats: `others` has the new competitor for an old one, or None.

        None leaves the seat empty.
        """
        return self._replace(seats=tuple(None if each is None else others.get(each, each) for each in self.seats))

    def take_seat(self, seat: int, competitor: Competitor | None) -> "PlanStop[Competitor]":
        """Return the table with this competitor in a seat."""
        return self._replace(seats=(*self.seats[:seat], competitor, *self.seats[seat + 1 :]))


class Stay(NamedTuple, Generic[Competitor]):
    """The first and the last position of a competitor who is not there from start to end.

    Somebody who leaves within a position plays a part of the last one. Somebody who never comes has last < first.
    """

    competitor: Competitor
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Plan(Generic[Competitor]):
    """The tables of an evening, sorted by position and table. Positions that are not seated yet have none.

    - `competitors`: how many there are.
    - `positions`: of the evening, also those that are not seated yet.
    - `etuis_per_position`: how many étuis or deals a competitor plays in a position.
    - `rule`: the name of the way in which the plan was made.
    - `tables`: the most tables that play in a position; 0 if the plan does not say it.
    - `lines`: the numbers of competitors that keep a line. Four lines have numbers of their own. The two lines of teams
      share their numbers, the lowest ones first. Empty without lines.
    - `stays`: when competitors come and go who are not there all the time.
    - `mates`: the numbers of each team whose members never meet.
    - `odd`: the kind of odd tables, if tables are seated game by game.
    - `barometer_after`, of four lines: in all positions after this one, every table plays the same étuis (a
      *barometer*). It is None if there is no such position.
    - `shifts`: the moves that the arbiter can announce. None if no announcement describes the plan.
    - `fillers`: competitors who play and are in no ranking.
    - `rovers`: competitors who may sit on any line. They are ranked in their own line.
    """

    seating: Seating
    competitors: int
    positions: int
    etuis_per_position: int
    stops: tuple[PlanStop[Competitor], ...]
    rule: str
    tables: int = 0
    lines: tuple[int, ...] = ()
    stays: tuple[Stay[Competitor], ...] = ()
    mates: tuple[tuple[int, ...], ...] = ()
    odd: OddTables = OddTables.THREES
    barometer_after: int | None = None
    shifts: Shifts | None = None
    fillers: tuple[Competitor, ...] = ()
    rovers: tuple[Competitor, ...] = ()

    @property
    def seated(self) -> int:
        """The number of positions that are seated."""
        return max((stop.position for stop in self.stops), default=0)

    @property
    def usual(self) -> int:
        """The size of a table that is not odd."""
        return {Seating.TABLES: USUAL[self.odd], Seating.LINES: SEATS}.get(self.seating, 2)

    @property
    def barometer(self) -> bool:
        """True if all tables of four lines play the same étuis in every position."""
        return self.barometer_after == 0

    def in_barometer(self, position: int) -> bool:
        """Return whether all tables play the same étuis in that position; without four lines, at least two tables."""
        if self.seating is Seating.LINES:
            return self.barometer_after is not None and position > self.barometer_after
        sets = [frozenset(stop.etuis) for stop in self.at(position)]
        return len(sets) > 1 and len({*sets}) == 1

    def count_etuis(self) -> int:
        """Return the number of étuis that the plan needs."""
        return max(etui for stop in self.stops for etui in stop.etuis)

    def at(self, position: int) -> tuple[PlanStop[Competitor], ...]:
        """Return the tables of a position, in the order of their numbers and étuis."""
        return tuple(stop for stop in self.stops if stop.position == position)

    def seats_mates(self, stop: PlanStop[Competitor]) -> bool:
        """Return whether two members of one team sit at a table of the plan."""
        return any(len({*team} & {*stop.people}) > 1 for team in self.mates)

    def everybody(self) -> tuple[Competitor, ...]:
        """Return every competitor who is in the plan at any time, line by line."""
        numbers = list_members(self.lines) if self.seating is Seating.LINES else range(1, self.competitors + 1)
        return cast("tuple[Competitor, ...]", tuple(numbers))

    def list_ranked(self) -> tuple[Competitor, ...]:
        """Return everybody who is in the ranking: not the fillers."""
        return tuple(each for each in self.everybody() if each not in self.fillers)

    def present(self, position: int) -> tuple[Competitor, ...]:
        """Return the competitors who are there in a position."""
        away = {stay.competitor for stay in self.stays if not stay.first <= position <= stay.last}
        return tuple(each for each in self.everybody() if each not in away)

    def list_present(self) -> list[tuple[Competitor, ...]]:
        """Return the competitors who are there in each position, as one tuple for each position."""
        everybody = self.everybody()
        positions = range(1, self.positions + 1)
        return [self.present(position) if self.stays else everybody for position in positions]

    def list_resting(self) -> tuple[tuple[Competitor, ...], ...]:
        """Return the competitors who are there and have no complete table, as one tuple for each position."""
        playing: list[set[Competitor]] = [set() for _ in range(self.positions)]
        for stop in self.stops:
            if stop.complete:
                playing[stop.position - 1].update(stop.people)
        return tuple(
            tuple(each for each in there if each not in seated)
            for there, seated in zip(self.list_present(), playing, strict=True)
        )


LinePlan: TypeAlias = Plan[Member]


@lru_cache(maxsize=500)
def list_members(lines: tuple[int, ...]) -> tuple[Member, ...]:
    """Return the members of lines with these numbers of players, line by line."""
    return tuple(Member(line, number) for line, size in enumerate(lines) for number in range(1, size + 1))


def line_sizes(players: int) -> tuple[int, ...]:
    """Return the number of players of each line, as equal as possible, larger ones first: 30 gives 8, 8, 7, 7."""
    return tuple((players + SEATS - 1 - line) // SEATS for line in range(SEATS))


def make_line_plan(
    lines: tuple[int, ...], positions: int, etuis_per_position: int, stops: Iterable[PlanStop[Member]], rule: str
) -> LinePlan:
    """Return a plan of four lines with these sizes, in which étuis move."""
    laid = tuple(stops)
    tables = max((stop.table for stop in laid), default=0)
    return Plan(Seating.LINES, sum(lines), positions, etuis_per_position, laid, rule, tables, lines)


def resize_lines(plan: LinePlan, lines: Iterable[int]) -> LinePlan:
    """Return the plan with these numbers of players in the four lines."""
    sizes = tuple(lines)
    return replace(plan, lines=sizes, competitors=sum(sizes))


def make_team_plan(
    seating: Seating, teams: int, stops: Iterable[PlanStop[int]], rule: str, lines: tuple[int, ...] = ()
) -> Plan[int]:
    """Return the plan with these stops; all other figures follow from them. Raise PlanError if a count is too large."""
    laid = tuple(sorted(stops, key=lambda stop: stop[:2]))
    tables, positions = max(stop.table for stop in laid), max(stop.position for stop in laid)
    etuis = len(laid[0].etuis)
    check_counts(tables=tables, positions=positions, etuis_per_position=etuis)
    return Plan(seating, teams, positions, etuis, laid, rule, tables, lines)


def drop_competitor(plan: Plan[int], number: int, *, after: int) -> Plan[int]:
    """Return the plan without this competitor in the positions after `after`. The others at the table rest there."""
    stops = tuple(stop.exchange({number: None}) if stop.position > after else stop for stop in plan.stops)
    return replace(plan, stops=stops)
