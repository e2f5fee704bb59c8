"""The reading and writing of plans: as data for JSON, and as CSV.

Reading data gives the plan again: `read_plan_data(write_plan_data(plan)) == plan`. A CSV has one line for each table of
each position, with its players and étuis, and nothing else. Reading checks the form only; `find_faults` checks the
plan.
"""

import csv
import io
import re
from collections.abc import Mapping
from typing import Any

from deals.domain.cards import LINES
from movements.plan.bounds import MAX_ETUIS_PER_POSITION, MAX_POSITIONS, MAX_TABLES, PlanError, check_counts
from movements.plans.plan import SEATS, Member, Plan, PlannedPlay, Seated, Shifts, Span, name_seat
from wording.table import find_delimiter

COLUMNS = ("position", "table", *LINES, "etuis")
MAX_ROWS = MAX_TABLES * MAX_POSITIONS
_OTHER_NAMES = {"o": "w", "étuis": "etuis", "boards": "etuis"}  # "o" is Ouest, the French West
_LARGEST = 9999  # the largest number of an étui
_LARGEST_LINE = 2 * MAX_TABLES
_ROVER = re.compile(r"([NESWO])([0-9]{1,4})", re.IGNORECASE)
_RANGE = re.compile(r"([0-9]{1,4})(?:\s*[-–]\s*([0-9]{1,4}))?")


def write_plan_data(plan: Plan) -> dict[str, Any]:
    """Return the plan as lists, numbers, texts and None, which JSON can hold."""
    return {
        "tables": plan.tables,
        "positions": plan.positions,
        "etuis_per_position": plan.etuis_per_position,
        "lines": list(plan.lines),
        "rule": plan.rule,
        "barometer_after": plan.barometer_after,
        "shifts": None if plan.shifts is None else list(plan.shifts),
        "fillers": [list(member) for member in plan.fillers],
        "spans": [list(span) for span in plan.spans],
        "rovers": [list(member) for member in plan.rovers],
        "plays": [
            {"position": play.position, "table": play.table, "etuis": list(play.etuis)}
            | dict(zip(LINES, map(_write, play.players), strict=True))
            for play in plan.plays
        ],
    }


def read_plan_data(data: Mapping[str, Any]) -> Plan:
    """Return the plan from data of `write_plan_data`.

    The data must have the plays. Other fields that are missing are derived from the plays. Raise PlanError with the
    name of the first field that is missing or wrong.
    """
    if not isinstance(data, Mapping):
        raise PlanError("data", field="plan", expected="an object")
    rows = _list(data, "plays", "a list of objects")
    if len(rows) > MAX_ROWS:
        raise PlanError("data", field="plays", expected=f"at most {MAX_ROWS} tables")
    bare = _plan(tuple(_play(row, index) for index, row in enumerate(rows, start=1)))
    barometer_after = data.get("barometer_after", bare.barometer_after)
    shifts = data.get("shifts")
    lines = _numbers(data.get("lines", list(bare.lines)), "lines", SEATS, least=0, most=_LARGEST_LINE)
    rovers = [list(member) for member in bare.rovers]
    plan = Plan(
        tables=_number(data.get("tables", bare.tables), "tables"),
        positions=_number(data.get("positions", bare.positions), "positions"),
        etuis_per_position=_number(data.get("etuis_per_position", bare.etuis_per_position), "etuis_per_position"),
        lines=lines,
        plays=bare.plays,
        rule=_rule(data.get("rule", bare.rule)),
        barometer_after=None if barometer_after is None else _number(barometer_after, "barometer_after", least=0),
        shifts=None if shifts is None else Shifts(*_numbers(shifts, "shifts", len(Shifts._fields), least=-_LARGEST)),
        fillers=tuple(Member(*_numbers(item, "fillers", 2, least=0)) for item in _list(data, "fillers", "a list", [])),
        spans=tuple(Span(*_numbers(item, "spans", 4, least=0)) for item in _list(data, "spans", "a list", [])),
        rovers=tuple(Member(*_numbers(item, "rovers", 2, least=0)) for item in _list(data, "rovers", "a list", rovers)),
    )
    check_counts(tables=plan.tables, positions=plan.positions, etuis_per_position=plan.etuis_per_position)
    return plan


