"""The clock of a position, and the age of a stored moment, on a computer whose clock may have been set back.

The functions are pure: the present moment is passed in. Nothing happens by itself when the time is over: the players go
on until the director calls the next position.

A moment in the future counts as long ago. Otherwise code that
waits until the moment is old enough would wait too long: by as much as the clock was set back. Deadlines that people
were told, such as the last day of a link, do not use this.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Self

LONG_AGO = dt.timedelta.max


def find_age(moment: dt.datetime, now: dt.datetime) -> dt.timedelta:
    """Return how long ago the moment was, or `LONG_AGO` if it is in the future."""
    return now - moment if moment <= now else LONG_AGO


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock that runs until `ends_at`, or is paused with `left` seconds. If both are None, the clock is not set."""

    ends_at: dt.datetime | None = None
    left: int | None = None

    @classmethod
    def start(cls, minutes: int, now: dt.datetime) -> Self:
        return cls(ends_at=now + dt.timedelta(minutes=minutes))

    @property
    def is_set(self) -> bool:
        return self.ends_at is not None or self.left is not None

    @property
    def is_running(self) -> bool:
        return self.ends_at is not None

    def seconds(self, now: dt.datetime) -> int:
        """Return the seconds left, rounded up; 0 if the time is over or was never set."""
        if self.ends_at is None:
            return self.left or 0
        return max(0, -((now - self.ends_at) // dt.timedelta(seconds=1)))

    def overtime(self, now: dt.datetime) -> int:
        """Return the whole seconds since the end; 0 before it, and while the clock is paused."""
        return 0 if self.ends_at is None else max(0, (now - self.ends_at) // dt.timedelta(seconds=1))

    def is_over(self, now: dt.datetime) -> bool:
        return self.is_set and not self.seconds(now)

    def move(self, minutes: int, now: dt.datetime) -> "Clock":
        """Return the clock with `minutes` added, or taken off if negative; at least 0 seconds are left.

        If the time is over already, the minutes count from now.
        """
        left = max(0, self.seconds(now) + 60 * minutes)
        if self.left is not None:
            return Clock(left=left)
        if self.ends_at is not None and self.ends_at > now and left:
            return Clock(ends_at=self.ends_at + dt.timedelta(minutes=minutes))
        return Clock(ends_at=now + dt.timedelta(seconds=left))

    def stop(self, now: dt.datetime) -> "Clock":
        return Clock(left=self.seconds(now)) if self.is_running else self

    def resume(self, now: dt.datetime) -> "Clock":
        return self if self.left is None else Clock(ends_at=now + dt.timedelta(seconds=self.left))

    def __str__(self) -> str:
        """Return the clock as text: the end as an ISO date and time, the seconds left ("300"), or "" if it is not set.

        `read` is the inverse. A page sends this text back with a form, to tell which clock its user has seen.
        """
        if self.ends_at is not None:
            return self.ends_at.isoformat()
        return "" if self.left is None else str(self.left)

    @classmethod
    def read(cls, text: str) -> Self:
        if text.isdecimal():
            return cls(left=int(text))
        return cls(ends_at=dt.datetime.fromisoformat(text)) if text else cls()
