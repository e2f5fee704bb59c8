"""The people of a row whose columns are named. A cell is never read as another column's."""

import re
from collections.abc import Mapping
from dataclasses import replace

from clubs.lists.columns import ColumnKind
from clubs.names import hidden_in, simplify_name
from clubs.roster.cells import LADIES, LADY, MOST_LETTERS, NO_LADY, find_category, find_series
from clubs.roster.lines import MAX_NAME, NameOrder, RosterError, RosterLine, strip_name
from clubs.roster.readings import Doubt, Reading, read_people

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
        found = [Reading(RosterLine(last, first))]
        if max(len(last), len(first)) > MAX_NAME:
            raise RosterError("roster_too_long", line=number, most=MAX_NAME)
    else:
        whole = whole_name(cells)
        if not any(map(str.isalpha, whole)):
            raise RosterError("roster_no_name", line=number, text=" ; ".join(cells.values())[:MAX_NAME])
        found = read_people(whole, number, order)
    return [add_facts(reading, cells, is_last=reading is found[-1]) for reading in found]


def whole_name(cells: Mapping[ColumnKind, str]) -> str:
    """Return the cell that has a whole name, in an order that the columns do not say, or "" if they say it."""
    if ColumnKind.LAST in cells and ColumnKind.FIRST in cells:
        return ""
    return next((cells[kind] for kind in (ColumnKind.NAME, ColumnKind.LAST, ColumnKind.FIRST) if kind in cells), "")


def add_facts(reading: Reading, cells: Mapping[ColumnKind, str], *, is_last: bool) -> Reading:
    """Return a reading with what the other columns say, and the doubts about them. The last person has the licence."""
    told = [cells[kind] for kind in (ColumnKind.CATEGORY, ColumnKind.SERIES) if kind in cells]
    unknown = [text for text in told if not find_category(text) and not find_series(text)]
    lady = " ".join(simplify_name(cells.get(ColumnKind.LADIES, "").translate(TICKS)).strip(" .").split())
    unknown += [cells[ColumnKind.LADIES]] if lady not in LADY | NO_LADY else []
    number = cells.get(ColumnKind.LICENCE, "") if is_last else ""
    licence = read_licence(number)
    line = replace(
        reading.line,
        licence=licence or reading.line.licence,
        category=next(filter(None, map(find_category, told)), reading.line.category),
        series=next(filter(None, map(find_series, reversed(told))), reading.line.series),
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
