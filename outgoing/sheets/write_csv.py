"""The writer of a table as CSV for a French spreadsheet.

The file begins with a BOM, so that the program reads it as UTF-8. Semicolons separate the cells, decimals come after a
comma, and each line ends with CR and LF. No text is read as a formula or a date (`wording.table`).
"""

import csv
import datetime as dt
import io
from fractions import Fraction

from django.utils.timezone import localtime

from outgoing.sheets.table import PLACES, POINT_PLACES, CellKind, SheetCell, SheetTable
from wording.figures import write_comma_decimal
from wording.table import write_inert

BOM = "\ufeff"


def write_french_csv(table: SheetTable) -> bytes:
    """Return the table as a file. The first line has the headings."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([write_inert(column.label) for column in table.columns])
    kinds = [column.kind for column in table.columns]
    for row in table.rows:
        writer.writerow([write_csv_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)])
    return f"{BOM}{out.getvalue()}".encode()


def write_csv_cell(cell: SheetCell, kind: CellKind) -> str:
    if cell is None:
        return ""
    if isinstance(cell, dt.datetime):
        return f"{localtime(cell):%d/%m/%Y %H:%M}"
    if isinstance(cell, dt.date):
        return f"{cell:%d/%m/%Y}"
    if isinstance(cell, str):
        return write_inert(cell)
    if kind is CellKind.POINTS:
        return write_comma_decimal(Fraction(cell), POINT_PLACES)
    if kind is CellKind.FIGURE:
        return write_comma_decimal(Fraction(cell), PLACES)
    return str(cell)
