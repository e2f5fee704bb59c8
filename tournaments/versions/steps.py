"""The steps of a published ranking: each adds a version, if it may follow the newest version.

Earlier versions are never changed, and stay readable. The owner of a ranking is a session or a tournament. The callers
have locked the owner, and write the log.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from django.db.models import Exists, F, Model, OuterRef

from clubs.models import User
from tournaments.errors import ActionRefused
from tournaments.models.published import Version

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

    `more` are the other columns of the new row.
    """

    data: dict[str, Any]
    results_version: int
    more: Mapping[str, Any] = {}


def never(before: Any, after: Any) -> bool:  # noqa: ARG001
    """Return False: the default of `VersionComparison.grows`."""
    return False


class VersionComparison(NamedTuple):
    """Two functions that compare the data of two versions of one ranking, the older one first.

    `changes` returns the differences. `grows` returns True if the newer data only adds to the older data, which needs
    no reason.
    """

    changes: Callable[[Any, Any], Changes]
    grows: Callable[[Any, Any], bool] = never


def publish_figures(
    owner: Model, figures: FiguresToPublish, word: DirectorWord, compared: VersionComparison, *, hours: int
) -> Any:
    """Return the version with these figures: the newest version if it has them, else a new provisional version.

    A new version is provisional for `hours` hours. If it corrects an official version, a reason is needed; otherwise
    raise `ActionRefused("reason_missing")`.
    """
    last = find_newest_version(owner)
    if last is not None:
        last = end_window(last, word.now)
        digest = digest_figures(figures.data)
        if last.status != WITHDRAWN and own_digest(last) == digest:
            return last
        if last.status == OFFICIAL and not word.reason and not compared.grows(last.data, figures.data):
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


def end_window(last: V, now: dt.datetime) -> V:
    """Return `last`, the newest version. If its window is over, add and return an official version instead."""
    return make_official(last, DirectorWord(None, now)) if is_over(last, now) else last


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


def find_newest_version(owner: Model) -> Any:
    """Return the newest version of an owner's ranking, or None before the first publication."""
    return owner.publications.order_by("-version").first()  # type: ignore[attr-defined]


def is_over(version: Version, now: dt.datetime) -> bool:
    """Return whether the version is provisional and its window, the time for corrections, has ended."""
    return version.status == PROVISIONAL and version.official_from is not None and version.official_from <= now


def owners_to_settle(model: type[Version], owner: str, now: dt.datetime) -> list[int]:
    """Return the ids of the owners whose newest version is provisional although its window has ended.

    `owner` is the name of the model's field for the owner.
    """
    newer = model._default_manager.filter(**{owner: OuterRef(owner)}, version__gt=OuterRef("version"))
    over = model._default_manager.filter(~Exists(newer), status=PROVISIONAL, official_from__lte=now)
    return list(over.order_by(F("official_from")).values_list(f"{owner}_id", flat=True))


def own_digest(version: Version) -> str:
    """Return the digest of a version's figures with the numbers of this site.

    A version from an archive has the digest of the figures with the numbers of another site.
    """
    return version.digest if version.frozen is None else digest_figures(version.data)


def digest_figures(data: dict[str, Any]) -> str:
    """Return the SHA-256 digest of a version's figures, which contain ids but no names."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
