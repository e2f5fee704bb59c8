"""The figures of the games of free deals, by which a director compares ways to seat people."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from movements.plan.tables import PlanStop, TablePlan


@dataclass(frozen=True, slots=True)
class GameFigures:
    """The figures of all games that are seated.

    - repeated: the meetings of each pair of people after their first one, added up. Those who sit at one table meet,
      also if one of them rests.
    - bound: the least number of repeated meetings that counting allows: all meetings less the number of pairs.
    - most_meetings: the most games in which two people sit together.
    - sizes: for each size of a table how many there are in all games, as pairs (size, tables).
    - most_odd, least_odd: the most and the fewest games that somebody plays at an odd table, of those who are there
      from start to end.
    - most_rests, least_rests: the most and the fewest deals in which somebody rests, of the same people.
    - mates: how many times two members of one team meet.
    """

    repeated: int
    bound: int
    most_meetings: int
    sizes: tuple[tuple[int, int], ...]
    most_odd: int
    least_odd: int
    most_rests: int
    least_rests: int
    mates: int


def compute_game_figures(games: TablePlan) -> GameFigures:
    """Return the figures of the games that are seated."""
    meetings = count_meetings(games.stops)
    odd = count_odd_tables(games)
    rests = Counter(number for table in games.stops for number in table.rests)
    staying = {stay.number for stay in games.stays}
    there = [number for number in range(1, games.competitors + 1) if number not in staying]
    odds = [odd[number] for number in there] or [0]
    resting = [rests[number] for number in there] or [0]
    known = {number for table in games.stops for number in table.people}
    total = meetings.total()
    first = [table for table in games.stops if table.start == 1]
    return GameFigures(
        repeated=total - len(meetings),
        bound=max(0, total - len(known) * (len(known) - 1) // 2),
        most_meetings=max(meetings.values(), default=0),
        sizes=tuple(sorted(Counter(len(table.people) for table in first).items())),
        most_odd=max(odds),
        least_odd=min(odds),
        most_rests=max(resting),
        least_rests=min(resting),
        mates=sum(meetings[pair(one, two)] for team in games.mates for one, two in combinations(team, 2)),
    )


def pair(one: int, two: int) -> tuple[int, int]:
    """Return two numbers, the smaller one first."""
    return (one, two) if one < two else (two, one)


def count_meetings(tables: Iterable[PlanStop]) -> Counter[tuple[int, int]]:
    """Return in how many games each pair of people sits together. The smaller number of a pair comes first."""
    met = {
        (table.position, *pair(one, two))
        for table in tables
        for one, two in combinations(table.people, 2)
        if one != two
    }
    return Counter((one, two) for _game, one, two in met)


def count_odd_tables(games: TablePlan) -> Counter[int]:
    """Return in how many games each person sits at an odd table."""
    odd = {
        (table.position, number) for table in games.stops if len(table.people) != games.usual for number in table.people
    }
    return Counter(number for _game, number in odd)
