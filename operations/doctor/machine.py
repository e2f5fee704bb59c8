"""The doctor's examination of the machine (the subjects `disk` and `time zone`)."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning

# free bytes below which the doctor warns, and below which it reports an error
LITTLE, TOO_LITTLE = 1_000_000_000, 100_000_000
LITTLE_SHARE = 0.05


def examine_disk() -> Iterator[SiteFinding]:
    """Yield how much space is free on the disks of VAR_DIR and BACKUP_DIR. PostgreSQL may use another disk."""
    yield examine_folder(settings.VAR_DIR)
    if settings.BACKUP_DIR and not lies_on_disk_of(settings.BACKUP_DIR, settings.VAR_DIR):
        yield examine_folder(settings.BACKUP_DIR)


def lies_on_disk_of(folder: Path, other: Path) -> bool:
    """Return whether two folders are on the same file system.

    A missing folder counts as a folder of the file system on which it would be created.
    """
    return find_existing(folder).stat().st_dev == find_existing(other).stat().st_dev


def find_existing(folder: Path) -> Path:
    """Return the folder, or the first existing folder above it."""
    return next(each for each in (folder, *folder.absolute().parents) if each.exists())


def examine_folder(folder: Path) -> SiteFinding:
    """Return how much space is free on the disk of a folder.

    If the folder does not exist, the first existing folder above it counts.
    """
    there = find_existing(folder)
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
    """Yield the time of day that the site shows. Only a person knows whether it is right."""
    here = timezone.localtime()
    what = f"{settings.TIME_ZONE}: the site shows {here:%H:%M}."
    if settings.TIME_ZONE.upper() in {"UTC", "GMT", "ETC/UTC"}:
        yield tell_warning(what, "Evenings would begin at the wrong hour.", "Set TIME_ZONE, as Europe/Paris.")
    else:
        yield tell_good(what)
