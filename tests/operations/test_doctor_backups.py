"""The doctor on the folder of backups, on the last backups, and on the keys of cards."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command

from deals.sets import create_deal_set
from operations.backup.scheduled import (
    BackupFailure,
    NotedBackup,
    note_command_failure,
    note_failure,
    note_good,
    note_verified,
)
from operations.doctor import backups, machine
from operations.doctor.findings import Level
from tests.factories import make_club
from tests.operations.test_doctor import examine, levels

NOW = datetime.now(UTC)


def noted(days, tmp_path):
    return NotedBackup(tmp_path / "backup", 1, "0", NOW - timedelta(days=days))


@pytest.mark.parametrize(
    ("good_days", "verified_days", "expected"),
    [
        (1, 20, [Level.GOOD]),
        (3, 20, [Level.WARNING]),
        (8, 20, [Level.ERROR]),
        (1, 50, [Level.GOOD, Level.WARNING]),
        (1, None, [Level.GOOD, Level.WARNING]),
    ],
)
def test_old_backup_and_one_that_nobody_verified_are_told(good_days, verified_days, expected, tmp_path, settings):
    settings.BACKUP_DIR = tmp_path
    assert examine("backups")[1:] == [(Level.WARNING, "No good backup is known.")]
    note_good(tmp_path, noted(good_days, tmp_path))
    if verified_days is not None:
        note_verified(tmp_path, noted(verified_days, tmp_path))
    assert levels("backups") == [Level.GOOD, *expected]


def test_folder_of_backups_that_cannot_be_written_is_told(tmp_path, settings):
    settings.VAR_DIR, settings.BACKUP_DIR = tmp_path, tmp_path / "new"
    told = f"{tmp_path / 'new'} can be written. It is on the disk of VAR_DIR."
    assert examine("backups")[0] == (Level.GOOD, told)
    settings.BACKUP_DIR = Path("/proc")  # nobody may write there, not even root
    assert examine("backups")[0][0] == Level.ERROR
    assert examine("backups")[0][1].startswith("/proc cannot be written: ")


def test_folder_without_room_for_the_next_backup_is_told(tmp_path, settings, monkeypatch):
    settings.BACKUP_DIR = tmp_path
    note_good(tmp_path, noted(0, tmp_path)._replace(size=60_000_000))
    monkeypatch.setattr(backups.shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**11, 0, 10**8))
    told = f"100 MB are free at {tmp_path}, and the last backup has 60 MB."
    assert examine("backups")[0] == (Level.ERROR, told)


def test_failure_of_the_backup_and_of_the_command_are_told(tmp_path, settings):
    settings.BACKUP_DIR = tmp_path
    note_good(tmp_path, noted(0, tmp_path))
    note_verified(tmp_path, noted(0, tmp_path))
    note_failure(tmp_path, BackupFailure("The disk is full.", NOW))
    note_command_failure(tmp_path, BackupFailure("It ended with 3.", NOW))
    assert examine("backups")[2:] == [
        (Level.ERROR, "The last try failed: The disk is full."),
        (Level.ERROR, "BACKUP_COMMAND failed: It ended with 3."),
    ]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("true --to elsewhere", []),
        ("/usr/local/bin/send-nothing -v", ["The program of BACKUP_COMMAND does not exist, or may not be run: "]),
        ("/etc/passwd", ["The program of BACKUP_COMMAND does not exist, or may not be run: "]),
        ("rclone 'copy", ["BACKUP_COMMAND cannot be read: No closing quotation."]),
    ],
    ids=["right", "missing", "not a program", "quotation"],
)
def test_backup_command_that_cannot_run_is_told_before_the_first_night(command, told, tmp_path, settings):
    settings.BACKUP_DIR, settings.BACKUP_COMMAND = tmp_path, command
    errors = [what for level, what in examine("backups") if level == Level.ERROR]
    assert [error.startswith(words) for error, words in zip(errors, told, strict=True)] == [True] * len(told)


def test_server_without_a_folder_for_backups_is_told(settings):
    settings.BACKUP_DIR = None
    assert levels("backups") == [Level.WARNING]


def test_disk_of_the_backups_is_examined_if_it_is_another(tmp_path, settings, monkeypatch):
    settings.VAR_DIR, settings.BACKUP_DIR = tmp_path, tmp_path / "backups"
    assert len(levels("disk")) == 1
    monkeypatch.setattr(machine, "lies_on_disk_of", lambda *_: False)
    settings.BACKUP_DIR.mkdir()
    assert [f"at {folder}." in told for folder, (_, told) in zip(
        (tmp_path, settings.BACKUP_DIR), examine("disk"), strict=True)] == [True, True]  # fmt: skip


# The keys of cards

KEY, OTHER = "a" * 43 + "=", "b" * 43 + "="


def write_cards(settings, *keys):
    settings.CARD_KEYS = list(keys)
    return create_deal_set(club=make_club(keys[0][:3] if keys else "no"), name="S", count=2, now=NOW, by=None)


def test_server_without_a_key_of_cards_is_told(db, settings):
    assert examine("cards") == [(Level.GOOD, "0 seeds and deals are stored as they are.")]
    settings.SERVER = True
    assert levels("cards") == [Level.WARNING, Level.GOOD]
    settings.CARD_KEYS = [KEY]
    assert examine("cards") == [(Level.GOOD, "0 seeds and deals are encrypted by the first key.")]


def test_cards_under_an_older_key_no_key_or_an_unknown_key_are_told(db, settings):
    write_cards(settings)
    settings.CARD_KEYS = [KEY]
    ((level, told),) = examine("cards")
    assert (level, "are not encrypted by the first key" in told) == (Level.WARNING, True)
    write_cards(settings, OTHER)
    settings.CARD_KEYS = [KEY, OTHER]
    assert levels("cards") == [Level.WARNING]
    settings.CARD_KEYS = [KEY]
    assert levels("cards") == [Level.ERROR, Level.WARNING]
    assert "a key that CARD_KEYS does not name" in examine("cards")[0][1]
    settings.CARD_KEYS = [KEY, OTHER]
    call_command("rekey")
    settings.CARD_KEYS = [KEY]
    assert levels("cards") == [Level.GOOD]


def test_malformed_key_of_cards_is_told(db, settings):
    write_cards(settings)
    settings.CARD_KEYS = ["too short"]
    assert examine("cards") == [(Level.ERROR, "A key of CARD_KEYS is malformed.")]
