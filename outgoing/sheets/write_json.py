"""The writer of tables as JSON for programs: rows by the columns' own names, which are the same in every language."""

import datetime as dt
import json
from collections.abc import Sequence
from fractions import Fraction

from outgoing.sheets.table import SheetCell, SheetTable
from wording.figures import decimal_text


def write_tables_json(tables: Sequence[SheetTable]) -> bytes:
    """Return the tables as JSON, by their codes.

    Figures are texts with four decimals, as `write_json_cell` writes them.
    """
    told = {
        table.code: [
            {column.name: write_json_cell(cell) for column, cell in zip(table.columns, row, strict=True)}
            for row in table.rows
        ]
        for table in tables
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def write_json_cell(cell: SheetCell) -> str | int | None:
    """Return a cell for JSON. A figure is a text with four decimals, so that no program rounds it on reading."""
    if isinstance(cell, Fraction):
        return decimal_text(cell, 4)
    return cell.isoformat() if isinstance(cell, dt.date) else cell
