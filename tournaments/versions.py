"""The published versions of a ranking: the steps that add one, and the stamps by which pages know one.

A step adds a version, if it may follow the newest version. Earlier versions are never changed, and stay readable. The
callers have locked the owner of the ranking, and write the log.

A stamp changes whenever the public pages of the version change. It says which version it is, and whether that version
was replaced or withdrawn. One query reads it before every page of a publication. The query is the same for sessions and
tournaments, which add their own columns. It is written in SQL by hand, because Django takes twice as long to build it
as the database takes to answer it.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Exists, Model, OuterRef, QuerySet

from clubs.models import User
from tournaments.errors import ActionRefused
from tournaments.models.published import Version
from tournaments.prepared import plan_once

PROVISIONAL, OFFICIAL, WITHDRAWN = (
    Version.PublicationStatus.PROVISIONAL,
    Version.PublicationStatus.OFFICIAL,
    Version.PublicationStatus.WITHDRAWN,
)
Changes = list[dict[str, Any]]
V = TypeVar("V", bound=Version)


class DirectorWord(NamedTuple):
    """A decision with its author, moment and reason. `by` is None if the site acts because a window has ended."""

    by: User | None
    now: dt.datetime
    reason: str = ""


class FiguresToPublish(NamedTuple):
    """The figures to publish, and the version of the results from which they were computed.

    `more` are the other columns of the new row. `computed` is what the figures were made of, for kinds that keep it.
    """

    data: dict[str, Any]
    results_version: int
    more: Mapping[str, Any] = {}
    computed: Any = None


class VersionComparison(NamedTuple):
    """Two functions that compare the data of two versions of one ranking, the older one first.

    `tell` returns the differences that have a code of their own. `grows` returns True if the newer data only adds to
    the older data, which needs no reason.
    """

    tell: Callable[[Any, Any], Changes]
    grows: Callable[[Any, Any], bool] = lambda _before, _after: False

    def changes(self, before: Any, after: Any) -> Changes:
        """Return the differences. Equal data have none.

        If the data differ only in something that has no code, the one change has the code `details`.
        """
        return [] if before == after else self.tell(before, after) or [{"code": "details"}]


def has_figures(last: Version | None, data: dict[str, Any]) -> bool:
    """Return whether readers see these figures now, in the newest version."""
    return last is not None and last.status != WITHDRAWN and own_digest(last) == digest_figures(data)


def publish_figures(
    owner: Model,
    last: Any,
    figures: FiguresToPublish,
    word: DirectorWord,
    compared: VersionComparison,
    *,
    hours: int,
) -> Any:
    """Return the version with these figures: `last`, the newest version, if it has them, else a new provisional one.

    A new version is provisional for `hours` hours. If it corrects an official version, a reason is needed; otherwise
    raise `ActionRefused("reason_missing")`.
    """
    if has_figures(last, figures.data):
        return last
    if last and last.status == OFFICIAL and not word.reason and not compared.grows(last.data, figures.data):
        raise ActionRefused("reason_missing", "reason")
    publications: Any = owner.publications  # type: ignore[attr-defined]
    version: Version = publications.create(
        version=last.version + 1 if last else 1,
        official_from=word.now + dt.timedelta(hours=hours),
        results_version=figures.results_version,
        published_at=word.now,
        published_by=word.by,
        reason=word.reason,
        changes=compared.changes(last.data, figures.data) if last else [],
        data=figures.data,
        digest=digest_figures(figures.data),
        **figures.more,
    )
    return version if hours else make_official(version, word)


def make_official(last: V, word: DirectorWord) -> V:
    """Add and return an official version with the figures of `last`. If `last` is official, return it.

    Raise `ActionRefused("ranking_withdrawn")` if `last` is withdrawn.
    """
    if last.status == WITHDRAWN:
        raise ActionRefused("ranking_withdrawn")
    if last.status == OFFICIAL:
        return last
    return follow(last, word, status=OFFICIAL)


def withdraw(last: V, word: DirectorWord) -> V:
    """Withdraw the ranking with all its versions: readers see the reason instead. Return the withdrawn version."""
    if last.status == WITHDRAWN:
        return last
    return follow(last, word, status=WITHDRAWN, reason=require_word_reason(word))


def reopen(last: V, word: DirectorWord, *, hours: int) -> V:
    """Add and return a version that makes the official figures provisional again for `hours` hours.

    Raise `ActionRefused` if `last` is not official, or if there is no reason.
    """
    if last.status != OFFICIAL:
        raise ActionRefused("ranking_not_official")
    until = word.now + dt.timedelta(hours=hours)
    return follow(last, word, status=PROVISIONAL, reason=require_word_reason(word), official_from=until)


def follow(last: V, word: DirectorWord, **otherwise: Any) -> V:
    """Add and return the next version. It is a copy of `last`, with the columns in `otherwise` changed."""
    same = {
        field.attname: getattr(last, field.attname) for field in last._meta.concrete_fields if not field.primary_key
    }
    own: dict[str, Any] = {"version": last.version + 1, "official_from": None, "reason": "", "changes": []}
    new = same | own | {"published_at": word.now, "published_by_id": word.by and word.by.pk} | otherwise
    version: V = type(last)._default_manager.create(**new)
    return version


def require_word_reason(word: DirectorWord) -> str:
    """Return the reason of a decision without spaces around it. Raise `ActionRefused("reason_missing")` if empty."""
    if not word.reason.strip():
        raise ActionRefused("reason_missing", "reason")
    return word.reason.strip()


def find_newest_versions(model: Any, owner: str) -> QuerySet[Any]:
    """Return the newest version of each ranking of a kind, withdrawn ones too. `owner` is the model's field for it."""
    newer = model._default_manager.filter(**{owner: OuterRef(owner)}, version__gt=OuterRef("version"))
    newest: QuerySet[Any] = model._default_manager.filter(~Exists(newer))
    return newest


