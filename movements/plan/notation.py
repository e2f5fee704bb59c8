"""The reading and writing of a plan of an evening as data for JSON.

Reading what was written gives the plan again. It checks the form only; `find_plan_faults` checks the plan. Databases,
archives and backups of before have two other forms: of teams with a first and a second one, and of games with people.
They are read too.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from movements.plan.bounds import MAX_POSITIONS, MAX_TABLES, PlanError
from movements.plan.tables import OddTables, PlanStop, Stay, TablePlan, TableSeating

Choice = TypeVar("Choice", bound=StrEnum)
_LARGEST = 9999  # the largest number in a plan
_LARGEST_DEAL = 100  # above the number of every deal of a game
_MOST = 4 * MAX_TABLES


def write_table_plan(plan: TablePlan) -> dict[str, Any]:
    """Return the plan as lists, numbers, texts and None, which JSON can hold."""
    return {
        "seating": str(plan.seating),
        "competitors": plan.competitors,
        "positions": plan.positions,
        "etuis_per_position": plan.etuis_per_position,
        "rule": plan.rule,
        "tables": plan.tables,
        "lines": list(plan.lines),
        "stays": [list(stay) for stay in plan.stays],
        "mates": [list(team) for team in plan.mates],
        "odd": str(plan.odd),
        "stops": [
            {
                "position": stop.position,
                "table": stop.table,
                "etuis": list(stop.etuis),
                "seats": list(stop.seats),
                "badge": stop.badge,
                "rests": list(stop.rests),
            }
            for stop in plan.stops
        ],
    }


def is_table_plan(data: Any) -> bool:
    """Return whether the data are of such a plan, also in a form of before, and not of a plan of four lines."""
    return isinstance(data, Mapping) and ("stops" in data or "free_games" in data)


def is_games(data: Any) -> bool:
    """Return whether the data are of a plan that is seated game by game."""
    return isinstance(data, Mapping) and ("free_games" in data or data.get("seating") == TableSeating.TABLES)


def is_team_plan(data: Any) -> bool:
    """Return whether the data are of a plan of teams."""
    return is_table_plan(data) and not is_games(data)


def read_table_plan(data: Any) -> TablePlan:
    """Return the plan from data. Raise PlanError with the name of the first field that is missing or wrong."""
    if not is_table_plan(data):
        raise PlanError("data", field="stops", expected="a list of tables")
    data = _rewrite_older(data)
    seating = _read_choice(TableSeating, data.get("seating"), "seating")
    stops = tuple(_read_stop(stop) for stop in _read_list(data["stops"], "stops"))
    if not stops and seating is not TableSeating.TABLES:
        raise PlanError("data", field="stops", expected="a list of tables")
    lines = _read_numbers(data.get("lines", []), "lines", least=0)
    if len(lines) not in (0, 2):
        raise PlanError("data", field="lines", expected="no number, or two")
    stays = [_read_numbers(stay, "stays", least=0) for stay in _read_list(data.get("stays", []), "stays")]
    if any(len(stay) != len(Stay._fields) for stay in stays):
        raise PlanError("data", field="stays")
    return TablePlan(
        seating=seating,
        competitors=_read_number(data.get("competitors"), "competitors", most=_MOST),
        positions=_read_number(data.get("positions"), "positions", most=MAX_POSITIONS),
        etuis_per_position=_read_number(data.get("etuis_per_position"), "etuis_per_position"),
        stops=stops,
        rule=str(data.get("rule", ""))[:40],
        tables=_read_number(data.get("tables", 0), "tables", least=0),
        lines=lines,
        stays=tuple(Stay(*stay) for stay in stays),
        mates=tuple(_read_numbers(team, "mates") for team in _read_list(data.get("mates", []), "mates")),
        odd=_read_choice(OddTables, data.get("odd", "threes"), "odd"),
    )


def _read_stop(data: Any) -> PlanStop:
    if not isinstance(data, Mapping):
        raise PlanError("data", field="stops", expected="a list of tables")
    etuis = _read_numbers(data.get("etuis"), "etuis")
    if not etuis:
        raise PlanError("data", field="etuis", expected="a list of numbers")
    seats = [None if seat is None else _read_number(seat, "seats") for seat in _read_list(data.get("seats"), "seats")]
    return PlanStop(
        _read_number(data.get("position"), "position"),
        _read_number(data.get("table"), "table"),
        etuis,
        tuple(seats),
        _read_number(data.get("badge", 0), "badge", least=0),
        _read_numbers(data.get("rests", []), "rests"),
    )


def _read_choice(choices: type[Choice], value: Any, field: str) -> Choice:
    try:
        return choices(value)
    except ValueError as error:
        raise PlanError("data", field=field, expected=", ".join(choices)) from error


def _read_list(value: Any, field: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise PlanError("data", field=field, expected="a list")
    return value


def _read_numbers(value: Any, field: str, *, least: int = 1) -> tuple[int, ...]:
    return tuple(_read_number(number, field, least=least) for number in _read_list(value, field))


def _read_number(value: Any, field: str, *, least: int = 1, most: int = _LARGEST) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise PlanError("data", field=field, expected=f"{least}–{most}")
    return value


def _rewrite_older(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data in the form of today. Values of a wrong type stay as they are: the reader refuses them."""
    if "free_games" in data:
        return _rewrite_games(data)
    return _rewrite_teams(data) if "competitors" not in data else data


def _rewrite_teams(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data of a plan of teams, whose counts of tables and positions were those of its stops."""
    stops = data["stops"]
    if not isinstance(stops, list) or not all(isinstance(stop, Mapping) for stop in stops):
        return data
    return {
        **data,
        "competitors": data.get("teams"),
        "lines": data.get("lines") or [],
        "stops": [{**stop, "seats": [stop.get("first"), stop.get("second")]} for stop in stops],
    }


def _rewrite_games(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data of games. A table had the numbers of its first and its last deal."""
    tables = data.get("tables")
    stops = [_rewrite_table(table) for table in tables] if isinstance(tables, list) else tables
    return {
        **data,
        "seating": "tables",
        "competitors": data.get("people"),
        "positions": data["free_games"],
        "etuis_per_position": data.get("deals"),
        "tables": 0,
        "stops": stops,
    }


def _rewrite_table(table: Any) -> Any:
    if not isinstance(table, Mapping):
        return table
    first, last = table.get("first", 1), table.get("last")
    etuis = (
        [*range(first, last + 1)] if isinstance(first, int) and isinstance(last, int) and last < _LARGEST_DEAL else last
    )
    return {**table, "position": table.get("game"), "etuis": etuis, "seats": table.get("people")}
