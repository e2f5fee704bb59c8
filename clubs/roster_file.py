"""Turns a file of players into the lines that `clubs.roster` reads: a plain list of names, a table saved as CSV, or the
rows of a spreadsheet. Pure.

A table may name its columns in its first line. Line numbers stay those of the file.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from clubs.names import plain
from texts.delimiter import DELIMITERS, find_delimiter

BLANKS = str.maketrans(dict.fromkeys(DELIMITERS, " "))
COLUMNS = {
    "last": {"nom", "noms", "nom de famille", "last name", "family name", "surname", "name"}
    | {"nom et prenom", "nom prenom", "prenom nom", "prenom et nom", "joueur", "joueurs", "player", "players"},
    "first": {"prenom", "prenoms", "first name", "given name", "forename"},
    "licence": {"licence", "license", "no licence", "n° licence", "numero de licence", "licence number"},
    "origin": {"club", "club d'origine", "origine", "association", "club of origin"},
    "category": {"categorie", "category", "cat", "cat."},
    "series": {"serie", "series"},
}
LABELS = {
    "origin": "Club: ",
    "category": "Catégorie: ",
    "series": "Série: ",
}  # by which a line says what such a cell holds


def lines_of(text: str) -> str:
    """One player a line, `last; first; licence; Club: …; Catégorie: …` where the file is a table with named columns,
    else as it is written."""
    raw = text.splitlines()
    heading = next((line for line in raw if line.strip()), "")
    delimiter = find_delimiter(heading)
    if not delimiter:
        return "\n".join(raw)
    rows = [cells(line, delimiter) for line in raw]
    start = raw.index(heading)
    columns = columns_of(rows[start])
    if not columns:
        return "\n".join(
            "; ".join(row).strip("; ") if '"' in line else line for row, line in zip(rows, raw, strict=True)
        )
    body = [line_of(row, columns) for row in rows[start + 1 :]]
    return "\n".join(["", *[""] * start, *body])


def line_of(row: list[str], columns: dict[str, int]) -> str:
    """Return the line of a table's row. A row with nothing in it is empty, a cell with nothing in it has no label."""
    told = {name: row[columns[name]] for name in COLUMNS if name in columns and columns[name] < len(row)}
    parts = [LABELS.get(name, "") + cell for name, cell in told.items() if cell or name not in LABELS]
    return "; ".join(parts).strip("; ")


def lines_of_rows(rows: Iterable[Sequence[str]]) -> str:
    """As `lines_of`, of a spreadsheet's rows."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(rows)
    return lines_of("\n".join(line.rstrip(";") for line in text.getvalue().split("\n")).rstrip("\n"))


def cells(line: str, delimiter: str) -> list[str]:
    """What the cells hold, without what would part them again."""
    read = next(csv.reader([line], delimiter=delimiter), [])
    return [" ".join(cell.translate(BLANKS).split()) for cell in read]


def columns_of(heading: list[str]) -> dict[str, int]:
    """Where the family name stands, and what else is named; {} where the first line is no heading."""
    found: dict[str, int] = {}
    for place, cell in enumerate(heading):
        for name, words in COLUMNS.items():
            if plain(cell) in words:
                found.setdefault(name, place)
    return found if "last" in found else {}
