"""The published rankings of one kind: publishing, making official, withdrawing and reopening them.

A ranking has an owner (a session, a tournament, a series or a simultaneous) and numbered versions. Each step locks the
owner, adds a version and an entry in the log. `steps` decides which version may follow which. A provisional version
becomes official when its window (the time for corrections) has ended. The next visit, or a regular job (the sweep),
then adds the official version.
"""

import datetime as dt
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, InterfaceError, OperationalError, transaction
from django.db.models import Model
from django.utils import timezone

from tournaments.errors import ActionRefused
from tournaments.models.published import Version
from tournaments.versions import steps
from tournaments.versions.stamps import VersionStamp
from tournaments.versions.steps import DirectorWord, FiguresToPublish, VersionComparison

logger = logging.getLogger(__name__)
Owner = TypeVar("Owner", bound=Model)
Owned = TypeVar("Owned", bound=Version)
AnyStamp = TypeVar("AnyStamp", bound=VersionStamp)


class Actions(NamedTuple):
    """The log actions of publishing and of the steps, such as "ranking_official"."""

    published: str
    official: str
    withdrawn: str
    reopened: str


class DuePublication(NamedTuple):
    """The changes that readers would see if a ranking were published now, and whether it would need a reason."""

    changes: steps.Changes
    wants_reason: bool


@dataclass(frozen=True)
class Rankings(Generic[Owner, Owned]):
    """The published rankings of one kind of owner, such as those of all tournaments.

    `model` is the model of the versions, and `owner` is the name of its field for the owner. `lock` locks and returns
    the owner with this id. `lock_free` does the same, but returns None if another transaction has locked the owner.
    `write_log` logs a step of a locked owner, and queues the jobs that follow. `hours` returns the number of hours for
    which a version is provisional.
    """

    model: type[Owned]
    owner: str
    actions: Actions
    lock: Callable[[int], Owner]
    lock_free: Callable[[int], Owner | None]
    write_log: Callable[[Owner, str, DirectorWord, Owned], None]
    compared: VersionComparison
    hours: Callable[[Owner], int]

    def add_version(self, owner: Owner, figures: FiguresToPublish, word: DirectorWord) -> Owned:
        """Return the version with these figures. Add it, unless the newest version has the same figures.

        The caller has locked the owner.
        """
        hours = self.find_window(owner, figures, word.now)
        version: Owned = steps.publish_figures(owner, figures, word, self.compared, hours=hours)
        return version

    def find_window(self, owner: Owner, figures: FiguresToPublish, now: dt.datetime) -> int:
        """Return the number of hours for which a version with these figures is provisional."""
        return self.hours(owner)

    def make_official(self, owner_id: int, word: DirectorWord) -> Owned:
        """Make the ranking official before its window ends. Return the official version."""
        return self.take_step(owner_id, self.actions.official, word, lambda _, last: steps.make_official(last, word))

    def withdraw(self, owner_id: int, word: DirectorWord) -> Owned:
        """Withdraw the ranking with all its versions, until it is published again. Return the withdrawn version."""
        return self.take_step(owner_id, self.actions.withdrawn, word, lambda _, last: steps.withdraw(last, word))

    def reopen(self, owner_id: int, word: DirectorWord) -> Owned:
        """Make the official ranking provisional again for `hours` hours. Return the provisional version."""

        def step(owner: Owner, last: Owned) -> Owned:
            return steps.reopen(last, word, hours=self.hours(owner))

        return self.take_step(owner_id, self.actions.reopened, word, step)

    @transaction.atomic
    def take_step(self, owner_id: int, action: str, word: DirectorWord, step: Callable[[Owner, Owned], Owned]) -> Owned:
        """Lock the owner, call `step` with its newest version, and log the action. Return the version from `step`.

        If `step` returns the same version, nothing is logged. Raise `ActionRefused("nothing_published")` before the
        first publication.
        """
        owner = self.lock(owner_id)
        last = self.find_settled(owner, word.now)
        if last is None:
            raise ActionRefused("nothing_published")
        version = step(owner, last)
        if version.pk != last.pk:
            self.write_log(owner, action, word, version)
        return version

    def find_settled(self, owner: Owner, now: dt.datetime) -> Owned | None:
        """Return the newest version of a locked owner, or None. If its window is over, make it official first."""
        last: Owned | None = steps.find_newest_version(owner)
        return None if last is None else self.end_window(owner, last, now)

    def end_window(self, owner: Owner, last: Owned, now: dt.datetime) -> Owned:
        """Return `last`, the newest version. If its window is over, add and return an official version instead."""
        version = steps.end_window(last, now)
        if version.pk != last.pk:
            self.write_log(owner, self.actions.official, DirectorWord(None, now), version)
        return version

    def settle(self, owner_id: int) -> bool:
        """Make a ranking official if its window has ended. Return False if that could not be done now.

        If another transaction has locked the owner, that one will do it. If the database refuses the write, a warning
        is logged, and readers see no error.
        """
        try:
            with transaction.atomic():
                owner = self.lock_free(owner_id)
                if owner is None:
                    return False
                self.find_settled(owner, timezone.now())
        except DatabaseError:
            logger.warning(
                "The ranking of %s %s could not be made official: the next visit tries again.", self.owner, owner_id
            )
            return False
        return True

    def settle_all(self) -> None:
        """Make every ranking official whose window has ended, also those that nobody visits."""
        for owner_id in steps.owners_to_settle(self.model, self.owner, timezone.now()):
            try:
                self.settle(owner_id)
            # errors that this ranking did not cause
            except (SoftTimeLimitExceeded, MemoryError, OperationalError, InterfaceError):
                raise
            except Exception:  # go on with the other rankings
                logger.exception("settle_%s of %s failed: the next sweep tries again.", self.owner, owner_id)

    def look_up(self, find: Callable[[dt.datetime], AnyStamp | None]) -> AnyStamp | None:
        """Call `find` with the present time, and return its stamp.

        If the stamp says that the time for corrections is over, make the ranking official and call `find` again.
        """
        stamp = find(timezone.now())
        if stamp is not None and stamp.over and self.settle(stamp.owner):
            return find(timezone.now())
        return stamp


