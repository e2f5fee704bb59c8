"""The reader of a federation's list of licences: a table whose first line names its columns.

It needs the columns of the licence and of the family name. The others may be absent: first name, series, the last day
of the licence, or its season. A season "2025-2026" ends on 31 August 2026, a season "2026" on 31 December 2026. No
federation has confirmed these days, so the page names them.
"""

import csv
import datetime as dt
import io
import re
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from clubs.names import hidden_in, is_in_capitals, licence_key, simplify_name, write_small
from clubs.roster.cells import find_category, find_series
from texts.cells import read_inert
from texts.table import find_delimiter
from wording import Refusal, Texts
from wording import gettext_noop as _

COLUMNS = {
    "licence": {"licence", "license", "no licence", "n° licence", "numero de licence", "numero licence", "num licence"}
    | {"no de licence", "n° de licence", "licence number", "num. licence", "numlicence", "n°licence"},
    "last_name": {"nom", "nom de famille", "last name", "family name", "surname"},
    "first_name": {"prenom", "prenoms", "first name", "given name", "forename"},
    "series": {"serie", "series", "classe", "class", "classement"},
    "category": {"categorie", "category"},
    "club_name": {"club", "association"},
    "until": {"fin", "date de fin", "fin de validite", "fin licence", "fin de licence", "echeance", "expiration"}
    | {"valable jusqu'au", "valable jusqu’au", "jusqu'au", "licence until", "until", "end", "expires", "valid until"}
    | {"date fin", "date d'echeance", "date d'expiration", "validite", "last day"},
    "season": {"saison", "season", "annee", "year"},
}
NEEDED = ("licence", "last_name")
MOST_LINES = 9_999  # the most lines of a file
MOST_NAME, MOST_LICENCE, MOST_CLUB = 80, 20, 120
DAYS = ("%d/%m/%Y", "%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%y")
SEASON = re.compile(r"(20\d\d)(?:\s*[-/–]\s*(20\d\d|\d\d))?")
LAST_DAY = (8, 31)  # the last day of a season over two years; no federation has confirmed it


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


class WrongLine(NamedTuple):
    """A line that is left out, with the code of the reason in `LicenceFileRefused.messages`."""

    number: int
    text: str
    reason: "LicenceFileRefused"


class LicenceFile(NamedTuple):
    """A list as it was read: its lines, those that are left out, and each heading with what was read there, or ""."""

    lines: list[LicenceLine]
    wrong: list[WrongLine]
    columns: list[tuple[str, str]]


class LicenceFileRefused(Refusal):
    """A file that cannot be read as a list of licences, or a line of it that is left out. Nothing was written."""

    messages: ClassVar[Texts] = {
        "licences_empty": _("This file has no line below its heading: choose another."),
        "licences_heading": _(
            "The first line must name the columns, at least “Licence” and “Nom”: add such a line, and choose the file"
            " again."
        ),
        "licences_too_many": _("This file has more than %(most)s lines: choose the list of your club alone."),
        "licences_twice": _("The licence %(licence)s is already on line %(line)s."),
        "licences_none": _("There is no licence number."),
        "licences_long": _("The licence or a name is too long."),
        "licences_hidden": _("There is an invisible character or a pile of accents."),
        "licences_nameless": _("There is no family name."),
        "licences_series": _("The series “%(text)s” is unknown: use 1, 2, 3, 4 or promotion."),
        "licences_day": _("“%(text)s” is not a day: write it as 31/08/2026, or a season as 2025-2026."),
    }