def to_csv(plan: Plan) -> str:
    """Return the plan as CSV, with a line for each table of each position.

    A seat holds a starting number, or nothing if it is empty. A player who sits on another line than their own has that
    line before the number, as N3. Étuis are written as a range (5-8) or a list (5 7 9).
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for play in plan.plays:
        seats = ["" if seated is None else _write(seated) for seated in play.players]
        writer.writerow([play.position, play.table, *seats, _etuis_as_text(play.etuis)])
    return out.getvalue()


def csv_lines(text: str) -> Any:
    """Return a CSV reader of the text. Its attribute `line_num` is the number of the last line read.

    The delimiter is that of the first line.
    """
    text = text.removeprefix("\ufeff")
    return csv.reader(io.StringIO(text), delimiter=find_delimiter(text.partition("\n")[0]) or ",")


def from_csv(text: str) -> Plan:
    """Return the plan from a CSV of `to_csv`.

    Lines and columns may come in any order. Commas, semicolons or tabs separate cells. Raise PlanError with the number
    of the wrong line; the heading is line 1.
    """
    reader = csv_lines(text)
    names = [name.strip().lower() for name in next(reader, [])]
    names = [_OTHER_NAMES.get(name, name) for name in names]
    wanted = [name.lower() for name in COLUMNS]
    if sorted(names) != sorted(wanted):
        raise PlanError("fields", fields=", ".join(COLUMNS))
    plays: dict[tuple[int, int], PlannedPlay] = {}
    rows: dict[tuple[int, int], int] = {}
    for fields in reader:
        row = reader.line_num
        if not any(field.strip() for field in fields):
            continue
        if len(fields) != len(names):
            raise PlanError("width", row=row, found=len(fields), expected=len(names))
        play = _read_row(dict(zip(names, (field.strip() for field in fields), strict=True)), row)
        spot = play.position, play.table
        if spot in plays:
            raise PlanError("twice", row=row, position=play.position, table=play.table, first=rows[spot])
        first = next(iter(plays.values()), play)
        if len(play.etuis) != len(first.etuis):
            expected = len(first.etuis)
            start = rows[first.position, first.table]
            raise PlanError("uneven", row=row, found=len(play.etuis), first=start, expected=expected)
        plays[spot], rows[spot] = play, row
    return _plan(tuple(plays[spot] for spot in sorted(plays)))


def _write(seated: Seated) -> int | str | None:
    """Return the number of a seated player, or line and number, as N3, for a player who sits on another line."""
    return f"{LINES[seated.line]}{seated.number}" if isinstance(seated, Member) else seated


def _plan(plays: tuple[PlannedPlay, ...]) -> Plan:
    """Return a plan of which only the plays are known. Everything else is derived from them.

    The plan is in barometer after the last position in which two tables play different étuis. A player who sits on
    another line than their own is a rover.
    """
    if not plays:
        raise PlanError("empty")
    positions = max(play.position for play in plays)
    etuis: dict[int, set[tuple[int, ...]]] = {}
    crowded = set()
    for play in plays:
        if play.position in etuis:
            crowded.add(play.position)
        etuis.setdefault(play.position, set()).add(play.etuis)
    moving = [position for position in etuis if len(etuis[position]) > 1]
    barometer_after = max(moving, default=0)
    together = any(position > barometer_after for position in crowded)
    return Plan(
        tables=max(play.table for play in plays),
        positions=positions,
        etuis_per_position=len(plays[0].etuis),
        lines=tuple(
            max((number for play in plays for of, number in play.members if of == line), default=0)
            for line in range(SEATS)
        ),
        plays=plays,
        rule="imported",
        barometer_after=barometer_after if together else None,
        rovers=tuple(sorted({seated for play in plays for seated in play.players if isinstance(seated, Member)})),
    )


def _read_row(fields: dict[str, str], row: int) -> PlannedPlay:
    limits = {"position": MAX_POSITIONS, "table": MAX_TABLES}
    position, table = (_read_number(fields[name], row, name, limits[name]) for name in limits)
    players = tuple(_read_seat(fields[line.lower()], row, line) for line in LINES)
    return PlannedPlay(position, table, _read_etuis(fields["etuis"], row), players)


def _read_seat(text: str, row: int, line: str) -> Seated:
    """Return the player that a cell names: a number, or a player of another line such as N3. O is West, as W is."""
    if (rover := _ROVER.fullmatch(text)) is None:
        return _read_number(text, row, line, _LARGEST_LINE) if text else None
    number = _read_number(rover[2], row, line, _LARGEST_LINE)
    return name_seat(LINES.index(line), Member(_line(rover[1]), number))


def _line(letter: str) -> int:
    return LINES.index(letter.upper().replace("O", "W"))


def _read_number(text: str, row: int, field: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= most:
        raise PlanError("value", row=row, field=field, value=text, expected=f"a number from 1 to {most}")
    return int(text)


def _read_etuis(text: str, row: int) -> tuple[int, ...]:
    """Return the étuis of a text such as “5-8”, “5 6 7 8” or “5-6 9”."""
    etuis: list[int] = []
    for first, last in _RANGE.findall(text):
        etuis += range(int(first), min(int(last or first), int(first) + MAX_ETUIS_PER_POSITION) + 1)
    understood = not re.sub(r"[\s,;+]", "", _RANGE.sub("", text))
    different = 0 not in etuis and len(set(etuis)) == len(etuis)
    if not (understood and different and 1 <= len(etuis) <= MAX_ETUIS_PER_POSITION):
        expected = f"1 to {MAX_ETUIS_PER_POSITION} different étuis, as 5-8 or 5 6 7 8"
        raise PlanError("value", row=row, field="etuis", value=text, expected=expected)
    return tuple(etuis)


def _etuis_as_text(etuis: tuple[int, ...]) -> str:
    if len(etuis) > 2 and etuis == tuple(range(etuis[0], etuis[-1] + 1)):
        return f"{etuis[0]}-{etuis[-1]}"
    return " ".join(map(str, etuis))


def _play(row: Any, index: int) -> PlannedPlay:
    if not isinstance(row, Mapping):
        raise PlanError("data", field=f"plays {index}", expected="an object")
    numbers = [_number(row.get(name), f"plays {index}: {name}") for name in ("position", "table")]
    players = tuple(_read_seat_data(row.get(line), index, line) for line in LINES)
    etuis = row.get("etuis")
    if not isinstance(etuis, list) or not 1 <= len(etuis) <= MAX_ETUIS_PER_POSITION:
        raise PlanError("data", field=f"plays {index}: etuis", expected=f"1 to {MAX_ETUIS_PER_POSITION} numbers")
    return PlannedPlay(numbers[0], numbers[1], _numbers(etuis, f"plays {index}: etuis", len(etuis)), players)


def _read_seat_data(value: Any, index: int, line: str) -> Seated:
    field = f"plays {index}: {line}"
    if isinstance(value, str) and (rover := _ROVER.fullmatch(value)):
        member = Member(_line(rover[1]), _number(int(rover[2]), field, most=_LARGEST_LINE))
        return name_seat(LINES.index(line), member)
    return None if value is None else _number(value, field, most=_LARGEST_LINE)


def _number(value: Any, field: str, *, least: int = 1, most: int = _LARGEST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PlanError("data", field=field, expected=f"a whole number from {least} to {most}")
    return value


def _numbers(value: Any, field: str, count: int, *, least: int = 1, most: int = _LARGEST) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != count:
        raise PlanError("data", field=field, expected=f"a list of {count} numbers")
    return tuple(_number(item, field, least=least, most=most) for item in value)


def _rule(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 40:
        raise PlanError("data", field="rule", expected="a short text")
    return value


def _list(data: Mapping[str, Any], name: str, expected: str, default: list[Any] | None = None) -> list[Any]:
    value = data.get(name, default)
    if not isinstance(value, list):
        raise PlanError("data", field=name, expected=expected)
    return value
