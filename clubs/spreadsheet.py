"""The reader of a spreadsheet's first sheet (XLSX, XLS, ODS) as rows of cells, in a process of its own.

A workbook of a few kilobytes may claim more cells than there is memory. So its reader has limits of memory and time,
and runs alone. Run as a program, this module reads a workbook from its input and writes JSON.
"""

import io
import json
import subprocess
import sys
from datetime import date
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MOST_MEMORY = 1_000_000_000  # bytes, if the system has such a limit
MOST_SECONDS = 10
MOST_ROWS, MOST_CELLS = 10_000, 20
BEGINNINGS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # of a ZIP, and of an old workbook


class SpreadsheetError(ValueError):
    """A file that is no workbook, or that cannot be read within the limits."""


def is_spreadsheet(data: bytes) -> bool:
    return data.startswith(BEGINNINGS)


def read_rows(data: bytes) -> list[list[str]]:
    """Return the cells of the first sheet as they would be typed, row by row.

    Raise `SpreadsheetError` if it has none.
    """
    command = [sys.executable, "-m", "clubs.spreadsheet"]
    try:
        run = subprocess.run(command, input=data, cwd=PROJECT, capture_output=True, check=True, timeout=MOST_SECONDS)
        rows: list[list[str]] = json.loads(run.stdout)
    except (subprocess.SubprocessError, ValueError) as error:
        raise SpreadsheetError(str(error)) from error
    return rows


def write_cell(value: object) -> str:
    """Return a cell as text. A number such as a licence loses its “.0”; a date is no part of a name and gives ""."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if isinstance(value, date | bool) else " ".join(str(value).split())


def main() -> None:
    limit_memory()
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(sys.stdin.buffer.read()))
    cells = book.get_sheet_by_index(0).to_python(skip_empty_area=False, nrows=MOST_ROWS)
    rows = [[write_cell(cell) for cell in row[:MOST_CELLS]] for row in cells]
    sys.stdout.buffer.write(json.dumps(rows).encode())


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
