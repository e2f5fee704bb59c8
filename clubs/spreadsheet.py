"""The reader of the first sheet of a spreadsheet (XLSX, XLS, ODS). It gives rows of cells.

A small file may claim more cells than there is memory. So a process of its own reads it, with limits of memory and
time. Run as a program, this module reads a file from its input and writes JSON.
"""

import io
import json
import subprocess
import sys
from datetime import date
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MOST_MEMORY = 1_000_000_000  # the most memory in bytes; Windows has no such limit
MOST_SECONDS = 10
MOST_ROWS, MOST_CELLS = 10_000, 20
DATES = "--dates"
BEGINNINGS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # the first bytes of a ZIP, which XLSX and ODS are, and of an old XLS


class SpreadsheetError(ValueError):
    """The error for a file that is not a spreadsheet, or that cannot be read within the limits."""


def is_spreadsheet(data: bytes) -> bool:
    return data.startswith(BEGINNINGS)


def read_rows(data: bytes, *, dates: bool = False) -> list[list[str]]:
    """Return the cells of the first sheet as text, row by row. With `dates`, days are written as 2026-08-31.

    Raise `SpreadsheetError` if the file has no sheet.
    """
    command = [sys.executable, "-m", "clubs.spreadsheet", *([DATES] if dates else [])]
    try:
        run = subprocess.run(command, input=data, cwd=PROJECT, capture_output=True, check=True, timeout=MOST_SECONDS)
        rows: list[list[str]] = json.loads(run.stdout)
    except (subprocess.SubprocessError, ValueError) as error:
        raise SpreadsheetError(str(error)) from error
    return rows


def write_cell(value: object, *, dates: bool) -> str:
    """Return a cell as text. A number such as a licence loses its “.0”.

    A date is not part of a name and gives "", unless `dates` are asked for.
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if dates and isinstance(value, date):
        return value.isoformat()[:10]
    return "" if isinstance(value, date | bool) else " ".join(str(value).split())


def main() -> None:
    limit_memory()
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(sys.stdin.buffer.read()))
    cells = book.get_sheet_by_index(0).to_python(skip_empty_area=False, nrows=MOST_ROWS)
    rows = [[write_cell(cell, dates=DATES in sys.argv) for cell in row[:MOST_CELLS]] for row in cells]
    sys.stdout.buffer.write(json.dumps(rows).encode())


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
