"""A list as it was pasted or uploaded: its rows, and the columns that are read."""

from collections.abc import Collection, Mapping, Sequence
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
from clubs.lists.persons import is_gone
from clubs.names import simplify_name
from clubs.roster.cells import NO_LADY
from clubs.roster.lines import NameOrder, RosterError
from wording.table import TOP, split_rows

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
    told = [each for each in sorted(columns, key=preference_of) if each.kind]
    below = [
        line._replace(people=split_people(row, told))
        for line, row in zip(lines[at + 1 :], rows[at + 1 :], strict=True)
        if line.text
    ]
    return PastedList(below, columns, [line for line in lines[:at] if line.text], order)


def split_people(row: Sequence[str], columns: Sequence[Column]) -> tuple[Cells, ...]:
    """Return the cells of each person of a row by kind. `columns` are those that are read, the best of a kind first.

    Return () if the row has nothing but one name: it may also be a line beside the table, such as a sum.
    """
    told = [each for each in columns if each.place < len(row) and row[each.place]]
    if len(row) == 1 or (len(told) == 1 and told[0].kind in NAMES and sum(map(bool, row)) == 1):
        return ()
    people: list[Cells] = []
    for seat in sorted({each.seat for each in columns if each.kind in NAMES}):
        cells: dict[ColumnKind, str] = {}
        for each in told:
            if each.seat in (seat, 0):
                take_cell(cells, each, row[each.place])
        if not people or any(each.seat == seat for each in told):
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
