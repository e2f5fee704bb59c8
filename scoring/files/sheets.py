"""The reading and writing of CSV texts, and the scoring of a file of results.

This module opens no file and prints nothing. `standings_file.py` reads the files of plays.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.contract import score_deal
from scoring.errors import ScoringError
from scoring.notation import REQUIRED, read_result
from scoring.values import FFT, ScoringRules
from wording.figures import decimal_text
from wording.table import find_delimiter

SCORE_COLUMNS = ("made", "base_score", "taker", "partner", "defender")


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in a file, and its place: the number of the line, counted from 1, and the name of the column."""

    line: int
    column: str
    message: str

    def __str__(self) -> str:
        column = f", {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.message}"


class SheetError(ValueError):
    """The error for a file that cannot be used. It has every problem found in the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


@dataclass(frozen=True, slots=True)
class SheetRow:
    """The cells of one row of a file, and the number of its line, counted from 1."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The content of a CSV file.

    `columns`: the column names as written. `names`: the same names in lower case, to look cells up. `rows`: the rows
    that are not blank; each has as many cells as there are columns. `delimiter`: a comma, a tab, or the semicolon that
    French spreadsheets write.
    """

    columns: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    delimiter: str

    def fields(self, row: SheetRow) -> dict[str, str]:
        return {name: cell.strip() for name, cell in zip(self.names, row.cells, strict=True)}

    def write(self, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
        """Return a CSV text with these columns and rows, with the delimiter of this sheet."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=self.delimiter, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        return out.getvalue()


def score_csv(text: str, rules: ScoringRules = FFT) -> str:
    """Return a CSV of results with the columns SCORE_COLUMNS added: each row is one result and its score.

    `scoring.notation` lists the columns of a result. If the file already has SCORE_COLUMNS, as a file with expected
    scores does, the computed ones replace them. Raise SheetError with every result that cannot be scored.
    """
    sheet = read_sheet(text, REQUIRED)
    kept = [index for index, name in enumerate(sheet.names) if name not in SCORE_COLUMNS]
    rows, problems = [], []
    for row in sheet.rows:
        try:
            scored = _score(sheet.fields(row), rules)
        except ScoringError as error:
            problems.append(Problem(row.line, error.field, str(error)))
        else:
            rows.append([*(row.cells[index] for index in kept), *scored])
    if problems:
        raise SheetError(problems)
    return sheet.write([*(sheet.columns[index] for index in kept), *SCORE_COLUMNS], rows)


def read_sheet(text: str, needed: Iterable[str], known: Mapping[str, str] | None = None) -> Sheet:
    """Return the content of a CSV text. The text may begin with a byte order mark.

    Column names may have capitals and surrounding spaces. `known` maps other names of a column to its usual name. Raise
    SheetError if the text is not a CSV, or if a row has the wrong length. Raise it also if a column of `needed` is
    missing or a column comes twice.
    """
    text = text.removeprefix("\ufeff")
    first_line = text.partition("\n")[0]
    delimiter = find_delimiter(first_line) or ","
    rows = _rows(text, delimiter)
    if not rows:
        raise SheetError([Problem(1, "", "the file is empty; its first line must name the columns.")])
    header, *rows = rows
    lowered = [column.strip().lower() for column in header.cells]
    names = tuple((known or {}).get(name, name) for name in lowered)
    sheet = Sheet(header.cells, names, tuple(rows), delimiter)
    problems = [*_header_problems(header.line, names, needed), *_length_problems(sheet)]
    if problems:
        raise SheetError(problems)
    return sheet


def _rows(text: str, delimiter: str) -> list[SheetRow]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows, line = [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append(SheetRow(line, tuple(cells)))
            line = reader.line_num + 1  # a quoted cell may contain line breaks
    except csv.Error as error:
        raise SheetError([Problem(line, "", f"not readable as CSV ({error}); check the quotes.")]) from error
    return rows


def _header_problems(line: int, names: Sequence[str], needed: Iterable[str]) -> Iterable[Problem]:
    for name in dict.fromkeys(names):
        if name and names.count(name) > 1:
            yield Problem(line, name, "the column appears twice; keep one of them.")
    for name in needed:
        if name not in names:
            yield Problem(line, name, f"the column is missing; the columns are: {', '.join(names)}.")


def _length_problems(sheet: Sheet) -> Iterable[Problem]:
    for row in sheet.rows:
        if len(row.cells) != len(sheet.columns):
            message = f"{len(row.cells)} cells under {len(sheet.columns)} columns; check the separators and quotes."
            yield Problem(row.line, "", message)


def _score(fields: Mapping[str, str], rules: ScoringRules) -> tuple[str, ...]:
    score = score_deal(read_result(fields, extra="ignore"), rules)
    made = "true" if score.made else "false"
    return (made, *map(cell, (score.base_score, score.taker, score.partner, score.defender)))


def six_decimals(value: Fraction | None) -> str:
    """Return a percentage with six decimals, rounded half up, or "" for None."""
    return "" if value is None else decimal_text(value, 6)


def cell(value: int | None) -> str:
    """Return a whole number as text, or "" for None."""
    return "" if value is None else str(value)
