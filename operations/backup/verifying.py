"""The verification of a backup: it is restored into a scratch database and compared with the file.

Standings are computed anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import dj_database_url
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import F
from django.db.utils import load_backend

from evenings.standings.comparing import find_difference
from evenings.standings.computing import compute
from operations.backup.contents import BackupError
from operations.backup.reading import RestoreSteps, drop_tables, read_texts, restore_backup, split_lines
from operations.backup.writing import blocks_of_site
from tournaments.models import Publication, SessionStandings, TournamentPublication
from tournaments.versions import digest_figures

# The scratch database is deleted afterwards, so it does not have to survive a power cut.
FAST = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"}
AT_ONCE = 50  # publications are read at once, because they are large


class VerifiedBackup(NamedTuple):
    """The counts of a verification: rows and tables, stored standings, and publications that were checked.

    `waiting`: the sessions whose standings were not yet computed when the backup was made.
    """

    digest: str
    rows: int
    tables: int
    standings: int
    waiting: int
    publications: int


def verify_backup(path: Path, identity: Any = None, scratch: str = "") -> VerifiedBackup:
    """Restore a backup into a scratch database, compare every row with the file, and compute all standings anew.

    `scratch`: the address of a database without rows, whose tables are dropped at the end. Without it, SQLite makes a
    database in a temporary folder. Return the counts. Raise BackupError if anything differs.
    """
    with scratch_database(scratch):
        restored = restore_backup(path, identity, RestoreSteps(check=lambda: compare_lines(path, identity)))
        standings, waiting = check_standings()
        publications = check_publications()
        if scratch:
            drop_tables()
    rows = restored.rows
    return VerifiedBackup(restored.digest, sum(rows.values()), len(rows), standings, waiting, publications)


@contextmanager
def scratch_database(url: str) -> Iterator[None]:
    """Send all queries inside to another database than the site's.

    `url` is its address. Without it, SQLite makes a database in a temporary folder.
    """
    with TemporaryDirectory(prefix="topage-verify-") as folder:
        options: Any = dj_database_url.parse(url or f"sqlite:///{folder}/scratch.sqlite3")
        if options["ENGINE"] == "django.db.backends.sqlite3":
            options["OPTIONS"] = FAST
        settings = connections.configure_settings({DEFAULT_DB_ALIAS: options})[DEFAULT_DB_ALIAS]
        site = connections[DEFAULT_DB_ALIAS]
        apart = load_backend(options["ENGINE"]).DatabaseWrapper(settings, DEFAULT_DB_ALIAS)
        connections[DEFAULT_DB_ALIAS] = apart
        try:
            yield
        finally:
            apart.close()
            connections[DEFAULT_DB_ALIAS] = site


def compare_lines(path: Path, identity: Any) -> None:
    """Raise BackupError if a line of the file differs from the restored rows. The error names the first such line."""
    table = ""
    site_lines = (line for block in blocks_of_site(connection, {}) for line in split_lines(block))
    for number, (line, file_line) in enumerate(zip_longest(site_lines, read_texts(path, identity)), 1):
        if line != file_line and (line is None or file_line is None or sort_keys(line) != sort_keys(file_line)):
            row = json.loads(file_line) if file_line else None
            place = f"of {table}, row {row[0]}," if isinstance(row, list) else f"after the rows of {table}"
            raise BackupError(f"Line {number} {place} is not what the scratch database has after the restore.")
        if file_line.startswith(b"{"):
            table = json.loads(file_line).get("table", "")


def sort_keys(line: bytes) -> str:
    """Return a line with the keys of its JSON sorted: older backups have them as their database ordered them."""
    return json.dumps(json.loads(line), sort_keys=True)


def check_standings() -> tuple[int, int]:
    """Return how many sessions have right stored standings, and how many still wait for a computation.

    Raise BackupError if the stored standings of a session are not those of its results.
    """
    fresh = SessionStandings.objects.filter(results_version=F("session__results_version"))
    ids = list(fresh.order_by("pk").values_list("pk", flat=True))
    for pk in ids:
        computed = compute(pk)
        if computed is not None and find_difference(fresh.get(pk=pk), computed):
            raise BackupError(f"The stored standings of session {pk} are not those of its results.")
    return len(ids), SessionStandings.objects.count() - len(ids)


def check_publications() -> int:
    """Return how many publications have the right digest of their figures. Raise BackupError if one has not."""
    count = 0
    for model in (Publication, TournamentPublication):
        for row in model._base_manager.order_by("pk").only("pk", "data", "digest").iterator(chunk_size=AT_ONCE):
            if digest_figures(row.data) != row.digest:
                raise BackupError(f"The digest of {model._meta.db_table}, row {row.pk}, is not that of its figures.")
            count += 1
    return count
