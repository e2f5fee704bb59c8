"""Celery's beat, by a clock that may be set back.

Celery keeps when each job was last sent, in a file too, and when it is due next, both by the wall clock. Where that
falls back by an hour, nothing is due for an hour.
"""

from typing import Any

from celery.beat import PersistentScheduler


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    """A scheduler for which what was last sent in the future was sent now."""

    def tick(self, **functions: Any) -> float:
        """Send one job that is due, if any is; return the seconds until the next look."""
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at > entry.default_now()]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            self.populate_heap()
        return super().tick(**functions)  # type: ignore[no-any-return]
