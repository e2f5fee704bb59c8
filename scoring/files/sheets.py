"""The reading and writing of CSV files for the command line, and the scoring of a file of results.

This module opens no file and prints nothing. The files of plays are in `standings_file.py`.
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
from texts.decimals import decimal_text
from texts.delimiter import find_delimiter

SCORE_COLUMNS = ("made", "base_score", "taker", "partner", "defender")


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in a file, and its place: the line as an editor counts it, the column by its name."""

    line: int
    column: str
    message: str

    def __str__(self) -> str:
        column = f", {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.message}"


class SheetError(ValueError):
    """A file that cannot be used, with every problem found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


@dataclass(frozen=True, slots=True)
class SheetRow:
    """The cells of one row, and its line as an editor counts it, from 1."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A CSV file: its columns as written, their names for look-ups, and its rows, each as long as the columns.

    Blank rows are left out. The delimiter is the comma, the tab, or the semicolon that a French spreadsheet writes.
    """

    columns: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    delimiter: str

    def fields(self, row: SheetRow) -> dict[str, str]:
        return {name: cell.strip() for name, cell in zip(self.names, row.cells, strict=True)}

    def write(self, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
        """Return the text of an answer to this sheet, with the same delimiter."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=self.delimiter, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        return out.getvalue()


def score_csv(text: str, rules: ScoringRules = FFT) -> str:
    """Return the rows of a file of results, one a row, with SCORE_COLUMNS at the end.

    The columns are those of `scoring.notation`. Columns of the file named like SCORE_COLUMNS, which have the expected
    figures, are replaced by those of the computed score.
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
    """Return the sheet of a CSV text, with or without byte order mark.

    Raise SheetError unless it has the needed columns.

    Column names are read in lower case, without surrounding spaces. `known` maps alternative names to the usual ones.
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
    """Return a percentage with six decimals, rounded half up from the exact value, or "" if there is none."""
    return "" if value is None else decimal_text(value, 6)


def cell(value: int | None) -> str:
    """Return a whole number as the text of a cell, or "" if there is none."""
    return "" if value is None else str(value)
