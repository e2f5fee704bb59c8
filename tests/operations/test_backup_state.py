"""The small file beside the backups that tells which one was good and which one was verified."""

import datetime as dt
from pathlib import Path

import pytest

from operations.backup import scheduled
from operations.backup.scheduled import BackupFailure, BackupState, NotedBackup, read_state

NOON = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
GOOD = NotedBackup(Path("/b/one.gz"), 12, "ab", NOON)
FAILED = BackupFailure("No room.", NOON)


def test_state_is_read_as_it_was_noted(tmp_path):
    assert read_state(tmp_path / "none") == BackupState()
    scheduled.note_failure(tmp_path, FAILED)
    scheduled.note_verified(tmp_path, GOOD)
    assert read_state(tmp_path) == BackupState(verified=GOOD, failure=FAILED)
    scheduled.note_good(tmp_path, GOOD)
    scheduled.note_command_failure(tmp_path, FAILED)
    assert read_state(tmp_path) == BackupState(GOOD, GOOD, None, FAILED)
    assert [path.name for path in tmp_path.iterdir()] == [scheduled.STATE_FILE]
    assert (tmp_path / scheduled.STATE_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "[]", "{", '{"good": {}}', '{"good": {"path": 1}}', '{"failure": "x"}'])
def test_damaged_state_is_an_empty_one_and_is_written_again(tmp_path, text):
    (tmp_path / scheduled.STATE_FILE).write_text(text)
    assert read_state(tmp_path) == BackupState()
    scheduled.note_good(tmp_path, GOOD)
    assert read_state(tmp_path).good == GOOD


def test_state_that_cannot_be_written_leaves_the_one_before(tmp_path, monkeypatch):
    scheduled.note_good(tmp_path, GOOD)
    monkeypatch.setattr(scheduled.os, "fsync", lambda _file: (_ for _ in ()).throw(OSError("no room")))
    with pytest.raises(OSError, match="no room"):
        scheduled.note_verified(tmp_path, GOOD)
    scheduled.note_failure(tmp_path, FAILED)
    assert read_state(tmp_path) == BackupState(GOOD)
    assert [path.name for path in tmp_path.iterdir()] == [scheduled.STATE_FILE]