@dataclass(frozen=True, kw_only=True)
class FiguredRankings(Rankings[Owner, Owned]):
    """The published rankings of one kind whose figures follow from the owner alone, without choices of the director.

    `find_figures` returns the figures to publish now, or raises `ActionRefused`.
    """

    find_figures: Callable[[Owner], FiguresToPublish]

    def publish(self, owner_id: int, word: DirectorWord) -> Owned:
        """Publish the ranking as it is now. Return the version, which is provisional at first.

        If the newest version has the same figures, return that one. Raise `ActionRefused` if there is nothing to
        publish, or if official figures change in another way than by growing and no reason is given.
        """
        with transaction.atomic():
            return self.publish_locked(self.lock(owner_id), word)

    def publish_locked(self, owner: Owner, word: DirectorWord) -> Owned:
        """Publish the ranking of a locked owner as `publish` does."""
        figures, last = self.find_figures(owner), self.find_settled(owner, word.now)
        version = self.add_version(owner, figures, word)
        if last is None or version.pk != last.pk:
            self.write_log(owner, self.actions.published, word, version)
        return version

    def look_ahead(self, owner: Owner, last: Owned | None, now: dt.datetime) -> DuePublication | None:
        """Return what publishing now would show readers after `last`, the newest version, as `find_due` does.

        Return None if publishing would be refused.
        """
        try:
            return self.find_due(owner, last, now)
        except ActionRefused:
            return None

    def find_due(self, owner: Owner, last: Owned | None, now: dt.datetime) -> DuePublication | None:
        """Return what publishing now would show readers after `last`, or None if they would see nothing new.

        Raise `ActionRefused` if publishing would be refused.
        """
        data = self.find_figures(owner).data
        if last is None:
            return DuePublication([], wants_reason=False)
        if last.status != steps.WITHDRAWN and steps.digest_figures(data) == steps.own_digest(last):
            return None
        wants_reason = self.is_official(last, now) and not self.compared.grows(last.data, data)
        return DuePublication(self.compared.changes(last.data, data), wants_reason)

    def is_official(self, last: Owned | None, now: dt.datetime) -> bool:
        """Return whether the newest version is official, or becomes official before a new version is added."""
        return last is not None and (last.status == steps.OFFICIAL or steps.is_over(last, now))
