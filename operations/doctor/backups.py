"""The subject `backups`: when the last good one was made, and the last one that was verified."""

import datetime as dt
from collections.abc import Iterator

from django.conf import settings
from django.utils import timezone

from operations.backup.state import BackupState, read_state
from operations.doctor.findings import SiteFinding, say_seconds, tell_error, tell_good, tell_warning

OLD, TOO_OLD = dt.timedelta(days=2), dt.timedelta(days=7)
LONG_UNVERIFIED = dt.timedelta(days=40)
WHY = "What is lost with the disk is lost."


def examine_backups() -> Iterator[SiteFinding]:
    """Read the state of the folder of scheduled backups."""
    folder = settings.BACKUP_DIR
    if folder is None:
        remedy = "Set BACKUP_DIR, or run `python manage.py backup FILE` every day."
        yield tell_warning("BACKUP_DIR is not set: no backup is made by itself.", WHY, remedy)
        return
    state = read_state(folder)
    yield from examine_last(state, timezone.now())
    if state.failure:
        yield tell_error(f"The last try failed: {state.failure.reason}", WHY, "Put it right, then make a backup.")
    if state.command_failure:
        why = "The backups lie on this machine alone."
        yield tell_error(f"BACKUP_COMMAND failed: {state.command_failure.reason}", why, "Try the command by hand.")


def examine_last(state: BackupState, now: dt.datetime) -> Iterator[SiteFinding]:
    if state.good is None:
        remedy = f"Run `python manage.py backup FILE`, and look whether the site may write to {settings.BACKUP_DIR}."
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
        yield tell_warning("No backup was verified lately.", why, "Run `python manage.py restore --verify FILE`.")
