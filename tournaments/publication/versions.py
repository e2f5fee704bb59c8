"""Versions of what is published, of a session as of a tournament: which may come after which, and how long one is open.

Whoever calls holds the lock on the thing that they are versions of, writes its log, and knows how two of its versions
differ. A version is never changed: every step adds one, and what came before it can be read as it was.
"""

import datetime as dt
import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError
from django.db.models import Exists, F, OuterRef

from clubs.models import User
from tournaments.errors import Refused
from tournaments.models import Session, Tournament
from tournaments.models.published import Version

logger = logging.getLogger(__name__)
PROVISIONAL, OFFICIAL, WITHDRAWN = Version.Status.PROVISIONAL, Version.Status.OFFICIAL, Version.Status.WITHDRAWN
Changes = list[dict[str, Any]]
V = TypeVar("V", bound=Version)


class Word(NamedTuple):
    """By whose word something is so, since when and why; by nobody's where a window has ended by itself."""

    by: User | None
    now: dt.datetime
    reason: str = ""


class Figures(NamedTuple):
    """What is to be published: plain data, as of a version of the results, with the other columns of its row."""

    data: dict[str, Any]
    results_version: int
    more: Mapping[str, Any] = {}


def never(before: Any, after: Any) -> bool:  # noqa: ARG001
    return False


class Compared(NamedTuple):
    """How two data of one owner are held against each other. `changes` tells what is otherwise in the second. `grows`:
    whether the second only adds to the first, which takes no reason."""

    changes: Callable[[Any, Any], Changes]
    grows: Callable[[Any, Any], bool] = never


def publish_figures(owner: Session | Tournament, figures: Figures, word: Word, compared: Compared) -> Any:
    """The version (of the owner's kind) that has these figures, provisional for the tournament's `window_hours`; the
    newest one where it is that already.

    Other figures than the official ones are published for a reason alone: `Refused("reason_missing")`.
    """
    last = newest_version(owner)
    if last is not None:
        last = end_window(last, word.now)
        digest = digest_of(figures.data)
        if last.status != WITHDRAWN and last.digest == digest:
            return last
        if last.status == OFFICIAL and not word.reason and not compared.grows(last.data, figures.data):
            raise Refused("reason_missing", "reason")
    hours = window_of(owner)
    publications: Any = owner.publications
    version: Version = publications.create(
        version=last.version + 1 if last else 1,
        official_from=word.now + dt.timedelta(hours=hours),
        results_version=figures.results_version,
        published_at=word.now,
        published_by=word.by,
        reason=word.reason,
        changes=compared.changes(last.data, figures.data) if last else [],
        data=figures.data,
        digest=digest_of(figures.data),
        **figures.more,
    )
    return version if hours else make_official(version, word)


def make_official(last: V, word: Word) -> V:
    """The newest version made official: with the same figures, a version of its own."""
    if last.status == WITHDRAWN:
        raise Refused("ranking_withdrawn")
    if last.status == OFFICIAL:
        return last
    return follow(last, word, status=OFFICIAL)


def end_window(last: V, now: dt.datetime) -> V:
    """The newest version, made official where its window is over."""
    return make_official(last, Word(None, now)) if is_over(last, now) else last


def withdraw(last: V, word: Word) -> V:
    """Takes the ranking off again, with every version there is: readers are told the reason in its place."""
    if last.status == WITHDRAWN:
        return last
    return follow(last, word, status=WITHDRAWN, reason=needed(word))


def reopen(last: V, word: Word, *, hours: int) -> V:
    """The official figures, provisional again for so many hours: somebody looks at them once more."""
    if last.status != OFFICIAL:
        raise Refused("ranking_not_official")
    until = word.now + dt.timedelta(hours=hours)
    return follow(last, word, status=PROVISIONAL, reason=needed(word), official_from=until)


def follow(last: V, word: Word, **otherwise: Any) -> V:
    """The next version, with the figures of this one."""
    same = {
        field.attname: getattr(last, field.attname) for field in last._meta.concrete_fields if not field.primary_key
    }
    own: dict[str, Any] = {"version": last.version + 1, "official_from": None, "reason": "", "changes": []}
    new = same | own | {"published_at": word.now, "published_by_id": word.by and word.by.pk} | otherwise
    version: V = type(last)._default_manager.create(**new)
    return version


def needed(word: Word) -> str:
    if not word.reason.strip():
        raise Refused("reason_missing", "reason")
    return word.reason.strip()


def newest_version(owner: Session | Tournament) -> Any:
    """A `Publication` or a `TournamentPublication`; None before the first."""
    return owner.publications.order_by("-version").first()


def window_of(owner: Session | Tournament) -> int:
    tournament = owner.tournament if isinstance(owner, Session) else owner
    return tournament.window_hours


def is_over(version: Version, now: dt.datetime) -> bool:
    """Whether the window of a provisional version has ended."""
    return version.status == PROVISIONAL and version.official_from is not None and version.official_from <= now


def owners_to_settle(model: type[Version], owner: str, now: dt.datetime) -> list[int]:
    """The ids of all whose newest version has seen the end of its window; `owner` names them in the model."""
    newer = model._default_manager.filter(**{owner: OuterRef(owner)}, version__gt=OuterRef("version"))
    over = model._default_manager.filter(~Exists(newer), status=PROVISIONAL, official_from__lte=now)
    return list(over.order_by(F("official_from")).values_list(f"{owner}_id", flat=True))


def settle_each(owners: Iterable[int], settle: Callable[[int], object]) -> None:
    """Settle all of these: one that cannot be says so in the log, and keeps none of the others waiting."""
    for pk in owners:
        try:
            settle(pk)
        except (SoftTimeLimitExceeded, MemoryError, OperationalError, InterfaceError):  # no fault of this one
            raise
        except Exception:
            logger.exception("%s of %s failed: the next sweep tries again.", settle.__name__, pk)


def digest_of(data: dict[str, Any]) -> str:
    """Of the figures alone, since there is no name among them."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
