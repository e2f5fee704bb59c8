"""The scheduler of Celery's beat, made safe for a clock that is set back.

Celery remembers, also in a file, when it sent each job and when the job is due next. It uses the clock of the machine.
If that clock is set back by an hour, no job would be due for an hour.
"""

from typing import Any

from celery.beat import PersistentScheduler


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    """A scheduler that corrects the time at which a job was last sent, if it is in the future.

    The job then counts as sent now.
    """

    def tick(self, **functions: Any) -> float:
        """Send one job if one is due. Return the number of seconds until the next call."""
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at > entry.default_now()]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            self.populate_heap()
        return super().tick(**functions)  # type: ignore[no-any-return]