def find_newest_version(owner: Model) -> Any:
    """Return the newest version of an owner's ranking, or None before the first publication."""
    return owner.publications.order_by("-version").first()  # type: ignore[attr-defined]


def is_over(version: Version, now: dt.datetime) -> bool:
    """Return whether the version is provisional and its window, the time for corrections, has ended."""
    return version.status == PROVISIONAL and version.official_from is not None and version.official_from <= now


def own_digest(version: Version) -> str:
    """Return the digest of a version's figures with the numbers of this site.

    A version from an archive has the digest of the figures with the numbers of another site.
    """
    return version.digest if version.frozen is None else digest_figures(version.data)


def digest_figures(data: dict[str, Any]) -> str:
    """Return the SHA-256 digest of a version's figures, which contain ids but no names."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class VersionStamp:
    """A published version, with everything that its public pages depend on.

    `publication` is the id of the version's row, and `digest` the digest of its figures. `names` is the version of the
    names in its club. `newest` is the number of the owner's newest version, and `latest` the digest of that version's
    figures. `withdrawn` is the number of a later version that withdrew the ranking, or None. `over` is True if the
    window of the newest version has ended, so that it should become official. `owner` is the id of the session or
    tournament. `practice` is True for a practice club. `about` is a digest of what else the pages of some kinds show.
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
    about: str = field(default="", kw_only=True)

    @property
    def parts(self) -> tuple[object, ...]:
        """The values that change whenever a page of the version changes. `over` is not among them."""
        version = (self.publication, self.version, self.status, self.digest)
        return (*version, self.names, self.newest, self.latest, self.withdrawn, self.about)

    @property
    def shows(self) -> tuple[bool, ...]:
        """The switches on which the pages depend, none for most kinds of rankings."""
        return ()

    @property
    def held_back(self) -> bool:
        """True if readers may not see the version now, because it counts something that they may not see."""
        return False

    def tells_changes(self, version: int) -> bool:
        """Return whether readers may see the changes that a version made."""
        return True

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
