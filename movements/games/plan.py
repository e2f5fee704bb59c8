"""The games of an evening of free deals as data: the people of each table in each game, and who rests in which deal.

Tables have three to five people. There are no étuis and no lines. This module knows only starting numbers: not who the
players are, nor how the tables were made.
"""

from collections.abc import Iterator

from movements.plan.bounds import MAX_TABLES, PlanError
from movements.plan.plan import ALIKE, USUAL, OddTables, Plan, PlanStop, Seating

MOST_GAMES = 30
MOST_DEALS = 12  # no table deals more in a game
FEWEST_PEOPLE, MOST_PEOPLE = 3, 4 * MAX_TABLES
FEWEST_AT_TABLE, MOST_AT_TABLE = 3, 5
# By the number of people: their places in `PlanStop.people`, in the order in which they deal. The seats are N E S,
# N W S E, or N F W S E, where F is the fifth.
TURNS = {3: (0, 2, 1), 4: (0, 3, 2, 1), 5: (0, 4, 3, 2, 1)}


def start_games(
    people: int, games: int, deals: int, odd: OddTables = OddTables.THREES, *, mates: tuple[tuple[int, ...], ...] = ()
) -> Plan[int]:
    """Return the plan of an evening of which no game is seated yet. `deals`: how many each plays in a game."""
    return Plan(Seating.TABLES, people, games, deals, (), "", mates=mates, odd=odd)


def lay_part(game: int, table: int, people: tuple[int, ...], deals: range, odd: OddTables) -> PlanStop[int]:
    """Return the entry of a table for some deals of a game. With a mort, the dealer rests."""
    resting = len(people) == MOST_AT_TABLE and odd is OddTables.MORT
    rests = list_rests(people, deals[0], deals[-1]) if resting else ()
    return PlanStop(game, table, tuple(deals), people, rests=rests)


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


def lay_table(game: int, table: int, people: tuple[int, ...], deals: int, odd: OddTables) -> PlanStop[int]:
    """Return a table of a game with all its deals. With a mort, the dealer rests."""
    return lay_part(game, table, people, range(1, count_dealt(len(people), deals, odd) + 1), odd)


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


def lay_tables(
    seated: list[list[tuple[int, ...]]], deals: int, odd: OddTables, after: int = 0
) -> Iterator[PlanStop[int]]:
    """Yield the tables of games whose people are given, game by game and table by table.

    `after`: the number of the game before the first of them.
    """
    for game, tables in enumerate(seated, start=after + 1):
        for table, people in enumerate(tables, start=1):
            yield lay_table(game, table, people, deals, odd)
