"""The check of an unpacked archive before any row is made: its files, their columns, and the digests of versions."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from archives.archive.contents import (
    ARCHIVED,
    MISSING,
    PLAYERS,
    PUBLICATIONS,
    TOURNAMENT,
    TOURNAMENT_PUBLICATIONS,
    ArchivedRows,
)
from archives.archive.errors import ArchiveError
from archives.archive.packing import UnpackedArchive, dump, read_value

FURTHER = {
    PLAYERS.name: {"shown", "unrated"},
    PUBLICATIONS.name: {"numbers"},
    TOURNAMENT_PUBLICATIONS.name: {"numbers"},
}
AUTHORS = "authors.json"


def check_files(archive: UnpackedArchive) -> dict[str, int]:
    """Raise `ArchiveError` unless the archive has exactly the files and columns of its version, with rows in order.

    Return the number of rows of each model, by the name of its file.
    """
    missing = MISSING[archive.version]
    counts = dict.fromkeys(missing.files, 0)
    present = [each for each in ARCHIVED if each.name not in missing.files]
    expected = {AUTHORS, *(f"{each.name}.json" for each in present)}
    for each in present:
        columns = {column.name for column in each.columns} | {"row"} | FURTHER.get(each.name, set())
        columns -= missing.columns.get(each.name, {}).keys()
        counts[each.name] = check_rows(archive, f"{each.name}.json", columns)
        if each in (PUBLICATIONS, TOURNAMENT_PUBLICATIONS):
            expected |= {f"{each.name}/{number}.json" for number in range(1, counts[each.name] + 1)}
            for row in archive.read_rows(f"{each.name}.json"):
                read_frozen(archive, each, row)
    check_rows(archive, AUTHORS, {"row", "name"})
    there = set(archive.paths)
    if expected != there:
        raise ArchiveError("archive_files", paths=", ".join(sorted(expected ^ there))[:200])
    if counts[TOURNAMENT.name] != 1:
        raise ArchiveError("archive_tournaments")
    return counts


def check_rows(archive: UnpackedArchive, path: str, columns: set[str]) -> int:
    """Return the number of rows. Raise `ArchiveError` unless a file is a list of rows with these columns, from 1."""
    place = 0
    for place, row in enumerate(archive.read_rows(path), start=1):
        if not isinstance(row, dict) or row.keys() != columns or row["row"] != place:
            raise ArchiveError("archive_columns", row=place, path=path)
    return place


def read_frozen(archive: UnpackedArchive, each: ArchivedRows, row: Mapping[str, Any]) -> Any:
    """Return the frozen figures of a version. Raise `ArchiveError` if they do not have the version's digest."""
    path = f"{each.name}/{row['row']}.json"
    if path not in archive.paths:
        raise ArchiveError("archive_missing", path=path)
    text = archive.read_text(path)
    frozen = read_value(path, text)
    if sha256(text).hexdigest() != row["digest"] or dump(frozen).encode() != text:
        raise ArchiveError("archive_figures", path=path)
    return frozen
