"""The check of an unpacked archive before any row is made: its files, their columns, and the digests of versions."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from tournaments.archive.contents import (
    ARCHIVED,
    PLAYERS,
    PUBLICATIONS,
    TOURNAMENT,
    TOURNAMENT_PUBLICATIONS,
    ArchivedRows,
    ArchiveError,
)
from tournaments.archive.packing import UnpackedArchive, dump

FURTHER = {PLAYERS.name: {"shown"}, PUBLICATIONS.name: {"numbers"}, TOURNAMENT_PUBLICATIONS.name: {"numbers"}}
AUTHORS = "authors.json"


def check_files(archive: UnpackedArchive) -> None:
    """Raise `ArchiveError` unless the archive has exactly the files and columns of its version, with rows in order."""
    expected = {AUTHORS, *(f"{each.name}.json" for each in ARCHIVED)}
    for each in ARCHIVED:
        columns = {column.name for column in each.columns} | {"row"} | FURTHER.get(each.name, set())
        check_rows(archive, f"{each.name}.json", columns)
        if each in (PUBLICATIONS, TOURNAMENT_PUBLICATIONS):
            rows = archive.values[f"{each.name}.json"]
            expected |= {f"{each.name}/{row['row']}.json" for row in rows}
            for row in rows:
                read_frozen(archive, each, row)
    check_rows(archive, AUTHORS, {"row", "name"})
    if expected != archive.values.keys():
        raise ArchiveError(
            f"The archive has other files than it should: {', '.join(expected ^ archive.values.keys())}."
        )
    if len(archive.values[f"{TOURNAMENT.name}.json"]) != 1:
        raise ArchiveError("The archive has not exactly one tournament.")


def check_rows(archive: UnpackedArchive, path: str, columns: set[str]) -> None:
    """Raise `ArchiveError` unless a file is a list of rows with these columns, numbered from 1."""
    rows = archive.values.get(path)
    if not isinstance(rows, list):
        raise ArchiveError(f"The archive has no list of rows in {path}.")
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, dict) or row.keys() != columns or row["row"] != place:
            raise ArchiveError(f"Row {place} of {path} has not the columns that it should have.")


def read_frozen(archive: UnpackedArchive, each: ArchivedRows, row: Mapping[str, Any]) -> Any:
    """Return the figures of a version as they were frozen. Raise `ArchiveError` if its digest is another one's."""
    path = f"{each.name}/{row['row']}.json"
    text = archive.texts.get(path)
    if text is None:
        raise ArchiveError(f"The archive has no file {path}.")
    frozen = json.loads(text)
    if sha256(text).hexdigest() != row["digest"] or dump(frozen).encode() != text:
        raise ArchiveError(f"The figures in {path} are not those whose digest the published version has.")
    return frozen
