"""A published ranking as a PDF to hang up, and its podium as a picture, which social networks show.

The module only sets the values that it is given. The caller must give only public values, also public names. No text is
smaller than 11 pt: 60 players take one A4 sheet, 150 players three.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils import translation

from deals.exports.documents import list_document_words as etui_words
from deals.exports.pdf import Sheets, draw_layout
from outgoing.paper.pdf import LAYOUTS, PROJECT, Code, draw_code_cells

A_PAGE = 60  # lines of a ranking on one sheet
A_COLUMN = 30  # with at most this number of lines, they are printed in one column, in large letters


class PinnedRow(NamedTuple):
    """A row of the ranking as text. `line` and `number` are the seat, or "" for a ranking without seats.

    `opens` is True if a group begins with this row.
    """

    rank: str
    name: str
    figure: str
    line: str = ""
    number: str = ""
    first: bool = False
    opens: bool = False


class PinnedTable(NamedTuple):
    """One table of the sheet. `title` says which players it contains.

    `line` is the letter of the line if it contains only the players of one line, else "".
    """

    rows: Sequence[PinnedRow]
    title: str = ""
    line: str = ""


class PinnedHeading(NamedTuple):
    """The texts above and below the ranking. `notes` are short sentences below it.

    `logo` has the bytes of a picture, or none. `code` opens the ranking's page.
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
    """Return the ranking as a PDF."""
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
    return Sheets(LAYOUTS / "ranking.typ", data, PROJECT).typeset()


class Heading(NamedTuple):
    """The texts about the ranking and its state. `nobody` is shown if there are no rows."""

    club: str
    tournament: str
    occasion: str
    state: str
    official: bool
    nobody: str


def draw_podium(heading: Heading, steps: Sequence[PinnedRow], *, language: str) -> bytes:
    """Return the picture as PNG bytes, 1200 × 630 pixels, the size that social networks and messengers expect."""
    with translation.override(language):
        words = etui_words(4)
    data = {
        **heading._asdict(),
        "places": [step._asdict() for step in steps],
        "language": language,
        "heading": {"ink": "", "name": "", "tournament": ""},
        "words": words,
    }
    return draw_layout(LAYOUTS / "podium.typ", data, root=PROJECT)
