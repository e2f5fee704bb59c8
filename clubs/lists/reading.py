"""A list as it was pasted or uploaded: its rows, the columns that are read, and the people of each row."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from clubs.lists.columns import (
    MOST_COLUMNS,
    NAMES,
    PEOPLE,
    Column,
    ColumnKind,
    count_columns,
    find_heading,
    preference_of,
    recognise,
)
from clubs.names import hidden_in, simplify_name
from clubs.roster.cells import LADIES, LADY, MOST_LETTERS, NO_LADY, find_category, find_series
from clubs.roster.lines import MAX_NAME, NameOrder, RosterError, RosterLine, strip_name
from clubs.roster.readings import Doubt, Reading, read_people
from wording.table import TOP, split_rows

LICENCE = re.compile(r"(?=[A-Za-z/-]*[0-9])[0-9A-Za-z][0-9A-Za-z/-]{0,19}")
NO_LICENCE = re.compile(r"[-–—/.?0x]?|non|no|none|aucune?|neant|sans|nc|n/?a")
GONE = re.compile(
    r"(?<!non )(?<!not )\b(?:annul(?:ee?s?|ation)|refuse(?:e|s|d)?|rembours(?:ee?s?|ement)|cancell?ed|cancell?ation"
    r"|refund(?:ed)?|abandonn\w*|desist\w*|rejet\w*|rejected|declin\w*|retiree?s? par|removed|withdr[ae]w\w*)\b"
)
TICKS = str.maketrans(dict.fromkeys("✓✔☑✅", "x"))


def read_named_cells(cells: Mapping[ColumnKind, str], number: int, order: NameOrder) -> list[Reading]:
    """Return the people of a row: one, or several if a cell with a whole name names several.

    `cells` has the cells that are not empty. Raise RosterError if the row names nobody or cannot be read.
    """
    for cell in cells.values():
        if code := hidden_in(cell):
            raise RosterError("roster_hidden", line=number, character=code)
        if cell.startswith("="):
            raise RosterError("roster_formula", line=number, text=cell[:MAX_NAME])
    last, first = (strip_name(cells.get(kind, "")) for kind in (ColumnKind.LAST, ColumnKind.FIRST))
    if last and first:
        readings = [Reading(RosterLine(last, first))]
        if max(len(last), len(first)) > MAX_NAME:
            raise RosterError("roster_too_long", line=number, most=MAX_NAME)
    else:
        whole = whole_name(cells)
        if not any(map(str.isalpha, whole)):
            raise RosterError("roster_no_name", line=number, text=" ; ".join(cells.values())[:MAX_NAME])
        readings = read_people(whole, number, order)
    return [add_facts(reading, cells, is_last=reading is readings[-1]) for reading in readings]


def whole_name(cells: Mapping[ColumnKind, str]) -> str:
    """Return the cell that has a whole name, in an order that the columns do not say, or "" if they say it."""
    if ColumnKind.LAST in cells and ColumnKind.FIRST in cells:
        return ""
    return next((cells[kind] for kind in (ColumnKind.NAME, ColumnKind.LAST, ColumnKind.FIRST) if kind in cells), "")


def add_facts(reading: Reading, cells: Mapping[ColumnKind, str], *, is_last: bool) -> Reading:
    """Return a reading with what the other columns say, and the doubts about them. The last person has the licence."""
    facts = [cells[kind] for kind in (ColumnKind.CATEGORY, ColumnKind.SERIES) if kind in cells]
    unknown = [text for text in facts if not find_category(text) and not find_series(text)]
    lady = " ".join(simplify_name(cells.get(ColumnKind.LADIES, "").translate(TICKS)).strip(" .").split())
    unknown += [cells[ColumnKind.LADIES]] if lady not in LADY | NO_LADY else []
    number = cells.get(ColumnKind.LICENCE, "") if is_last else ""
    licence = read_licence(number)
    line = replace(
        reading.line,
        licence=licence or reading.line.licence,
        category=next(filter(None, map(find_category, facts)), reading.line.category),
        series=next(filter(None, map(find_series, reversed(facts))), reading.line.series),
        origin=cells.get(ColumnKind.ORIGIN, reading.line.origin)[: MOST_LETTERS["origin"]],
        ladies=LADIES if lady in LADY else reading.line.ladies,
    )
    if is_gone(cells.get(ColumnKind.STATUS, "")):
        return replace(reading, line=line, doubt=Doubt.GONE, note=cells[ColumnKind.STATUS])
    if number and not licence and not NO_LICENCE.fullmatch(simplify_name(number).strip()):
        return replace(reading, line=line, doubt=Doubt.NUMBER, note=number)
    return replace(reading, line=line, note=", ".join(filter(None, [reading.note, *unknown])))


def read_licence(cell: str) -> str:
    """Return the licence in a cell of its column without blanks, or "" if it is none that can be trusted."""
    text = "".join(cell.split())
    return text if LICENCE.fullmatch(text) and text.strip("0") else ""


def is_gone(status: str) -> bool:
    """Return whether a status says that a registration no longer holds: cancelled, refunded, refused."""
    return GONE.search(simplify_name(status)) is not None


Cells = Mapping[ColumnKind, str]


class ListRow(NamedTuple):
    """A row with its number and its text.

    `people` has the cells of each person by kind. It is () for a line of free text.
    """

    number: int
    text: str
    people: tuple[Cells, ...] = ()


class PastedList(NamedTuple):
    """The rows below the heading, and all columns. Without a heading `columns` is empty, and all rows are lines.

    `above` has the rows above the heading, which are not read. `order` is the one that the heading says.
    """

    rows: list[ListRow]
    columns: list[Column]
    above: list[ListRow]
    order: NameOrder = NameOrder.SEEN


def read_pasted(text: str, wanted: Collection[ColumnKind] = PEOPLE) -> PastedList:
    """Return the list in a text that was pasted, or that holds the rows of a file.

    A heading alone on its line, such as “Nom Prénom”, says only the order of the names in the lines. Raise RosterError
    if a table has more than MOST_COLUMNS columns.
    """
    kinds = frozenset(wanted)
    rows = split_rows(text, lambda row: count_columns(row, kinds))
    lines = [ListRow(number, " ; ".join(filter(None, map(str.strip, row)))) for number, row in enumerate(rows, 1)]
    at = find_heading(rows[:TOP], kinds)
    if at is None or not any(line.text for line in lines[at + 1 :]):
        return PastedList([line for line in lines if line.text], [], [])
    if len(rows[at]) > MOST_COLUMNS:
        raise RosterError("roster_columns", most=MOST_COLUMNS, found=len(rows[at]))
    columns = recognise(rows[at], kinds)
    order = next((each.order for each in columns if each.kind == ColumnKind.NAME), NameOrder.SEEN)
    if len(rows[at]) == 1:
        return PastedList([line for line in lines if line.text and line.number != at + 1], columns, [], order)
    kept_columns = [each for each in sorted(columns, key=preference_of) if each.kind]
    below = [
        line._replace(people=split_people(row, kept_columns))
        for line, row in zip(lines[at + 1 :], rows[at + 1 :], strict=True)
        if line.text
    ]
    return PastedList(below, columns, [line for line in lines[:at] if line.text], order)


def split_people(row: Sequence[str], columns: Sequence[Column]) -> tuple[Cells, ...]:
    """Return the cells of each person of a row by kind. `columns` are those that are read, the best of a kind first.

    Return () if the row has nothing but one name: it may also be a line beside the table, such as a sum.
    """
    filled = [each for each in columns if each.place < len(row) and row[each.place]]
    if len(row) == 1 or (len(filled) == 1 and filled[0].kind in NAMES and sum(map(bool, row)) == 1):
        return ()
    people: list[Cells] = []
    for seat in sorted({each.seat for each in columns if each.kind in NAMES}):
        cells: dict[ColumnKind, str] = {}
        for each in filled:
            if each.seat in (seat, 0):
                take_cell(cells, each, row[each.place])
        if not people or any(each.seat == seat for each in filled):
            people.append(cells)
    return tuple(people)


def take_cell(cells: dict[ColumnKind, str], column: Column, cell: str) -> None:
    """Add a cell to those of a person. A yes below “Annulé” is that status."""
    kind = column.kind or ColumnKind.NAME
    if kind == ColumnKind.STATUS:
        is_yes = is_gone(column.heading) and simplify_name(cell) not in NO_LADY
        cell = column.heading if is_yes else cell
        cells[kind] = cell if is_gone(cell) else cells.get(kind, cell)
    else:
        cells.setdefault(kind, cell)
