"""The reading and writing of plans of four lines as CSV, for spreadsheets.

A CSV has one line for each table of each position, with its players and étuis, and nothing else. Reading checks the
form only; `find_faults` checks the plan.
"""

import csv
import io
import re
from typing import Any

from deals.domain.cards import LINES
from movements.plan.bounds import MAX_ETUIS_PER_POSITION, MAX_POSITIONS, MAX_TABLES, PlanError
from movements.plan.notation import LARGEST_LINE, MEMBER, derive_plan, read_member, write_seat
from movements.plan.plan import LinePlan, Member, PlanStop
from wording.table import find_delimiter

COLUMNS = ("position", "table", *LINES, "etuis")
_OTHER_NAMES = {"o": "w", "étuis": "etuis", "boards": "etuis"}  # "o" is Ouest, the French West
_RANGE = re.compile(r"([0-9]{1,4})(?:\s*[-–]\s*([0-9]{1,4}))?")


def to_csv(plan: LinePlan) -> str:
    """Return the plan as CSV, with a line for each table of each position.

    A seat holds a starting number, or nothing if it is empty. A player who sits on another line than their own has that
    line before the number, as N3. Étuis are written as a range (5-8) or a list (5 7 9).
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for stop in plan.stops:
        seats = [write_seat(seat, who) for seat, who in enumerate(stop.seats)]
        writer.writerow([stop.position, stop.table, *seats, _write_etuis(stop.etuis)])
    return out.getvalue()


def csv_lines(text: str) -> Any:
    """Return a CSV reader of the text. Its attribute `line_num` is the number of the last line read.

    The delimiter is that of the first line.
    """
    text = text.removeprefix("\ufeff")
    return csv.reader(io.StringIO(text), delimiter=find_delimiter(text.partition("\n")[0]) or ",")


def from_csv(text: str) -> LinePlan:
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
    stops: dict[tuple[int, int], PlanStop[Member]] = {}
    rows: dict[tuple[int, int], int] = {}
    for fields in reader:
        row = reader.line_num
        if not any(field.strip() for field in fields):
            continue
        if len(fields) != len(names):
            raise PlanError("width", row=row, found=len(fields), expected=len(names))
        stop = _read_row(dict(zip(names, (field.strip() for field in fields), strict=True)), row)
        spot = stop.position, stop.table
        if spot in stops:
            raise PlanError("twice", row=row, position=stop.position, table=stop.table, first=rows[spot])
        first = next(iter(stops.values()), stop)
        if len(stop.etuis) != len(first.etuis):
            expected = len(first.etuis)
            start = rows[first.position, first.table]
            raise PlanError("uneven", row=row, found=len(stop.etuis), first=start, expected=expected)
        stops[spot], rows[spot] = stop, row
    return derive_plan(tuple(stops.values()))


def _read_row(fields: dict[str, str], row: int) -> PlanStop[Member]:
    limits = {"position": MAX_POSITIONS, "table": MAX_TABLES}
    position, table = (_read_number(fields[name], row, name, limits[name]) for name in limits)
    seats = tuple(_read_seat(fields[line.lower()], row, line) for line in LINES)
    return PlanStop(position, table, _read_etuis(fields["etuis"], row), seats)


def _read_seat(text: str, row: int, line: str) -> Member | None:
    """Return the player that a cell names: a number, or a player of another line such as N3. O is West, as W is."""
    if (rover := MEMBER.fullmatch(text)) is None:
        return read_member(line, _read_number(text, row, line, LARGEST_LINE)) if text else None
    return read_member(rover[1], _read_number(rover[2], row, line, LARGEST_LINE))


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


def _write_etuis(etuis: tuple[int, ...]) -> str:
    if len(etuis) > 2 and etuis == tuple(range(etuis[0], etuis[-1] + 1)):
        return f"{etuis[0]}-{etuis[-1]}"
    return " ".join(map(str, etuis))
