"""The scheduler of Celery's beat, made safe for a clock that is set back.

Celery keeps when each job was last sent (in a file too) and when it is due next, both by the wall clock. If that clock
falls back by an hour, nothing would be due for an hour.
"""

from typing import Any

from celery.beat import PersistentScheduler


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    """A scheduler that treats a job last sent in the future as sent now."""

    def tick(self, **functions: Any) -> float:
        """Send one job if one is due. Return the seconds until the next look."""
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at > entry.default_now()]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            self.populate_heap()
        return super().tick(**functions)  # type: ignore[no-any-return]
