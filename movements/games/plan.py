"""The games of an evening of free deals as data: the people of each table in each game, and who rests in which deal.

Tables have three to five people. There are no étuis and no lines. This module knows only starting numbers: not who the
players are, nor how the tables were made.

Reading checks the form only; `find_game_faults` checks the games.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from movements.plans.plan import MAX_TABLES, PlanError

MOST_GAMES = 30
MOST_DEALS = 12  # no table deals more in a game
FEWEST_PEOPLE, MOST_PEOPLE = 3, 4 * MAX_TABLES
FEWEST_AT_TABLE, MOST_AT_TABLE = 3, 5
# By the number of people: their places in `GameTable.people`, in the order in which they deal. The seats are N E S,
# N W S E, or N F W S E, where F is the fifth.
TURNS = {3: (0, 2, 1), 4: (0, 3, 2, 1), 5: (0, 4, 3, 2, 1)}


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


class GameTable(NamedTuple):
    """A table in one game.

    - `people`: the starting numbers in the order of the seats North, East, South, West and the fifth.
    - `first`, `last`: the first and the last deal. If somebody comes or leaves within a game, the table has two
      entries.
    - `rests`: for each of these deals the starting number of the person who rests. Empty if nobody rests.
    """

    game: int
    table: int
    people: tuple[int, ...]
    last: int
    first: int = 1
    rests: tuple[int, ...] = ()


class Stay(NamedTuple):
    """The first and the last game of somebody who is not there from start to end.

    Somebody who leaves within a game plays a part of the last one. Somebody who never comes has last < first.
    """

    number: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Games:
    """The games of an evening. Those that are not seated yet have no tables.

    - `people`: how many people there are. Their starting numbers go from 1 to this number.
    - `games`: the number of games of the evening, also of those that are not seated yet.
    - `deals`: how many deals each player plays in a game. A table where one person rests has more deals.
    - `mates`: the starting numbers of each team whose members never meet.
    - `rule`: how the tables were made.
    """

    people: int
    games: int
    deals: int
    odd: OddTables
    tables: tuple[GameTable, ...]
    rule: str
    stays: tuple[Stay, ...] = ()
    mates: tuple[tuple[int, ...], ...] = ()

    @property
    def seated(self) -> int:
        """The number of games that are seated."""
        return max((table.game for table in self.tables), default=0)

    @property
    def usual(self) -> int:
        """The size of a table that is not odd."""
        return USUAL[self.odd]

    def tables_of(self, game: int) -> tuple[GameTable, ...]:
        """Return the tables of a game, in the order of their numbers and deals."""
        return tuple(table for table in self.tables if table.game == game)

    def seats_mates(self, table: GameTable) -> bool:
        """Return whether two members of one team sit at a table of the games."""
        return any(len({*team} & {*table.people}) > 1 for team in self.mates)

    def present(self, game: int) -> tuple[int, ...]:
        """Return the starting numbers of those who are there in a game."""
        stays = {stay.number: stay for stay in self.stays}
        return tuple(
            number
            for number in range(1, self.people + 1)
            if number not in stays or stays[number].first <= game <= stays[number].last
        )


def count_with_rests(deals: int) -> int:
    """Return how many deals a table of five needs if one person rests in each, so that everybody plays `deals`.

    It is five quarters of `deals`, rounded to a whole number, but at most MOST_DEALS. After rounding, some people rest
    once more than others.
    """
    return min(MOST_DEALS, (5 * deals + 2) // 4)


def count_dealt(people: int, deals: int, odd: OddTables) -> int:
    """Return the number of deals in a game at a table with this number of people."""
    return count_with_rests(deals) if people == MOST_AT_TABLE and odd is OddTables.MORT else deals


def list_rests(people: tuple[int, ...], first: int, last: int) -> tuple[int, ...]:
    """Return the person who rests in each of these deals: the one who deals."""
    turn = TURNS[len(people)]
    return tuple(people[turn[(deal - 1) % len(turn)]] for deal in range(first, last + 1))


def lay_table(game: int, table: int, people: tuple[int, ...], deals: int, odd: OddTables) -> GameTable:
    """Return a table of a game with all its deals. With a mort, the dealer rests."""
    last = count_dealt(len(people), deals, odd)
    resting = len(people) == MOST_AT_TABLE and odd is OddTables.MORT
    return GameTable(game, table, people, last, 1, list_rests(people, 1, last) if resting else ())


def split_people(people: int, odd: OddTables) -> tuple[int, ...]:
    """Return the sizes of the tables for a number of people, the largest first.

    THREES makes as few tables of three as possible. Three people, or five, always are one table. Raise PlanError if
    the people cannot be divided in this way.
    """
    if not FEWEST_PEOPLE <= people <= MOST_PEOPLE:
        raise PlanError("players", found=people, least=FEWEST_PEOPLE, most=MOST_PEOPLE)
    if odd in ALIKE:
        return _split_alike(people, USUAL[odd])
    if people in (FEWEST_AT_TABLE, MOST_AT_TABLE):
        return (people,)
    if odd is OddTables.THREES:
        threes = -people % 4
        return (4,) * ((people - 3 * threes) // 4) + (3,) * threes
    fives = people % 4 if odd is not OddTables.FIVES else people - 4 * -(-people // 5)
    fours, left = divmod(people - 5 * fives, 4)
    if left or min(fives, fours) < 0:
        raise PlanError("no_fives", found=people)
    return (5,) * fives + (4,) * fours


def _split_alike(people: int, size: int) -> tuple[int, ...]:
    fewer = people // size * size
    if people != fewer and fewer:
        raise PlanError("not_alike", found=people, size=size, fewer=fewer, more=fewer + size, out=people - fewer)
    if not fewer:
        raise PlanError("too_few_alike", found=people, size=size)
    return (size,) * (people // size)


def check_games(people: int, games: int, deals: int) -> None:
    """Raise PlanError if the number of people, of games or of deals is out of range."""
    if not FEWEST_PEOPLE <= people <= MOST_PEOPLE:
        raise PlanError("players", found=people, least=FEWEST_PEOPLE, most=MOST_PEOPLE)
    if not 1 <= games <= MOST_GAMES:
        raise PlanError("games", found=games, most=MOST_GAMES)
    if not 1 <= deals <= MOST_DEALS:
        raise PlanError("deals", found=deals, most=MOST_DEALS)


def lay_tables(seated: list[list[tuple[int, ...]]], deals: int, odd: OddTables, after: int = 0) -> Iterator[GameTable]:
    """Yield the tables of games whose people are given, game by game and table by table.

    `after`: the number of the game before the first of them.
    """
    for game, tables in enumerate(seated, start=after + 1):
        for table, people in enumerate(tables, start=1):
            yield lay_table(game, table, people, deals, odd)


_KEY = "free_games"  # neither a plan of single players nor one of teams has this key


def write_games(games: Games) -> dict[str, Any]:
    """Return the games as lists, numbers and texts, which JSON can hold."""
    return {
        _KEY: games.games,
        "people": games.people,
        "deals": games.deals,
        "odd": str(games.odd),
        "rule": games.rule,
        "stays": [list(stay) for stay in games.stays],
        "mates": [list(team) for team in games.mates],
        "tables": [
            {
                "game": table.game,
                "table": table.table,
                "people": list(table.people),
                "first": table.first,
                "last": table.last,
                "rests": list(table.rests),
            }
            for table in games.tables
        ],
    }


def is_games(data: Any) -> bool:
    """Return whether the data are of games of free deals, not of a plan with étuis."""
    return isinstance(data, Mapping) and _KEY in data


def read_games(data: Any) -> Games:
    """Return the games from data. Raise PlanError with the name of the first field that is missing or wrong."""
    if not is_games(data):
        raise PlanError("data", field=_KEY)
    try:
        odd = OddTables(data.get("odd"))
    except ValueError as error:
        raise PlanError("data", field="odd") from error
    return Games(
        people=_read_number(data.get("people"), "people", MOST_PEOPLE),
        games=_read_number(data.get(_KEY), _KEY, MOST_GAMES),
        deals=_read_number(data.get("deals"), "deals", MOST_DEALS),
        odd=odd,
        tables=tuple(_read_table(table) for table in _read_list(data.get("tables"), "tables")),
        rule=str(data.get("rule", ""))[:40],
        stays=tuple(_read_stay(stay) for stay in _read_list(data.get("stays", []), "stays")),
        mates=tuple(_read_numbers(team, "mates") for team in _read_list(data.get("mates", []), "mates")),
    )


def _read_table(data: Any) -> GameTable:
    if not isinstance(data, Mapping):
        raise PlanError("data", field="tables")
    return GameTable(
        game=_read_number(data.get("game"), "game", MOST_GAMES),
        table=_read_number(data.get("table"), "table", MOST_PEOPLE),
        people=_read_numbers(data.get("people"), "people"),
        last=_read_number(data.get("last"), "last", MOST_DEALS, least=0),
        first=_read_number(data.get("first", 1), "first", MOST_DEALS + 1),
        rests=_read_numbers(data.get("rests", []), "rests"),
    )


def _read_stay(data: Any) -> Stay:
    numbers = _read_numbers(data, "stays", least=0)
    if len(numbers) != len(Stay._fields):
        raise PlanError("data", field="stays")
    return Stay(*numbers)


def _read_list(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise PlanError("data", field=field)
    return value


def _read_numbers(value: Any, field: str, *, least: int = 1) -> tuple[int, ...]:
    return tuple(_read_number(item, field, MOST_PEOPLE, least=least) for item in _read_list(value, field))


def _read_number(value: Any, field: str, most: int, *, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PlanError("data", field=field)
    return value
