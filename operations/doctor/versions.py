"""The doctor's examination of versions: Python, Django and the libraries (the subject `versions`)."""

import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import django
from django.conf import settings

from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning

PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
OLDEST_PYTHON = (3, 11)
INSTALL = "Run `pip install --require-hashes --no-deps -r requirements.txt`."


def examine_versions() -> Iterator[SiteFinding]:
    """Yield the differences between the installed libraries and requirements.txt."""
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        yield tell_error(
            f"Python {platform.python_version()} is too old.", "The site is not tested with it.", f"Use {wanted}."
        )
    pins = read_pins(settings.BASE_DIR / "requirements.txt")
    differ = {name: found for name, pin in pins.items() if (found := find_version(name)) != pin}
    missing = sorted(name for name, found in differ.items() if found is None)
    if missing:
        yield tell_error(f"Not installed: {', '.join(missing)}.", "Some pages or commands fail.", INSTALL)
    others = [f"{name} {found} instead of {pins[name]}" for name, found in sorted(differ.items()) if found is not None]
    if others:
        yield tell_warning(f"{', '.join(others)}.", "The release was not tested with these versions.", INSTALL)
    if not differ:
        names = f"Python {platform.python_version()}, Django {django.get_version()}"
        yield tell_good(f"{names}; all {len(pins)} libraries are those of the release.")


def read_pins(path: Path) -> dict[str, str]:
    """Return the pinned version of each library, by its name."""
    return dict(PINNED.findall(path.read_text(encoding="utf-8")))


def find_version(name: str) -> str | None:
    """Return the installed version of a library, or None if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
