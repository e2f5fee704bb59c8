"""The stamps of published versions. A stamp changes whenever the public pages of the version change.

A stamp says which version it is, and whether that version was replaced or withdrawn. One query reads it before every
page of a publication. The query is the same for sessions and tournaments, which add their own columns. It is written in
SQL by hand, because Django takes twice as long to build it as the database takes to answer it.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

from tournaments.models.published import Version
from tournaments.prepared import plan_once


@dataclass(frozen=True, slots=True)
class VersionStamp:
    """A published version, with everything that its public pages depend on.

    `publication` is the id of the version's row, and `digest` the digest of its figures. `names` is the version of the
    names in its club. `newest` is the number of the owner's newest version, and `latest` the digest of that version's
    figures. `withdrawn` is the number of a later version that withdrew the ranking, or None. `over` is True if the
    window of the newest version has ended, so that it should become official. `owner` is the id of the session or
    tournament. `practice` is True for a practice club.
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
        """The values that change whenever a page of the version changes. `over` is not among them."""
        version = (self.publication, self.version, self.status, self.digest)
        return (*version, self.names, self.newest, self.latest, self.withdrawn)

    @property
    def held_back(self) -> bool:
        """True if readers may not see the version now, because it counts something that they may not see."""
        return False

    @property
    def same(self) -> bool:
        """True if this version has exactly the same figures as the newest version."""
        return self.digest == self.latest


class StampRow(NamedTuple):
    """The first columns of a row of the query, which are the same for sessions and tournaments.

    The columns that only one kind has come after them.
    """

    publication: int
    version: int
    status: str
    digest: str
    is_over: bool
    names: int
    owner: int
    practice_of: int | None


class FoundStamp(NamedTuple):
    """The fields of `VersionStamp` for the requested version, and the columns that only its kind of ranking has."""

    fields: dict[str, Any]
    own: tuple[Any, ...]


class StampQuestion(NamedTuple):
    """A query that reads all versions of one owner, and the name and types by which PostgreSQL prepares it."""

    name: str
    sql: str
    types: tuple[str, ...]


def compose_question(
    types: Sequence[str], *, publications: str, owner: str, own: str, where: str, joins: str = "", beside: str = ""
) -> StampQuestion:
    """Return the query that reads all versions of one owner, the newest first, for `read_versions`.

    The arguments are parts of the SQL. `publications` is the table of the versions. `owner` is the alias of the owner's
    table. `own` are the additional columns. `joins` must join the owner's `tournament`. `beside` joins the tables that
    the additional columns need. `where` selects the owner by parameters of these `types`.
    """
    sql = f"""
    SELECT publication.id, publication.version, publication.status, publication.digest,
        publication.official_from <= %s, club.names_version, {owner}.id, club.practice_of_id, {own}
    FROM {publications} publication
    {joins}
    JOIN clubs_club club ON club.id = tournament.club_id
    {beside}
    WHERE {where}
    ORDER BY publication.version DESC
"""
    return StampQuestion(f"stamp_of_{owner}", sql, ("timestamptz", *types))


def read_versions(question: StampQuestion, now: dt.datetime, *place: str | int | None) -> list[tuple[Any, ...]]:
    """Return the rows of a query from `compose_question`. `place` has the params of its `where`."""
    with connection.cursor() as cursor:
        cursor.execute(plan_once(*question), [connection.ops.adapt_datetimefield_value(now), *place])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def find_stamp(rows: Sequence[tuple[Any, ...]], version: int | None) -> FoundStamp | None:
    """Return the stamp of the version with this number, or of the newest version if `version` is None.

    Return None if there is no such version.
    """
    version_row = next((row for row in rows if version in (None, row[1])), None)
    if version_row is None:
        return None
    width = len(StampRow._fields)
    mine, newest = StampRow(*version_row[:width]), StampRow(*rows[0][:width])
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
    return FoundStamp(fields, version_row[width:])
