"""The seats of tables that play the same étuis: turned so that everybody is compared with many different people.

In a session with étuis, the marks of a seat are compared with those of the same seat at the other tables. There is one
ranking, so nobody should always be compared with the same people.
"""

from collections import Counter
from dataclasses import replace

from movements.games.figures import pair
from movements.games.plan import Games, GameTable


def turn_seats(games: Games) -> Games:
    """Return the games with the people of some tables moved on by some seats. Nobody changes table.

    Table after table gets the turn by which the fewest pairs are compared again. The same games give the same result.
    """
    compared: Counter[tuple[int, int]] = Counter()
    turned: list[GameTable] = []
    for game in range(1, games.seated + 1):
        columns: list[list[int]] = [[] for _ in range(games.usual)]
        for table in games.tables_of(game):
            ways = [table.people[turn:] + table.people[:turn] for turn in range(len(table.people))]
            people = min(ways, key=lambda way: _weigh(way, columns, compared))
            for column, number in zip(columns, people, strict=True):
                compared.update(pair(number, other) for other in column)
                column.append(number)
            turned.append(table._replace(people=people))
    return replace(games, tables=tuple(turned))


def _weigh(people: tuple[int, ...], columns: list[list[int]], compared: Counter[tuple[int, int]]) -> int:
    """Return how often the new pairs have been compared before, each pair counting by its square."""
    again = (compared[pair(number, other)] for number, column in zip(people, columns, strict=True) for other in column)
    return sum(2 * times + 1 for times in again)
