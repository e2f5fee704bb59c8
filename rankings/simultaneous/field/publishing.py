"""The published, frozen versions of a simultaneous' ranking.

The organiser publishes provisional versions as clubs come in. While results still count, no version can become
official: its window is made longer, also if a club came after the version was published. When the field is over, the
sweep publishes what came in since. So an old version does not become official by itself.
"""

import datetime as dt
import logging
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import Exists, OuterRef

from clubs.log import log_club_action
from rankings.simultaneous.field.computing import find_basis_of_field, read_sources, refresh_field
from rankings.simultaneous.writing import FieldRefused, lock_simultaneous, refuse_received
from tournaments.locks import lock_apart
from tournaments.models import FieldPublication, FieldStandings, Simultaneous
from tournaments.versions.rankings import Actions, FiguredRankings
from tournaments.versions.steps import (
    OFFICIAL,
    PROVISIONAL,
    DirectorWord,
    FiguresToPublish,
    VersionComparison,
    digest_figures,
    find_newest_version,
    is_over,
    own_digest,
)

Data = Mapping[str, Any]
HOUR = dt.timedelta(hours=1)

logger = logging.getLogger(__name__)


def lock_free_field(simultaneous_id: int) -> Simultaneous | None:
    """Lock and return the simultaneous, or return None at once if another transaction has locked it."""
    return next(iter(lock_apart(Simultaneous, [simultaneous_id], free=True)), None)


def find_field_figures(simultaneous: Simultaneous) -> FiguresToPublish:
    """Return the stored standings as figures to publish. Raise `FieldRefused` if no result counts yet."""
    kept = FieldStandings.objects.filter(simultaneous=simultaneous).exclude(computed_at=None).first()
    if kept is None or not kept.data["etuis"]:
        raise FieldRefused("field_nothing_counts")
    return FiguresToPublish(kept.data, simultaneous.revision, {"sessions": find_session_versions(kept)})


def find_window(simultaneous: Simultaneous, now: dt.datetime, *, is_complete: bool) -> int:
    """Return the hours for which a version is provisional. While results still count, they begin at the public hour."""
    waits = 0 if is_complete else max(0, ceil((simultaneous.public_at - now) / HOUR))
    return simultaneous.window_hours + waits + (not is_complete and not simultaneous.window_hours)


def lengthen_window(
    simultaneous: Simultaneous, version: FieldPublication, now: dt.datetime, *, is_complete: bool
) -> None:
    """Let a version whose window has ended stay provisional, for as long as a new version would be."""
    hours = max(1, find_window(simultaneous, now, is_complete=is_complete))
    version.official_from = now + hours * HOUR
    version.save(update_fields=["official_from"])


def has_present_figures(simultaneous: Simultaneous, last: FieldPublication, now: dt.datetime) -> bool:
    """Return whether a version has the figures that the field has now."""
    if is_field_stale(simultaneous, now):
        return False
    return digest_figures(FieldStandings.objects.get(simultaneous=simultaneous).data) == own_digest(last)


def find_session_versions(kept: FieldStandings) -> dict[str, int]:
    """Return the results version of each session that counts, by its id as text."""
    return {pk: basis[0] for pk, basis in kept.basis["sessions"].items()}


def is_field_stale(simultaneous: Simultaneous, now: dt.datetime) -> bool:
    """Return whether the stored standings are missing or were computed from older data."""
    kept = FieldStandings.objects.filter(simultaneous=simultaneous).exclude(computed_at=None).first()
    return kept is None or kept.basis != find_basis_of_field(simultaneous, read_sources(simultaneous, now))


def compare_field_versions(before: Data, after: Data) -> list[dict[str, Any]]:
    """Return the changes between two stored rankings of a field, as codes with parameters.

    Thousands of players may move: only their number is told.
    """
    if before == after:
        return []
    were, are = ({each["session"] for each in data["clubs"] if each["scored"]} for data in (before, after))
    ruled = [
        {each["number"]: (each["annulled"], {(part["part"], part["own"]) for part in each["parts"]}) for each in etuis}
        for etuis in (before["etuis"], after["etuis"])
    ]
    same = ruled[0].keys() & ruled[1].keys()
    olds, news = (
        {(each["session"], each["player"]): (each["overall"], each["rank_general"]) for each in data["players"]}
        for data in (before, after)
    )
    moved = sum(olds[who] != figures for who, figures in news.items() if who in olds)
    changes: Sequence[dict[str, Any]] = [
        *([{"code": "field_clubs_came", "count": len(are - were)}] if are - were else []),
        *([{"code": "field_clubs_gone", "count": len(were - are)}] if were - are else []),
        *([{"code": "field_etuis"}] if any(ruled[0][number] != ruled[1][number] for number in same) else []),
        *([{"code": "percentages", "count": moved}] if moved else []),
    ]
    return [*changes] or [{"code": "details"}]


