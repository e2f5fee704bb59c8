"""The reader of a file of players. It makes the lines that `clubs.roster` reads.

The file is a plain list of names, a table saved as CSV, or the rows of a spreadsheet. The first line of a table may
name its columns. Lines keep the numbers that they have in the file.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from clubs.names import simplify_name
from texts.delimiter import DELIMITERS, find_delimiter

TICKS = str.maketrans(dict.fromkeys("✓✔☑✅", "x"))  # pictures would be removed from a line
BLANKS = str.maketrans(dict.fromkeys(DELIMITERS, " "))
COLUMNS = {
    "last": {"nom", "noms", "nom de famille", "last name", "family name", "surname", "name"}
    | {"nom et prenom", "nom prenom", "prenom nom", "prenom et nom", "joueur", "joueurs", "player", "players"},
    "first": {"prenom", "prenoms", "first name", "given name", "forename"},
    "licence": {"licence", "license", "no licence", "n° licence", "numero de licence", "licence number"},
    "origin": {"club", "club d'origine", "origine", "association", "club of origin"},
    "category": {"categorie", "category", "cat", "cat."},
    "series": {"serie", "series"},
    "ladies": {"dame", "dames", "femme", "f", "sexe", "genre", "lady", "ladies", "sex", "gender"},
}
LABELS = {
    "origin": "Club: ",
    "category": "Catégorie: ",
    "series": "Série: ",
    "ladies": "Dame: ",
}  # the label before such a cell in a line


def lines_of(text: str) -> str:
    """Return the text with one player on each line.

    A table with named columns gives lines `last; first; licence; Club: …; Catégorie: …`. Any other text stays as it is.
    """
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


def lines_of_table(text: str) -> str:
    """Return a pasted table as lines if its first line names its columns. Return any other text as it is."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = find_delimiter(heading)
    return lines_of(text) if delimiter and columns_of(cells(heading, delimiter)) else text


def line_of(row: list[str], columns: dict[str, int]) -> str:
    """Return the line for one row of a table. An empty row gives an empty line, and an empty cell gets no label."""
    told = {name: row[columns[name]] for name in COLUMNS if name in columns and columns[name] < len(row)}
    if "ladies" in told:
        told["ladies"] = told["ladies"].translate(TICKS)
    parts = [LABELS.get(name, "") + cell for name, cell in told.items() if cell or name not in LABELS]
    return "; ".join(parts).strip("; ")


def lines_of_rows(rows: Iterable[Sequence[str]]) -> str:
    """Return the rows of a spreadsheet as lines, as `lines_of` does for a text."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(rows)
    return lines_of("\n".join(line.rstrip(";") for line in text.getvalue().split("\n")).rstrip("\n"))


def cells(line: str, delimiter: str) -> list[str]:
    """Return the contents of the cells of a line. Delimiters inside a cell become spaces."""
    read = next(csv.reader([line], delimiter=delimiter), [])
    return [" ".join(cell.translate(BLANKS).split()) for cell in read]


def columns_of(heading: list[str]) -> dict[str, int]:
    """Return the index of each named column, or {} if the line names no column for the family name."""
    found: dict[str, int] = {}
    for place, cell in enumerate(heading):
        for name, words in COLUMNS.items():
            if simplify_name(cell) in words:
                found.setdefault(name, place)
    return found if "last" in found else {}
