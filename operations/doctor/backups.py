"""The doctor's examination of backups (the subject `backups`): the folder, the last good and the last verified one."""

import datetime as dt
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

from django.conf import settings
from django.utils import timezone

from operations.backup.scheduled import BackupState, read_state
from operations.doctor.findings import SiteFinding, say_seconds, tell_error, tell_good, tell_warning
from operations.doctor.machine import find_existing, lies_on_disk_of

OLD, TOO_OLD = dt.timedelta(days=2), dt.timedelta(days=7)
LONG_UNVERIFIED = dt.timedelta(days=40)
WHY = "What is lost with the disk is lost."


def examine_backups() -> Iterator[SiteFinding]:
    """Read the state of the folder of scheduled backups."""
    folder = settings.BACKUP_DIR
    if folder is None:
        remedy = f"Set BACKUP_DIR, or run `{settings.COMMAND} backup FILE` every day."
        yield tell_warning("BACKUP_DIR is not set: no backup is made by itself.", WHY, remedy)
        return
    state = read_state(folder)
    yield from examine_folder_of_backups(folder, state)
    yield from examine_last(state, timezone.now())
    if state.failure:
        yield tell_error(f"The last try failed: {state.failure.reason}", WHY, "Put it right, then make a backup.")
    if fault := find_fault_of_command():
        yield fault
    elif state.command_failure:
        why = "The backups lie on this machine alone."
        yield tell_error(f"BACKUP_COMMAND failed: {state.command_failure.reason}", why, "Try the command by hand.")


def find_fault_of_command() -> SiteFinding | None:
    """Return the finding that BACKUP_COMMAND cannot run at all, before a backup tries it at night. Else return None."""
    command, why = settings.BACKUP_COMMAND, "Every backup stays on this machine alone."
    try:
        program = next(iter(shlex.split(command)), "")
    except ValueError as error:
        return tell_error(f"BACKUP_COMMAND cannot be read: {error}.", why, "Close each quotation mark in it.")
    if program and shutil.which(program) is None:
        what = f"The program of BACKUP_COMMAND does not exist, or may not be run: {program}."
        return tell_error(what, why, "Correct BACKUP_COMMAND. In a container, the program must be in the image.")
    return None


def examine_folder_of_backups(folder: Path, state: BackupState) -> Iterator[SiteFinding]:
    """Yield whether the next backup can be written: into the folder or, if it is missing, into a new folder."""
    parent = find_existing(folder)
    try:
        with TemporaryFile(dir=parent) as file:
            file.write(b"doctor")
            file.flush()
    except OSError as error:
        why = "The next backup fails."
        remedy = f"Let the site's user write to {folder}, or set BACKUP_DIR to another folder."
        yield tell_error(f"{parent} cannot be written: {error.strerror}.", why, remedy)
        return
    free = shutil.disk_usage(parent).free
    if state.good and free < 2 * state.good.size:
        what = f"{free / 1e6:.0f} MB are free at {parent}, and the last backup has {state.good.size / 1e6:.0f} MB."
        yield tell_error(what, "The next backup finds no room.", "Free some space, or set BACKUP_DIR to another disk.")
        return
    disk = "the disk of VAR_DIR" if lies_on_disk_of(folder, settings.VAR_DIR) else "another disk than VAR_DIR"
    yield tell_good(f"{folder} can be written. It is on {disk}.")


def examine_last(state: BackupState, now: dt.datetime) -> Iterator[SiteFinding]:
    if state.good is None:
        remedy = f"Run `{settings.COMMAND} backup FILE`, and look whether the site may write to {settings.BACKUP_DIR}."
        yield tell_warning("No good backup is known.", WHY, remedy)
        return
    age = now - state.good.at
    what = f"The last good one is {say_seconds(age.total_seconds())} old: {state.good.path}."
    remedy = "Look whether beat and the worker run, and whether the folder can be written."
    if age > TOO_OLD:
        yield tell_error(what, WHY, remedy)
    elif age > OLD:
        yield tell_warning(what, WHY, remedy)
    else:
        yield tell_good(what)
    if state.verified is None or now - state.verified.at > LONG_UNVERIFIED:
        why = "Only a backup that was restored once is known to be one."
        yield tell_warning("No backup was verified lately.", why, f"Run `{settings.COMMAND} restore --verify FILE`.")
