"""The verification of a backup: it tells what was compared, and finds what differs."""

import json
from hashlib import sha256

import pytest
from django.utils import timezone

from evenings.standings import computing
from operations.backup import verifying
from operations.backup.contents import BackupError
from operations.backup.scheduled import read_state
from operations.backup.verifying import check_standings
from tests.factories import enter_all, make_director, started_session
from tests.operations.place import lines_of, write_backup_of

COUNT_TABLES = """
import django; django.setup()
from django.db import connection
print(len(connection.introspection.table_names()))
"""
VERIFY = ("manage.py", "restore", "--verify")


def change(lines, table, column, value):
    """Set a column of the first row of a table that has a value there."""
    place = next(number for number, line in enumerate(lines) if f'"table":"{table}"'.encode() in line)
    at = json.loads(lines[place])["columns"].index(column)
    place += 1
    while not json.loads(lines[place])[at]:
        place += 1
    row = json.loads(lines[place])
    row[at] = value(row[at])
    return [*lines[:place], json.dumps(row).encode() + b"\n", *lines[place + 1 :]]


@pytest.mark.nightly("process")
def test_whole_backup_is_verified_and_noted_and_the_site_is_left_alone(used, backup, server):
    before, scratch = (used.folder / "db.sqlite3").read_bytes(), server.environment["DATABASE_URL"]
    told = used.succeed(*VERIFY, str(backup), "--scratch", scratch)
    rows = sum(1 for line in lines_of(backup) if line.startswith(b"["))
    assert f"{rows} rows of" in told
    assert "9 sessions have the standings" in told
    assert "6 publications have their digest" in told
    assert (used.folder / "db.sqlite3").read_bytes() == before
    assert server.succeed("-c", COUNT_TABLES) == "0\n"
    verified = read_state(used.folder / "backups").verified
    assert (verified.path, verified.size) == (backup, backup.stat().st_size)
    assert verified.digest == sha256(b"".join(lines_of(backup)[:-1])).hexdigest()


@pytest.mark.nightly("process")
def test_scratch_database_with_rows_is_left_alone(used, backup):
    scratch = f"sqlite:///{used.folder / 'db.sqlite3'}"
    assert "This site is in use" in used.refuse(*VERIFY, str(backup), "--scratch", scratch)
    assert lines_of(used.back_up("again.gz")) == lines_of(backup)


@pytest.mark.nightly("process")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("table", "column", "value", "told"),
    [
        ("tournaments_etuistandings", "plays", lambda _plays: {}, "The stored standings of session"),
        ("tournaments_publication", "digest", lambda digest: digest[::-1], "is not that of its figures"),
    ],
)
def test_figures_that_are_not_those_of_the_rows_are_found(backup, server, tmp_path, table, column, value, told):
    lines = change(lines_of(backup)[:-1], table, column, value)
    changed = write_backup_of(tmp_path / "changed.gz", lines)
    with pytest.raises(BackupError, match=told):
        verifying.verify_backup(changed, scratch=server.environment["DATABASE_URL"])


@pytest.mark.nightly("process")
@pytest.mark.django_db
def test_row_that_differs_after_the_restore_is_named(backup, server, monkeypatch):
    lines = change(lines_of(backup)[:-1], "clubs_club", "name", str.upper)
    monkeypatch.setattr(verifying, "read_texts", lambda *_: iter(lines))
    with pytest.raises(BackupError, match=r"Line \d+ of clubs_club, row \d+, is not what"):
        verifying.verify_backup(backup, scratch=server.environment["DATABASE_URL"])


def test_standings_of_an_evening_are_compared_with_its_results(db):
    session = started_session()
    enter_all(session, by=make_director(session.tournament.club), plays=session.plays.select_related("etui")[:1])
    computing.refresh(session.pk, now=timezone.now())
    assert check_standings() == (1, 0)
    session.standings.etuis.update(plays={})
    with pytest.raises(BackupError, match=f"The stored standings of session {session.pk} are not"):
        check_standings()