def split_table(text: str) -> list[list[str]]:
    """Return the cells of a table saved as CSV."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = find_delimiter(heading)
    if not delimiter:
        return []
    return [
        [read_inert(" ".join(cell.split())) for cell in row]
        for row in csv.reader(io.StringIO(text), delimiter=delimiter)
    ]


def read_licences(rows: Sequence[Sequence[str]]) -> LicenceFile:
    """Return the list that these rows hold. Raise `LicenceFileRefused` if the file as a whole cannot be read."""
    start = next((place for place, row in enumerate(rows) if any(row)), None)
    if start is None:
        raise LicenceFileRefused("licences_empty")
    columns = find_columns(rows[start])
    if any(name not in columns for name in NEEDED):
        raise LicenceFileRefused("licences_heading")
    body = [(number, row) for number, row in enumerate(rows, start=1) if number > start + 1 and any(row)]
    if not body:
        raise LicenceFileRefused("licences_empty")
    if len(body) > MOST_LINES:
        raise LicenceFileRefused("licences_too_many", most=MOST_LINES)
    found: dict[str, LicenceLine] = {}
    wrong = []
    for number, row in body:
        told = {name: row[place].strip() if place < len(row) else "" for name, place in columns.items()}
        try:
            line = read_licence_line(number, told)
            if (first := found.setdefault(licence_key(line.licence), line)) is not line:
                raise LicenceFileRefused("licences_twice", licence=line.licence, line=first.number)
        except LicenceFileRefused as refusal:
            wrong.append(WrongLine(number, " ".join(cell for cell in row if cell)[:MOST_NAME], refusal))
    if not found:
        raise wrong[0].reason
    read = {place: name for name, place in columns.items()}
    return LicenceFile(list(found.values()), wrong, [(cell, read.get(n, "")) for n, cell in enumerate(rows[start])])


def find_columns(heading: Sequence[str]) -> dict[str, int]:
    """Return the places of the columns that the heading names. The first of several columns of one kind counts."""
    found: dict[str, int] = {}
    for place, cell in enumerate(heading):
        said = " ".join(simplify_name(cell).strip(" .:*").split())
        for name, words in COLUMNS.items():
            if said in words:
                found.setdefault(name, place)
    return found


def read_licence_line(number: int, told: dict[str, str]) -> LicenceLine:
    """Return the line that these cells make. Raise `LicenceFileRefused` with the reason if they make none."""
    licence, last, first = told["licence"].replace(" ", ""), told["last_name"], told.get("first_name", "")
    if not licence:
        raise LicenceFileRefused("licences_none")
    if not last:
        raise LicenceFileRefused("licences_nameless")
    if len(licence) > MOST_LICENCE or len(last) > MOST_NAME or len(first) > MOST_NAME:
        raise LicenceFileRefused("licences_long")
    if hidden_in(licence + last + first):
        raise LicenceFileRefused("licences_hidden")
    series = find_series(told.get("series", ""))
    if told.get("series", "") and not series:
        raise LicenceFileRefused("licences_series", text=told["series"][:MOST_LICENCE])
    until = read_day(told.get("until", "")) or read_season(told.get("season", ""))
    category, club_name = find_category(told.get("category", "")), told.get("club_name", "")[:MOST_CLUB]
    return LicenceLine(number, licence, as_name(last), as_name(first), series, until, category, club_name)


def as_name(text: str) -> str:
    """Return a name with small letters if it is in capitals, as federations write family names."""
    return write_small(text) if is_in_capitals(text) else text


def read_day(text: str) -> dt.date | None:
    """Return the day in a cell, or None if the cell is empty. Raise `LicenceFileRefused` for any other text."""
    if not text:
        return None
    for form in DAYS:
        try:
            return dt.datetime.strptime(text.split()[0], form).replace(tzinfo=dt.UTC).date()
        except ValueError:
            continue
    if (season := SEASON.fullmatch(text)) is not None:
        return last_day(season)
    raise LicenceFileRefused("licences_day", text=text[:MOST_LICENCE])


def read_season(text: str) -> dt.date | None:
    """Return the last day of a season, or None if the cell is empty."""
    if not text:
        return None
    season = SEASON.fullmatch(text)
    if season is None:
        raise LicenceFileRefused("licences_day", text=text[:MOST_LICENCE])
    return last_day(season)


def last_day(season: re.Match[str]) -> dt.date:
    first, second = season[1], season[2]
    if second is None:
        return dt.date(int(first), 12, 31)
    return dt.date(int(second) if len(second) == 4 else 2000 + int(second), *LAST_DAY)
