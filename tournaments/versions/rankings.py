"""The rankings of one kind, of sessions or of tournaments, with the steps that their published versions take.

Each step has its lock and its entry in the log. The sweep, or the first visit, writes the end of a window. `steps` says
which version may follow which; a kind of ranking is a value here.
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
    """The names of the steps in the log."""

    official: str
    withdrawn: str
    reopened: str


@dataclass(frozen=True)
class Rankings(Generic[Owner, Owned]):
    """The published rankings of one kind of owner.

    `model` has their versions, and its field `owner` names the owner. `lock` returns the owner by its id, locked;
    `lock_free` does too, or returns None if another write has the lock. `write_log` logs a step of a locked owner, and
    queues the jobs that follow. `hours` says how long a version is provisional.
    """

    model: type[Owned]
    owner: str
    actions: Actions
    lock: Callable[[int], Owner]
    lock_free: Callable[[int], Owner | None]
    write_log: Callable[[Owner, str, DirectorWord, Owned], None]
    compared: VersionComparison
    hours: Callable[[Owner], int]

    def publish(self, owner: Owner, figures: FiguresToPublish, word: DirectorWord) -> Owned:
        """Return the version with these figures, a new one unless the newest version has them. The owner is locked."""
        found: Owned = steps.publish_figures(owner, figures, word, self.compared, hours=self.hours(owner))
        return found

    def make_official(self, owner_id: int, word: DirectorWord) -> Owned:
        """Make the newest version official before its window ends, and return the official one."""
        return self.take_step(owner_id, self.actions.official, word, lambda _, last: steps.make_official(last, word))

    def withdraw(self, owner_id: int, word: DirectorWord) -> Owned:
        """Withdraw the ranking with all of its versions, until it is published again."""
        return self.take_step(owner_id, self.actions.withdrawn, word, lambda _, last: steps.withdraw(last, word))

    def reopen(self, owner_id: int, word: DirectorWord) -> Owned:
        """Make the official ranking provisional again, for as long as a new one would be."""

        def step(owner: Owner, last: Owned) -> Owned:
            return steps.reopen(last, word, hours=self.hours(owner))

        return self.take_step(owner_id, self.actions.reopened, word, step)

    @transaction.atomic
    def take_step(self, owner_id: int, action: str, word: DirectorWord, step: Callable[[Owner, Owned], Owned]) -> Owned:
        """Lock the owner, take a step from its newest version and log it. Return the newest version after it.

        A step that was taken already is not logged again. Raise `ActionRefused("nothing_published")` before the first
        publication.
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
        """Return the newest version of a locked owner, made official first if its window is over."""
        last: Owned | None = steps.find_newest_version(owner)
        return None if last is None else self.end_window(owner, last, now)

    def end_window(self, owner: Owner, last: Owned, now: dt.datetime) -> Owned:
        """Return the newest version, made official by the clock if its window is over by now."""
        version = steps.end_window(last, now)
        if version.pk != last.pk:
            self.write_log(owner, self.actions.official, DirectorWord(None, now), version)
        return version

    def settle(self, owner_id: int) -> bool:
        """Make a ranking official if its window has ended, and return whether that is done.

        If another write has the lock of the owner, that write does it. If the database refuses the write, this is
        logged, and readers see no error.
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
        """Settle every ranking that nobody has requested since its window ended."""
        for owner_id in steps.owners_to_settle(self.model, self.owner, timezone.now()):
            try:
                self.settle(owner_id)
            except (SoftTimeLimitExceeded, MemoryError, OperationalError, InterfaceError):  # no fault of this ranking
                raise
            except Exception:  # the others are settled all the same
                logger.exception("settle_%s of %s failed: the next sweep tries again.", self.owner, owner_id)

    def look_up(self, find: Callable[[dt.datetime], AnyStamp | None]) -> AnyStamp | None:
        """Return the stamp that `find` reads now, after making a ranking official whose window has ended."""
        stamp = find(timezone.now())
        if stamp is not None and stamp.over and self.settle(stamp.owner):
            return find(timezone.now())
        return stamp