def write_field_step(simultaneous: Simultaneous, action: str, word: DirectorWord, version: FieldPublication) -> None:
    """Log a step of the ranking in the log of the organiser's club."""
    told = {"reason": version.reason} if version.reason else {}
    code = f"{action}_reason" if told else action
    params = {"simultaneous": simultaneous.title, "version": str(version.version), **told}
    log_club_action(simultaneous.club, code, now=word.now, by=word.by, **params)


class FieldRankings(FiguredRankings[Simultaneous, FieldPublication]):
    """The published rankings of fields. A window ends only if no result counts any more and the figures are current."""

    def publish(self, owner_id: int, word: DirectorWord) -> FieldPublication:
        """Publish the ranking as it is now. The figures are computed before anything is locked."""
        refresh_field(owner_id, now=word.now)
        with transaction.atomic():
            simultaneous = self.lock(owner_id)
            refuse_received(simultaneous)
            return self.publish_locked(simultaneous, word)

    def publish_locked(self, owner: Simultaneous, word: DirectorWord) -> FieldPublication:
        """Publish the stored standings. A version whose window is over, but has older figures, stays provisional."""
        is_complete, last = self.find_figures(owner).data["complete"], self.find_settled(owner, word.now)
        if last is not None and is_over(last, word.now):
            lengthen_window(owner, last, word.now, is_complete=is_complete)
        return super().publish_locked(owner, word)

    def find_window(self, owner: Simultaneous, figures: FiguresToPublish, now: dt.datetime) -> int:
        """Return the number of hours for which a version with these figures is provisional."""
        return find_window(owner, now, is_complete=figures.data["complete"])

    def is_official(self, last: FieldPublication | None, now: dt.datetime) -> bool:
        """Return whether the newest version is official. One whose window is over may become provisional again."""
        return last is not None and last.status == OFFICIAL

    def make_official(self, owner_id: int, word: DirectorWord) -> FieldPublication:
        """Make the ranking official before its window ends.

        Raise `FieldRefused` while results still count, or if the published figures are older than those of the field.
        """
        simultaneous = Simultaneous.objects.get(pk=owner_id)
        if not read_sources(simultaneous, word.now).is_complete:
            raise FieldRefused("field_still_open")
        refresh_field(owner_id, now=word.now)
        last = find_newest_version(simultaneous)
        if last is not None and last.status == PROVISIONAL and not has_present_figures(simultaneous, last, word.now):
            raise FieldRefused("field_outdated")
        return super().make_official(owner_id, word)

    def end_window(self, owner: Simultaneous, last: FieldPublication, now: dt.datetime) -> FieldPublication:
        """Return `last`, or an official version if its window is over.

        If results still count, the window is made longer. If the figures are older than those of the field, `last` is
        left as it is, and the sweep publishes the figures of now.
        """
        if is_over(last, now):
            if not read_sources(owner, now).is_complete:
                lengthen_window(owner, last, now, is_complete=False)
                return last
            if not has_present_figures(owner, last, now):
                return last
        return super().end_window(owner, last, now)


FIELD_RANKINGS = FieldRankings(
    model=FieldPublication,
    owner="simultaneous",
    actions=Actions("field_published", "field_official", "field_withdrawn", "field_reopened"),
    lock=lock_simultaneous,
    lock_free=lock_free_field,
    write_log=write_field_step,
    compared=VersionComparison(compare_field_versions),
    hours=lambda simultaneous: simultaneous.window_hours,
    find_figures=find_field_figures,
)
publish_field = FIELD_RANKINGS.publish


def settle_all_fields(now: dt.datetime) -> None:
    """Renew the provisional version of each field that is over, and make those official whose window has ended."""
    for pk in find_unsettled_fields():
        try:
            renew_when_over(pk, now)
        except (SoftTimeLimitExceeded, MemoryError):  # errors that this one did not cause
            raise
        except Exception:  # go on with the other simultaneous
            logger.exception("The ranking of simultaneous %s could not be renewed: the next sweep tries again.", pk)
    FIELD_RANKINGS.settle_all()


def find_unsettled_fields() -> list[int]:
    """Return the ids of the simultaneous whose newest version is provisional."""
    newer = FieldPublication.objects.filter(simultaneous=OuterRef("simultaneous"), version__gt=OuterRef("version"))
    newest = FieldPublication.objects.filter(~Exists(newer), status=PROVISIONAL).order_by("simultaneous")
    return list(newest.values_list("simultaneous", flat=True))


def renew_when_over(simultaneous_id: int, now: dt.datetime) -> bool:
    """Publish the present standings of a field that is over, if its provisional version has older figures.

    Return True if a version was added.
    """
    simultaneous = Simultaneous.objects.get(pk=simultaneous_id)
    if not read_sources(simultaneous, now).is_complete:
        return False
    refresh_field(simultaneous_id, now=now)
    with transaction.atomic():
        locked = lock_free_field(simultaneous_id)
        last = None if locked is None else find_newest_version(locked)
        if locked is None or last is None or last.status != PROVISIONAL:
            return False
        if FIELD_RANKINGS.look_ahead(locked, last, now) is None:
            return False
        return bool(FIELD_RANKINGS.publish_locked(locked, DirectorWord(None, now)).pk != last.pk)
