"""A published ranking as a PDF to pin up: values in, bytes out.

It shows what the public page shows. The caller gives the names as they are shown in public. No text is smaller than 11
pt: 60 players take one A4 sheet, 150 three.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils import translation

from deals.exports.typesetting import typeset
from deals.exports.words import list_document_words as etui_words
from tournaments.paper.pdf import LAYOUTS, PROJECT, Code, draw_code_cells

A_PAGE = 60  # lines of a ranking on one sheet
A_COLUMN = 30  # up to this many lines stand in one column, in large letters


class PinnedRow(NamedTuple):
    """A line as it is written. `line` and `number` are the seat, "" if a ranking has none.

    `opens` is true if a group begins with this line.
    """

    rank: str
    name: str
    figure: str
    line: str = ""
    number: str = ""
    first: bool = False
    opens: bool = False


class PinnedTable(NamedTuple):
    """One of the tables of the sheet. `title` says which players it has, for example those of one line.

    `line` is that line's letter, or "" for other tables.
    """

    rows: Sequence[PinnedRow]
    title: str = ""
    line: str = ""


class PinnedHeading(NamedTuple):
    """The words above and below the ranking. `notes` are short sentences below it.

    `logo` has a picture's bytes or none; `code` opens the page.
    """

    club: str
    tournament: str
    title: str
    state: str
    official: bool
    notes: Sequence[str]
    code: Code
    logo: bytes = b""


def set_ranking(heading: PinnedHeading, tables: Sequence[PinnedTable], *, language: str) -> bytes:
    with translation.override(language):
        words = etui_words(4)
    lines = sum(len(table.rows) + (2 if table.title or table.line else 0) for table in tables)
    data = {
        **heading._asdict(),
        "code": draw_code_cells(heading.code),
        "logo": list(heading.logo),
        "tables": [table._asdict() | {"rows": [row._asdict() for row in table.rows]} for table in tables],
        "seats": any(row.line for table in tables for row in table.rows),
        "columns": 1 if lines <= A_COLUMN else 2,
        "pages": max(1, -(-lines // A_PAGE)),
        "language": language,
        "heading": {"ink": "", "name": "", "tournament": ""},
        "words": words,
    }
    return typeset(LAYOUTS / "ranking.typ", data, root=PROJECT)
