"""Reads the first sheet of a spreadsheet (XLSX, XLS, ODS) as rows of cells, in a process of its own.

A workbook of a few kilobytes may claim more cells than there is memory: its reader may use so much, take so long, and
is alone with it. Run as a program it reads a workbook from its input, and answers JSON.
"""

import io
import json
import subprocess
import sys
from datetime import date
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MOST_MEMORY = 1_000_000_000  # bytes, where the system has such a limit
MOST_SECONDS = 10
MOST_ROWS, MOST_CELLS = 10_000, 20
BEGINNINGS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # of a ZIP, of a workbook from before


class SpreadsheetError(ValueError):
    """No workbook, or one that cannot be read within bounds."""


def is_spreadsheet(data: bytes) -> bool:
    return data.startswith(BEGINNINGS)


def read_rows(data: bytes) -> list[list[str]]:
    """The cells of its first sheet as they would be typed, row after row. `SpreadsheetError` where there are none."""
    command = [sys.executable, "-m", "clubs.spreadsheet"]
    try:
        run = subprocess.run(command, input=data, cwd=PROJECT, capture_output=True, check=True, timeout=MOST_SECONDS)
        rows: list[list[str]] = json.loads(run.stdout)
    except (subprocess.SubprocessError, ValueError) as error:
        raise SpreadsheetError(str(error)) from error
    return rows


def write_cell(value: object) -> str:
    """A licence that was taken for a number is one again; a day is none of a name's."""
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
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
