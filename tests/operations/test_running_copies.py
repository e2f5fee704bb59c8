"""The copy of the tournament alone that a laptop makes each time a position is called."""

import io
import stat

import pytest
from django.utils import timezone

from archives.archive.restoring import TournamentImport
from evenings.plays.entering import enter_result
from evenings.sessions.running import call_position
from operations.backup import scheduled
from operations.backup.contents import BackupError
from operations.backup.scheduled import copy_running_tournament, make_scheduled_backup, read_state, sole_backup
from operations.backup.writing import WrittenBackup
from tests.factories import make_club, make_director, plausible, started_session
from tournaments.laptop_backups import LaptopBackups
from tournaments.models import ResultEntry, Tournament

READ_BESIDE = """
import django; django.setup()
import sqlite3
from clubs.models import Club
from django.db import connection
from operations.backup.scheduled import reading_beside_writers
Club.objects.create(name="A", slug="a")
other = sqlite3.connect(connection.settings_dict["NAME"], timeout=1)
with reading_beside_writers():
    before = Club.objects.count()
    other.execute("UPDATE clubs_club SET name = 'B'")
    other.commit()
    print(before, Club.objects.get().name, end=" ")
print(Club.objects.get().name, connection.transaction_mode)
"""


@pytest.fixture
def session(db, settings):
    settings.BACKUP_COMMAND = settings.BACKUP_KEY = ""
    session = started_session(tables=5, positions=3, etuis_per_position=2)
    session.director = make_director(session.tournament.club)
    return session


def enter_some(session, count):
    left = session.plays.select_related("etui").filter(entries=None).order_by("pk")[:count]
    for play in left:
        enter_result(play_id=play.pk, entry=plausible(play), by=session.director, now=timezone.now())


def copy(session, folder):
    return copy_running_tournament(folder, session.tournament_id, now=timezone.now())


def test_each_call_of_a_position_asks_for_a_copy(session, monkeypatch, django_capture_on_commit_callbacks):
    asked = LaptopBackups()
    asked.hears = True
    monkeypatch.setattr("evenings.sessions.running.backups", asked)
    with django_capture_on_commit_callbacks(execute=True):
        call_position(session_id=session.pk, position=1, by=session.director, now=timezone.now())
        assert asked.asked.empty()
    assert asked.asked.get_nowait() == session.tournament_id


@pytest.mark.nightly("process")
def test_evening_goes_on_on_another_site_from_its_copy(session, tmp_path):
    call_position(session_id=session.pk, position=1, by=session.director, now=timezone.now())
    enter_some(session, 7)
    lines = session.tournament.club.log.count()
    path = copy(session, tmp_path)
    assert (path.name, stat.S_IMODE(path.stat().st_mode)) == ("running-club-duplicate-dete.zip", 0o600)
    enter_some(session, 1)
    path = copy(session, tmp_path)  # over the one before
    assert session.tournament.club.log.count() == lines
    assert [each.name for each in tmp_path.iterdir() if each.name != ".lock"] == [path.name]
    assert b"seed" not in path.read_bytes()

    club = make_club("ailleurs", "Ailleurs")
    found = TournamentImport.read(io.BytesIO(path.read_bytes()), club, {})
    there = found.carry_out(by=None, now=timezone.now()).sessions.get()
    there.director = make_director(club, "suite")
    assert ResultEntry.objects.filter(play__session=there).count() == 8
    enter_some(there, 1)
    call_position(session_id=there.pk, position=2, by=there.director, now=timezone.now())


def test_next_backup_deletes_the_copy_and_a_failed_one_leaves_it(session, tmp_path, monkeypatch):
    path = copy(session, tmp_path)
    monkeypatch.setattr(scheduled, "write_backup", lambda *_: (_ for _ in ()).throw(OSError("no room")))
    with pytest.raises(OSError, match="no room"):
        make_scheduled_backup(tmp_path, now=timezone.now())
    assert path.exists()
    whole = WrittenBackup({}, "", 0)
    monkeypatch.setattr(scheduled, "write_backup", lambda path, _key: path.write_text("rows") and whole)
    make_scheduled_backup(tmp_path, now=timezone.now())
    assert not path.exists()


def test_copy_that_cannot_be_written_leaves_the_one_before(session, tmp_path, monkeypatch):
    path = copy(session, tmp_path)
    before = path.read_bytes()
    enter_some(session, 1)
    monkeypatch.setattr(scheduled.os, "fsync", lambda _file: (_ for _ in ()).throw(OSError("no room")))
    with pytest.raises(OSError, match="no room"):
        copy(session, tmp_path)
    assert path.read_bytes() == before
    assert list(tmp_path.glob(".*.part")) == []


def test_copy_waits_for_no_other_backup(session, tmp_path):
    with sole_backup(tmp_path), pytest.raises(BackupError, match="Another backup is being made"):
        copy(session, tmp_path)
    Tournament.objects.filter(pk=session.tournament_id).update(slug="x")
    with pytest.raises(BackupError, match="There is no tournament"):
        copy_running_tournament(tmp_path, 0, now=timezone.now())


def test_operators_command_gets_the_copy_and_its_failure_is_recorded(session, tmp_path, settings):
    settings.BACKUP_COMMAND = "false"
    with pytest.raises(BackupError, match="BACKUP_COMMAND failed"):
        copy(session, tmp_path)
    assert "running-club-duplicate-dete.zip" in str(read_state(tmp_path).command_failure)


@pytest.mark.nightly("process")
def test_tables_write_while_the_copy_is_read(laptop):
    assert laptop("beside").succeed("-c", READ_BESIDE).split() == ["1", "A", "B", "IMMEDIATE"]


@pytest.mark.nightly("process")
def test_command_copies_a_tournament_encrypted(laptop):
    place = laptop("copied")
    made = place.succeed(
        "-c",
        "import django; django.setup()\nfrom tests.factories import started_session\n"
        "print(started_session().tournament_id)",
    ).split()[-1]
    key = place.succeed("manage.py", "backup_key")
    public = next(word for word in key.split() if word.startswith("age1"))
    place.environment["BACKUP_KEY"] = public
    told = place.succeed("manage.py", "backup", "--tournament", made)
    assert "running-club-duplicate-dete.zip.age" in told
    (path,) = (place.folder / "backups").glob("running-*")
    assert path.read_bytes().startswith(b"age-encryption.org")
