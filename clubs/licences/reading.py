"""The reader of a federation's list of licences: the rows of a list of people, with a licence in each.

The columns are those of `clubs.lists`; a licence and a name are needed. A season "2025-2026" ends on 31 August 2026, a
season "2026" on 31 December 2026. No federation has confirmed these days, so the page names them.
"""

import datetime as dt
import re
from typing import Any, ClassVar, NamedTuple

from clubs.lists.columns import NAMES, ColumnKind
from clubs.lists.reading import Cells, ListRow, PastedList, read_named_cells, read_pasted
from clubs.names import is_in_capitals, licence_key, write_small
from clubs.roster.lines import NameOrder, RosterError
from wording import Refusal, Texts
from wording import gettext_noop as _

DATED = (ColumnKind.UNTIL, ColumnKind.SEASON)
LICENCES = frozenset({*NAMES, *DATED, ColumnKind.LICENCE, ColumnKind.ORIGIN, ColumnKind.CATEGORY, ColumnKind.SERIES})
MOST_LINES = 25_000  # the most lines of a file
MOST_TEXT, MOST_CELL = 80, 20  # letters of a line and of a cell that the page quotes
DAYS = ("%d/%m/%Y", "%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%y")
SEASON = re.compile(r"(20\d\d)(?:\s*[-/–]\s*(20\d\d|\d\d))?")
LAST_DAY = (8, 31)  # the last day of a season over two years; no federation has confirmed it
NAME_ERRORS = {"roster_hidden": "licences_hidden", "roster_too_long": "licences_long"}


class LicenceLine(NamedTuple):
    """A line of the list. `series` and `category` are the stored values, or "".

    `until` is the licence's last day, None if none is given.
    """

    number: int
    licence: str
    last_name: str
    first_name: str = ""
    series: str = ""
    until: dt.date | None = None
    category: str = ""
    club_name: str = ""

    @property
    def stored(self) -> dict[str, Any]:
        """The values that are stored, by the name of the column."""
        return {name: value for name, value in self._asdict().items() if name != "number"}


class LicenceNote(NamedTuple):
    """A line that is left out, or a part of it, with the reason."""

    number: int
    text: str
    reason: "LicenceFileRefused"


class LicenceFile(NamedTuple):
    """A list as it was read: its lines, those that are left out, and the parts of others that are not understood."""

    lines: list[LicenceLine]
    wrong: list[LicenceNote]
    unclear: list[LicenceNote]
    pasted: PastedList

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Each heading with what is read there, "" if nothing is."""
        return [(column.heading, column.kind or "") for column in self.pasted.columns]


class LicenceFileRefused(Refusal):
    """A file that cannot be read as a list of licences, or a line of it that is left out. Nothing was written."""

    messages: ClassVar[Texts] = {
        "licences_empty": _("This file has no line below its heading: choose another."),
        "licences_heading": _(
            "A line must name the columns, at least “Licence” and “Nom”: add such a line, and choose the file again."
        ),
        "licences_too_many": _("This file has more than %(most)s lines: choose the list of your club or region."),
        "licences_twice": _("The licence %(licence)s is already on line %(line)s."),
        "licences_none": _("There is no licence number."),
        "licences_number": _("“%(text)s” is not a licence number."),
        "licences_long": _("The name is too long."),
        "licences_hidden": _("There is an invisible character or a pile of accents."),
        "licences_nameless": _("There is no name."),
        "licences_unclear": _("“%(text)s” is not understood: the line is read without it."),
    }


def read_licences(text: str) -> LicenceFile:
    """Return the list in this text. Raise `LicenceFileRefused` if the file as a whole cannot be read."""
    pasted = read_pasted(text, LICENCES)
    kinds = {column.kind for column in pasted.columns}
    if len(pasted.rows) < 2 and not kinds:
        raise LicenceFileRefused("licences_empty")
    if ColumnKind.LICENCE not in kinds or not kinds & NAMES:
        raise LicenceFileRefused("licences_heading")
    if len(pasted.rows) > MOST_LINES:
        raise LicenceFileRefused("licences_too_many", most=MOST_LINES)
    found: dict[str, LicenceLine] = {}
    wrong, unclear = [], []
    for row in pasted.rows:
        for cells in row.people or ({},):
            try:
                line, unread = read_holder(row, cells, pasted.order)
                if (first := found.setdefault(licence_key(line.licence), line)) is not line:
                    raise LicenceFileRefused("licences_twice", licence=line.licence, line=first.number)
            except LicenceFileRefused as refusal:
                wrong.append(LicenceNote(row.number, row.text[:MOST_TEXT], refusal))
            else:
                reasons = [LicenceFileRefused("licences_unclear", text=cell[:MOST_CELL]) for cell in unread]
                unclear += [LicenceNote(row.number, row.text[:MOST_TEXT], reason) for reason in reasons]
    if not found:
        raise wrong[0].reason
    return LicenceFile(list(found.values()), wrong, unclear, pasted)


def read_holder(row: ListRow, cells: Cells, order: NameOrder) -> tuple[LicenceLine, list[str]]:
    """Return the line of one person, and the texts that are not understood.

    Raise `LicenceFileRefused` with the reason if the person has no name or no licence.
    """
    if not cells.get(ColumnKind.LICENCE):
        raise LicenceFileRefused("licences_none")
    try:
        reading = read_named_cells(cells, row.number, order)[-1]
    except RosterError as error:
        raise LicenceFileRefused(NAME_ERRORS.get(error.code, "licences_nameless")) from error
    line = reading.line
    if not line.licence:
        raise LicenceFileRefused("licences_number", text=cells[ColumnKind.LICENCE][:MOST_CELL])
    days = {kind: read_day(cells[kind]) for kind in DATED if kind in cells}
    until = next(filter(None, days.values()), None)
    unread = [reading.note, *(cells[kind] for kind, day in days.items() if day is None)]
    last, first = as_name(line.last_name), as_name(line.first_name)
    told = LicenceLine(row.number, line.licence, last, first, line.series, until, line.category, line.origin)
    return told, list(filter(None, unread))


def as_name(text: str) -> str:
    """Return a name with small letters if it is in capitals, as federations write family names."""
    return write_small(text) if is_in_capitals(text) else text


def read_day(text: str) -> dt.date | None:
    """Return the day in a cell, or the last day of the season in it. Return None for any other text."""
    for form in DAYS:
        try:
            return dt.datetime.strptime(text.split()[0], form).replace(tzinfo=dt.UTC).date()
        except ValueError:
            continue
    season = SEASON.fullmatch(text)
    if season is None:
        return None
    first, second = season[1], season[2]
    if second is None:
        return dt.date(int(first), 12, 31)
    return dt.date(int(second) if len(second) == 4 else 2000 + int(second), *LAST_DAY)
