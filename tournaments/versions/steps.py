"""The versions of a published ranking: which may follow which, and how long one is open.

The callers hold the lock of the owner of the versions, write its log, and compare two of its versions. A version is
never changed: every step adds one, and the earlier ones stay readable.
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
    """A decision with its author, moment and reason. `by` is None if the end of a window decided."""

    by: User | None
    now: dt.datetime
    reason: str = ""


class FiguresToPublish(NamedTuple):
    """The figures to publish, with their version of the results. `more` are the other columns of their row."""

    data: dict[str, Any]
    results_version: int
    more: Mapping[str, Any] = {}


def never(before: Any, after: Any) -> bool:  # noqa: ARG001
    return False


class VersionComparison(NamedTuple):
    """A comparison of the data of two versions of one owner.

    `changes` returns the differences in the second. `grows` returns whether the second only adds to the first, which
    needs no reason.
    """

    changes: Callable[[Any, Any], Changes]
    grows: Callable[[Any, Any], bool] = never


def publish_figures(
    owner: Model, figures: FiguresToPublish, word: DirectorWord, compared: VersionComparison, *, hours: int
) -> Any:
    """Return the version of the owner that has these figures, provisional for `hours` hours.

    It is the newest version if that has them already. Other figures than the official ones need a reason, else
    `ActionRefused("reason_missing")` is raised.
    """
    last = find_newest_version(owner)
    if last is not None:
        last = end_window(last, word.now)
        digest = digest_figures(figures.data)
        if last.status != WITHDRAWN and last.digest == digest:
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
    """Return an official version with the figures of the newest one. It is a new version."""
    if last.status == WITHDRAWN:
        raise ActionRefused("ranking_withdrawn")
    if last.status == OFFICIAL:
        return last
    return follow(last, word, status=OFFICIAL)


def end_window(last: V, now: dt.datetime) -> V:
    """Return the newest version, made official if its window is over."""
    return make_official(last, DirectorWord(None, now)) if is_over(last, now) else last


def withdraw(last: V, word: DirectorWord) -> V:
    """Withdraw the ranking with every version. Readers see the reason in its place."""
    if last.status == WITHDRAWN:
        return last
    return follow(last, word, status=WITHDRAWN, reason=require_word_reason(word))


def reopen(last: V, word: DirectorWord, *, hours: int) -> V:
    """Make the official figures provisional again for `hours` hours, so that people can check them once more."""
    if last.status != OFFICIAL:
        raise ActionRefused("ranking_not_official")
    until = word.now + dt.timedelta(hours=hours)
    return follow(last, word, status=PROVISIONAL, reason=require_word_reason(word), official_from=until)


def follow(last: V, word: DirectorWord, **otherwise: Any) -> V:
    """Add the next version, with the figures of this one."""
    same = {
        field.attname: getattr(last, field.attname) for field in last._meta.concrete_fields if not field.primary_key
    }
    own: dict[str, Any] = {"version": last.version + 1, "official_from": None, "reason": "", "changes": []}
    new = same | own | {"published_at": word.now, "published_by_id": word.by and word.by.pk} | otherwise
    version: V = type(last)._default_manager.create(**new)
    return version


def require_word_reason(word: DirectorWord) -> str:
    """Return the reason of a decision. Raise `ActionRefused("reason_missing")` if there is none."""
    if not word.reason.strip():
        raise ActionRefused("reason_missing", "reason")
    return word.reason.strip()


def find_newest_version(owner: Model) -> Any:
    """Return the newest version of an owner, or None before the first."""
    return owner.publications.order_by("-version").first()  # type: ignore[attr-defined]


def is_over(version: Version, now: dt.datetime) -> bool:
    """Return whether the window of a provisional version has ended."""
    return version.status == PROVISIONAL and version.official_from is not None and version.official_from <= now


def owners_to_settle(model: type[Version], owner: str, now: dt.datetime) -> list[int]:
    """Return the ids of the owners whose newest version has come to the end of its window.

    `owner` is the field of the model that names them.
    """
    newer = model._default_manager.filter(**{owner: OuterRef(owner)}, version__gt=OuterRef("version"))
    over = model._default_manager.filter(~Exists(newer), status=PROVISIONAL, official_from__lte=now)
    return list(over.order_by(F("official_from")).values_list(f"{owner}_id", flat=True))


def digest_figures(data: dict[str, Any]) -> str:
    """Return the digest of figures, which name nobody."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
