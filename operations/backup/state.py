"""The state of a folder of backups: the last good backup, the last verified one, and the last failure.

It is kept in a small JSON file in that folder. A missing or unreadable file counts as an empty state, so that no backup
fails because of it.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

STATE_FILE = "state.json"


class NotedBackup(NamedTuple):
    """A backup that was written, or verified, at the moment `at`.

    `path` and `size` (bytes) are those of the file at that moment. `digest` is the SHA-256 in its last line.
    """

    path: Path
    size: int
    digest: str
    at: dt.datetime


class BackupFailure(NamedTuple):
    """A failure at the moment `at`. `reason` is a sentence for the person who runs the site."""

    reason: str
    at: dt.datetime


class BackupState(NamedTuple):
    """The state of a folder of backups. A part is None if there was no such event.

    `good`: the last good backup. `verified`: the last verified one. `failure`: the failure of a later backup than the
    good one. `command_failure`: the failure of the command BACKUP_COMMAND after the good one.
    """

    good: NotedBackup | None = None
    verified: NotedBackup | None = None
    failure: BackupFailure | None = None
    command_failure: BackupFailure | None = None


def read_state(folder: Path) -> BackupState:
    """Return the state of a folder of backups. It is empty if the folder or its file is missing or damaged."""
    try:
        data = json.loads((folder / STATE_FILE).read_text(encoding="utf-8"))
        good, verified = (read_noted(data.get(name)) for name in ("good", "verified"))
        failure, command = (read_failure(data.get(name)) for name in ("failure", "command_failure"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return BackupState()
    return BackupState(good, verified, failure, command)


def read_noted(told: dict[str, Any] | None) -> NotedBackup | None:
    if told is None:
        return None
    moment = dt.datetime.fromisoformat(told["at"])
    return NotedBackup(Path(told["path"]), int(told["size"]), str(told["digest"]), moment)


def read_failure(told: dict[str, Any] | None) -> BackupFailure | None:
    return None if told is None else BackupFailure(str(told["reason"]), dt.datetime.fromisoformat(told["at"]))


def note_good(folder: Path, noted: NotedBackup) -> None:
    """Record a good backup. Failures before it are forgotten."""
    write_state(folder, read_state(folder)._replace(good=noted, failure=None, command_failure=None))


def note_verified(folder: Path, noted: NotedBackup) -> None:
    write_state(folder, read_state(folder)._replace(verified=noted))


def note_failure(folder: Path, failure: BackupFailure) -> None:
    """Record that a backup failed. Do nothing if the folder cannot be written, which may be the reason."""
    with suppress(OSError):
        write_state(folder, read_state(folder)._replace(failure=failure))


def note_command_failure(folder: Path, failure: BackupFailure) -> None:
    with suppress(OSError):
        write_state(folder, read_state(folder)._replace(command_failure=failure))


def write_state(folder: Path, state: BackupState) -> None:
    """Write the state of a folder. Another process reads either the old file or the new one, never a part of it."""
    data = {name: None if part is None else part._asdict() for name, part in state._asdict().items()}
    beside = folder / f".{STATE_FILE}.{os.getpid()}.part"
    try:
        with beside.open("w", encoding="utf-8") as file:
            beside.chmod(0o600)
            json.dump(data, file, default=write_plainly, indent=1)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(folder / STATE_FILE)
    finally:
        beside.unlink(missing_ok=True)


def write_plainly(value: Path | dt.datetime) -> str:
    return value.isoformat() if isinstance(value, dt.datetime) else str(value)
