"""The export of a tournament in its own transaction, which reads all rows as they are at one moment (a snapshot)."""

import datetime as dt

from django.db import connection, transaction

from archives.archive.writing import export_tournament
from clubs.models import User
from tournaments.locks import read_one_moment
from tournaments.models import Tournament


def export_snapshot(
    *, tournament: Tournament, now: dt.datetime, cards_for: User | None = None, by: User | None = None
) -> bytes:
    """Return the archive of a tournament, as `export_tournament` does. Others may write at the same time."""
    is_first = not connection.in_atomic_block
    with transaction.atomic():
        if is_first:
            read_one_moment()
        return export_tournament(tournament=tournament, now=now, cards_for=cards_for, by=by)
