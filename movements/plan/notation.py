"""The reading and writing of a plan of an evening as data for JSON.

Reading what was written gives the plan again. It checks the form only; `find_faults` checks the plan. Databases,
archives and backups of before have three other forms, which are read too. Four lines had plays, teams a first and a
second one, games had people. Plans of four lines still have the first of these forms in files and in the API.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from deals.domain.cards import LINES
from movements.plan.bounds import MAX_ETUIS_PER_POSITION, MAX_POSITIONS, MAX_TABLES, PlanError, check_counts
from movements.plan.plan import (
    SEATS,
    LinePlan,
    Member,
    OddTables,
    Plan,
    PlanStop,
    Seating,
    Shifts,
    Stay,
    make_line_plan,
    resize_lines,
)

Choice = TypeVar("Choice", bound=StrEnum)
MAX_ROWS = MAX_TABLES * MAX_POSITIONS
LARGEST_LINE = 2 * MAX_TABLES
_LARGEST = 9999  # the largest number in a plan
_LARGEST_DEAL = 100  # above the number of every deal of a game
_LONGEST_RULE = 40
_MOST = 4 * MAX_TABLES
MEMBER = re.compile(r"([NESWO])([0-9]{1,4})", re.IGNORECASE)  # a player's name; O is Ouest, the French West


def write_plan(plan: Plan[Member] | Plan[int]) -> dict[str, Any]:
    """Return the plan as lists, numbers, texts and None, which JSON can hold."""
    data = {
        "seating": str(plan.seating),
        "competitors": plan.competitors,
        "positions": plan.positions,
        "etuis_per_position": plan.etuis_per_position,
        "rule": plan.rule,
        "tables": plan.tables,
        "lines": list(plan.lines),
        "stays": [[_write_name(who), first, last] for who, first, last in plan.stays],
        "stops": [
            {
                "position": stop.position,
                "table": stop.table,
                "etuis": list(stop.etuis),
                "seats": [write_seat(seat, who) for seat, who in enumerate(stop.seats)],
            }
            | ({} if plan.seating is Seating.LINES else {"badge": stop.badge, "rests": list(stop.rests)})
            for stop in plan.stops
        ],
    }
    if plan.seating is not Seating.LINES:
        return data | {"mates": [list(team) for team in plan.mates], "odd": str(plan.odd)}
    return data | {
        "barometer_after": plan.barometer_after,
        "shifts": None if plan.shifts is None else list(plan.shifts),
        "fillers": [_write_name(who) for who in plan.fillers],
        "rovers": [_write_name(who) for who in plan.rovers],
    }


def write_plays(plan: LinePlan) -> dict[str, Any]:
    """Return a plan of four lines as files and the API have it: with plays, each with its N, E, S and W."""
    data = write_plan(plan)
    plays = [
        {name: stop[name] for name in ("position", "table", "etuis")} | dict(zip(LINES, stop["seats"], strict=True))
        for stop in data["stops"]
    ]
    names = ("tables", "positions", "etuis_per_position", "lines", "rule", "barometer_after", "shifts")
    return {name: data[name] for name in names} | {
        "fillers": [list(member) for member in plan.fillers],
        "spans": [[*stay.competitor, stay.first, stay.last] for stay in plan.stays],
        "rovers": [list(member) for member in plan.rovers],
        "plays": plays,
    }


def write_seat(seat: int, who: Member | int | None) -> int | str | None:
    """Return the competitor in a seat as a number, or as a name such as "N3" if the player is of another line."""
    return (who.number if who.line == seat else who.name) if isinstance(who, Member) else who


def _write_name(who: Member | int) -> int | str:
    return who.name if isinstance(who, Member) else who


def find_seating(data: Any) -> Seating | None:
    """Return the seating of a plan from its data, also in a form of before. Return None if they are of no plan."""
    if not isinstance(data, Mapping):
        return None
    if "plays" in data:
        return Seating.LINES
    if "free_games" in data:
        return Seating.TABLES
    return _read_choice(Seating, data.get("seating"), "seating") if "stops" in data else None


def is_games(data: Any) -> bool:
    """Return whether the data are of a plan that is seated game by game."""
    return find_seating(data) is Seating.TABLES


def is_team_plan(data: Any) -> bool:
    """Return whether the data are of a plan of teams."""
    return find_seating(data) in (Seating.SIDES, Seating.MIRROR, Seating.BADGES)


def read_line_plan(data: Any) -> LinePlan:
    """Return a plan of four lines from data that somebody may have written. Raise PlanError as `read_plan` does.

    The data must have the plays. Other fields that are missing are derived from them.
    """
    if not isinstance(data, Mapping):
        raise PlanError("data", field="plan", expected="an object")
    if "plays" not in data and find_seating(data) is not Seating.LINES:
        raise PlanError("data", field="plays", expected="a list of objects")
    return read_plan(data)


def read_plan(data: Any) -> Plan[Any]:
    """Return the plan from data. Raise PlanError with the name of the first field that is missing or wrong."""
    seating = find_seating(data)
    if seating is None:
        raise PlanError("data", field="stops", expected="a list of tables")
    try:
        return _read_fields(seating, _rewrite_older(seating, data))
    except PlanError as error:
        if error.code != "data" or "plays" not in data:
            raise
        field, space, rest = str(error.params["field"]).partition(" ")
        named = {"stops": "plays", "stays": "spans"}.get(field, field)
        raise PlanError("data", field=named + space + rest, expected=error.params["expected"]) from error


def _read_fields(seating: Seating, data: Mapping[str, Any]) -> Plan[Any]:
    """Return the plan from data in the form of today. What a plan of four lines lacks is derived from its tables."""
    of_lines = seating is Seating.LINES
    rows = _read_list(data.get("stops"), "stops", "a list of tables")
    if len(rows) > MAX_ROWS or not (rows or of_lines or seating is Seating.TABLES):
        raise PlanError("data", field="stops", expected=f"1 to {MAX_ROWS} tables")
    stops = tuple(_read_stop(row, index, seating) for index, row in enumerate(rows, start=1))
    bare: Plan[Any] = derive_plan(stops) if of_lines else Plan(seating, 0, 0, 0, stops, "")
    who = partial(_read_competitor, seating=seating)
    readers: dict[str, Callable[[Any, str], Any]] = {
        "competitors": partial(_read_number, most=_MOST),
        "positions": _read_number,
        "etuis_per_position": _read_number,
        "rule": _read_rule,
        "tables": partial(_read_number, least=int(of_lines)),
        "lines": partial(_read_numbers, least=0, most=LARGEST_LINE),
        "stays": _read_each(partial(_read_stay, who=who)),
        "mates": _read_each(_read_numbers),
        "odd": partial(_read_choice, OddTables),
        "barometer_after": _read_any(partial(_read_number, least=0)),
        "shifts": _read_any(_read_shifts),
        "fillers": _read_each(who),
        "rovers": _read_each(who),
    }
    needed = () if of_lines else ("competitors", "positions", "etuis_per_position")
    read = {name: reader(data.get(name), name) for name, reader in readers.items() if name in data or name in needed}
    plan = replace(bare, **read)
    if len(plan.lines) not in ((SEATS,) if of_lines else (0, 2)):
        raise PlanError("data", field="lines", expected="the number of competitors of each line")
    check_counts(tables=plan.tables or 1, positions=plan.positions, etuis_per_position=plan.etuis_per_position)
    return resize_lines(plan, plan.lines) if of_lines else plan


def derive_plan(stops: tuple[PlanStop[Member], ...]) -> LinePlan:
    """Return the plan of four lines with these tables, sorted by position and table. All else is derived from them.

    Raise PlanError if there is no table.
    """
    if not stops:
        raise PlanError("empty")
    sets: dict[int, list[tuple[int, ...]]] = {}
    for stop in stops:
        sets.setdefault(stop.position, []).append(stop.etuis)
    barometer_after = max((position for position, laid in sets.items() if len({*laid}) > 1), default=0)
    together = any(position > barometer_after and len(laid) > 1 for position, laid in sets.items())
    members = {member for stop in stops for member in stop.people}
    lines = tuple(max((number for of, number in members if of == line), default=0) for line in range(SEATS))
    astray = {who for stop in stops for seat, who in enumerate(stop.seats) if who is not None and who.line != seat}
    plan = make_line_plan(lines, max(sets), len(stops[0].etuis), sorted(stops, key=lambda stop: stop[:2]), "imported")
    return replace(plan, barometer_after=barometer_after if together else None, rovers=tuple(sorted(astray)))


def _read_stop(row: Any, index: int, seating: Seating) -> PlanStop[Any]:
    where = f"stops {index}"
    if not isinstance(row, Mapping):
        raise PlanError("data", field=where, expected="an object")
    position, table = (_read_number(row.get(name), f"{where}: {name}") for name in ("position", "table"))
    etuis = _read_numbers(row.get("etuis"), f"{where}: etuis")
    if not 1 <= len(etuis) <= MAX_ETUIS_PER_POSITION:
        raise PlanError("data", field=f"{where}: etuis", expected=f"1 to {MAX_ETUIS_PER_POSITION} numbers")
    values = _read_list(row.get("seats"), f"{where}: seats")
    names: Sequence[str] = LINES if seating is Seating.LINES else ["seats"] * len(values)
    if len(values) != len(names):
        raise PlanError("data", field=f"{where}: seats", expected=", ".join(LINES))
    seats = tuple(
        _read_competitor(value, f"{where}: {name}", seating, seat)
        for seat, (value, name) in enumerate(zip(values, names, strict=True))
    )
    badge = _read_number(row.get("badge", 0), f"{where}: badge", least=0)
    return PlanStop(position, table, etuis, seats, badge, _read_numbers(row.get("rests", []), f"{where}: rests"))


def _read_competitor(value: Any, field: str, seating: Seating, seat: int | None = None) -> Any:
    """Return the competitor: a number, or of four lines a member such as “N3”. None may be in a seat.

    A number in a seat of four lines is a player of the seat's line.
    """
    if value is None and seat is not None:
        return None
    if seating is not Seating.LINES:
        return _read_number(value, field)
    if isinstance(value, str) and (named := MEMBER.fullmatch(value)):
        return read_member(named[1], _read_number(int(named[2]), field, most=LARGEST_LINE))
    if seat is None:
        raise PlanError("data", field=field, expected="names of players, such as N3")
    return Member(seat, _read_number(value, field, most=LARGEST_LINE))


def read_member(letter: str, number: int) -> Member:
    """Return the player of the line with this letter. O is Ouest, the French West."""
    return Member(LINES.index(letter.upper().replace("O", "W")), number)


def _read_stay(value: Any, field: str, who: Callable[[Any, str], Any]) -> Stay[Any]:
    values = _read_list(value, field)
    if len(values) != len(Stay._fields):
        raise PlanError("data", field=field, expected="a list of who, the first and the last position")
    first, last = _read_numbers(values[1:], field, least=0)
    return Stay(who(values[0], field), first, last)


def _read_choice(choices: type[Choice], value: Any, field: str) -> Choice:
    try:
        return choices(value)
    except ValueError as error:
        raise PlanError("data", field=field, expected=", ".join(choices)) from error


def _read_each(reader: Callable[[Any, str], Any]) -> Callable[[Any, str], tuple[Any, ...]]:
    """Return the reader of a list, all of whose values this reader reads."""
    return lambda value, field: tuple(reader(each, field) for each in _read_list(value, field))


def _read_any(reader: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """Return the reader of a value that may be None, else this reader reads it."""
    return lambda value, field: None if value is None else reader(value, field)


def _read_shifts(value: Any, field: str) -> Shifts:
    numbers = _read_numbers(value, field, least=-_LARGEST)
    if len(numbers) != len(Shifts._fields):
        raise PlanError("data", field=field, expected="a list of 5 numbers")
    return Shifts(*numbers)


def _read_rule(value: Any, field: str) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_RULE:
        raise PlanError("data", field=field, expected="a short text")
    return value


def _read_list(value: Any, field: str, expected: str = "a list") -> Sequence[Any]:
    if not isinstance(value, list):
        raise PlanError("data", field=field, expected=expected)
    return value


def _read_numbers(value: Any, field: str, *, least: int = 1, most: int = _LARGEST) -> tuple[int, ...]:
    return tuple(_read_number(number, field, least=least, most=most) for number in _read_list(value, field))


def _read_number(value: Any, field: str, *, least: int = 1, most: int = _LARGEST) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise PlanError("data", field=field, expected=f"a whole number from {least} to {most}")
    return value


# The forms of before. Values of a wrong type stay as they are: the reader refuses them.


def _rewrite_older(seating: Seating, data: Mapping[str, Any]) -> Mapping[str, Any]:
    if "free_games" in data:
        return _rewrite_games(data)
    if seating is Seating.LINES:
        return data if "stops" in data else _rewrite_plays(data)
    return data if "competitors" in data else _rewrite_teams(data)


def _rewrite_plays(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data of a plan of four lines, whose plays had a key for each line."""
    rewritten = {**data, "stops": data["plays"]}
    if isinstance(data["plays"], list):
        rewritten["stops"] = [
            {**row, "seats": [row.get(line) for line in LINES]} if isinstance(row, Mapping) else row
            for row in data["plays"]
        ]
    for old, new in (("spans", "stays"), ("fillers", "fillers"), ("rovers", "rovers")):
        if isinstance(data.get(old), list):
            rewritten[new] = [_name_member(who) for who in data[old]]
        elif old in data:
            rewritten[new] = data[old]
    return rewritten


def _name_member(who: Any) -> Any:
    """Return a member, whose line and number may be followed by a first and a last position, as a name such as "N3"."""
    if not isinstance(who, list) or len(who) not in (2, 4):
        return who
    line, number, *span = who
    if type(line) is not int or type(number) is not int or not 0 <= line < SEATS:
        return who
    return [f"{LINES[line]}{number}", *span] if span else f"{LINES[line]}{number}"


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
