"""The making of a file of tables, with its format, its content and its name."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.text import slugify

from outgoing.sheets.table import SheetTable
from outgoing.sheets.write_csv import write_french_csv
from outgoing.sheets.write_json import write_tables_json
from outgoing.sheets.write_xlsx import write_workbook

CSV, XLSX, JSON = "csv", "xlsx", "json"
KINDS = {
    CSV: "text/csv; charset=utf-8",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    JSON: "application/json",
}


class SheetFile(NamedTuple):
    """A file: its bytes, its content type, and the name under which it is saved."""

    content: bytes
    content_type: str
    name: str


def write_file(tables: Sequence[SheetTable], kind: str, *parts: object) -> SheetFile:
    """Return the tables as a file of this kind. `parts` make its name. A CSV file has the first table only."""
    name = "-".join(slugify(str(part)) for part in parts if part) + f".{kind}"
    if kind == CSV:
        content = write_french_csv(tables[0])
    else:
        content = write_workbook(tables) if kind == XLSX else write_tables_json(tables)
    return SheetFile(content, KINDS[kind], name)
