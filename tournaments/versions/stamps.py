"""The stamps of published versions: which version readers see, and whether it was replaced or withdrawn. One query.

The query is the same for every kind of ranking, and each kind adds columns of its own. It is written by hand and runs
before every page of a publication: Django takes twice as long to build it as the database takes to answer it.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

from tournaments.models.published import Version


@dataclass(frozen=True, slots=True)
class VersionStamp:
    """A version with everything that its public pages depend on.

    `names`: the version of the names in its club. `newest`, `latest`: the newest version of the same owner, and its
    digest. `withdrawn`: the later version that withdrew the ranking, or None. `over`: the window of the newest version
    has ended, so it should become official. `owner`: the id of the session or tournament.
    """

    publication: int
    version: int
    status: str
    digest: str
    names: int
    newest: int
    latest: str
    withdrawn: int | None
    over: bool
    owner: int
    practice: bool

    @property
    def parts(self) -> tuple[object, ...]:
        """The parts that change with everything that is read of the version, except `over`, which is a moment."""
        version = (self.publication, self.version, self.status, self.digest)
        return (*version, self.names, self.newest, self.latest, self.withdrawn)

    @property
    def same(self) -> bool:
        """True if the newest version has exactly the figures of this one."""
        return self.digest == self.latest


class StampRow(NamedTuple):
    """The columns that every kind of version has. Those of its own kind come after them."""

    publication: int
    version: int
    status: str
    digest: str
    is_over: bool
    names: int
    owner: int
    practice_of: int | None


class FoundStamp(NamedTuple):
    """The fields of `VersionStamp` for the requested version, and the columns of its own kind."""

    fields: dict[str, Any]
    own: tuple[Any, ...]


def compose_question(*, publications: str, owner: str, own: str, where: str, joins: str = "", beside: str = "") -> str:
    """Return the SQL that reads every version of one owner, the newest first, for `read_versions`.

    `publications`: the table of the versions. `owner`: the alias of their owner. `own`: the columns of this kind.
    `joins` lead from a version to its `tournament`, `beside` to tables that the own columns need.
    """
    return f"""
    SELECT publication.id, publication.version, publication.status, publication.digest,
        publication.official_from <= %s, club.names_version, {owner}.id, club.practice_of_id, {own}
    FROM {publications} publication
    {joins}
    JOIN clubs_club club ON club.id = tournament.club_id
    {beside}
    WHERE {where}
    ORDER BY publication.version DESC
"""


def read_versions(question: str, now: dt.datetime, *place: str | int | None) -> list[tuple[Any, ...]]:
    """Return the rows of a query of `compose_question` for the owner at `place` and this moment."""
    with connection.cursor() as cursor:
        cursor.execute(question, [connection.ops.adapt_datetimefield_value(now), *place])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def find_stamp(rows: Sequence[tuple[Any, ...]], version: int | None) -> FoundStamp | None:
    """Return the stamp of that version, or of the newest one for None. None if there is no such version."""
    found = next((row for row in rows if version in (None, row[1])), None)
    if found is None:
        return None
    width = len(StampRow._fields)
    mine, newest = StampRow(*found[:width]), StampRow(*rows[0][:width])
    withdrawals = [row[1] for row in rows if row[2] == Version.PublicationStatus.WITHDRAWN and row[1] >= mine.version]
    fields = {
        "publication": mine.publication,
        "version": mine.version,
        "status": mine.status,
        "digest": mine.digest,
        "names": mine.names,
        "newest": newest.version,
        "latest": newest.digest,
        "withdrawn": min(withdrawals, default=None),
        "over": newest.status == Version.PublicationStatus.PROVISIONAL and bool(newest.is_over),
        "owner": mine.owner,
        "practice": mine.practice_of is not None,
    }
    return FoundStamp(fields, found[width:])
