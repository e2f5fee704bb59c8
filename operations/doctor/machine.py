"""The subjects `disk` and `time zone`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning

LITTLE, TOO_LITTLE = 1_000_000_000, 100_000_000  # bytes
LITTLE_SHARE = 0.05


def examine_disk() -> Iterator[SiteFinding]:
    """Look at the space beside the site's own files. The disk of PostgreSQL may be another."""
    yield examine_folder(settings.VAR_DIR)


def examine_folder(folder: Path) -> SiteFinding:
    """Return the finding about the disk of a folder, or of the first folder above it that is there."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    usage = shutil.disk_usage(there)
    what = f"{usage.free / 1e9:.1f} GB of {usage.total / 1e9:.0f} GB are free at {there}."
    why = "A full disk stops results from being saved and backups from being written."
    remedy = "Free some space: old backups, old logs, unused images."
    if usage.free < TOO_LITTLE:
        return tell_error(what, why, remedy)
    if usage.free < LITTLE or usage.free < LITTLE_SHARE * usage.total:
        return tell_warning(what, why, remedy)
    return tell_good(what)


def examine_time_zone() -> Iterator[SiteFinding]:
    """Tell the time of day that the site shows, because only a person knows whether it is right."""
    here = timezone.localtime()
    what = f"{settings.TIME_ZONE}: the site shows {here:%H:%M}."
    if settings.TIME_ZONE.upper() in {"UTC", "GMT", "ETC/UTC"}:
        yield tell_warning(what, "Evenings would begin at the wrong hour.", "Set TIME_ZONE, as Europe/Paris.")
    else:
        yield tell_good(what)
