"""The findings of the doctor, each with its level."""

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import NamedTuple


class Level(IntEnum):
    """The level of a finding. The exit code of `manage.py doctor` is the highest level that was found."""

    GOOD = 0
    WARNING = 1
    ERROR = 2


class SiteFinding(NamedTuple):
    """A finding: `what` was found, `why` it matters, and as `remedy` what to do. The last two are "" if all is well."""

    level: Level
    what: str
    why: str = ""
    remedy: str = ""


Findings = Iterator[SiteFinding]
Subject = Callable[[], Findings]


def tell_good(what: str) -> SiteFinding:
    return SiteFinding(Level.GOOD, what)


def tell_warning(what: str, why: str, remedy: str) -> SiteFinding:
    return SiteFinding(Level.WARNING, what, why, remedy)


def tell_error(what: str, why: str, remedy: str) -> SiteFinding:
    return SiteFinding(Level.ERROR, what, why, remedy)


def say_seconds(seconds: float) -> str:
    """Return a duration as text with one unit: "40 s", "12 min", "3 h", "2 days"."""
    for unit, length in (("days", 2 * 86_400), ("h", 2 * 3600), ("min", 2 * 60)):
        if seconds >= length:
            return f"{seconds / (length / 2):.0f} {unit}"
    return f"{seconds:.0f} s"
