"""The reading and writing of games as data for JSON: `read_games(write_games(games)) == games`.

Reading checks the form only; `find_game_faults` checks the games.
"""

from collections.abc import Mapping
from typing import Any

from movements.games.plan import MOST_DEALS, MOST_GAMES, MOST_PEOPLE, Games, GameTable, OddTables, Stay
from movements.plans.plan import PlanError

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
