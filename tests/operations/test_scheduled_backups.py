"""The scheduled backups: the last good one stays, old ones go, and the operator's command gets the file."""

import datetime as dt
import fcntl
from threading import Event
from types import SimpleNamespace

import pytest
from django.conf import settings as site_settings

from config.celery import app
from operations import tasks
from operations.backup import scheduled
from operations.backup.contents import BackupError
from operations.backup.scheduled import make_backup_by_hand, make_scheduled_backup, read_state
from operations.backup.writing import WrittenBackup
from tests.operations.place import lines_of
from tournaments.laptop_backups import LaptopBackups

NIGHT = dt.datetime(2026, 11, 23, 3, 0, tzinfo=dt.UTC)
NAME = "topage-20261123T030000Z.gz"


@pytest.fixture
def folder(tmp_path, monkeypatch, settings):
    """Make a folder of backups. A backup is then a file of four letters."""

    def write(path, key):
        path.write_text("rows" if not key else "aged")
        return WrittenBackup({"clubs_club": 1}, "ab", 4)

    monkeypatch.setattr(scheduled, "write_backup", write)
    settings.BACKUP_COMMAND = settings.BACKUP_KEY = ""
    return tmp_path / "backups"


def names(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def test_laptop_that_makes_a_backup_keeps_ten_and_leaves_other_files_alone(folder):
    folder.mkdir()
    (folder / "before-restore.gz").touch()
    for day in range(1, 13):
        (folder / f"topage-202610{day:02}T030000Z.gz.age").touch()
    (folder / ".topage-20261001T030000Z.gz.77.part").touch()
    make_scheduled_backup(folder, now=NIGHT)
    aged = [f"topage-202610{day:02}T030000Z.gz.age" for day in range(4, 13)]
    assert names(folder) == ["before-restore.gz", "state.json", *aged, NAME]
    assert list(folder.glob("*.part")) == []
    assert read_state(folder).good == (folder / NAME, 4, "ab", NIGHT)


def test_server_keeps_days_weeks_and_months(folder, settings):
    settings.SERVER = True
    for back in reversed(range(40)):
        make_scheduled_backup(folder, now=NIGHT - dt.timedelta(days=back))
    days = [name[7:15] for name in names(folder) if name.startswith("topage")]
    assert days == ["20261031", "20261108", "20261115", *(f"202611{day}" for day in range(17, 24))]


def test_folder_is_private_and_an_encrypted_backup_says_so_by_its_name(folder, settings):
    settings.BACKUP_KEY = "age1public"
    make_scheduled_backup(folder, now=NIGHT)
    assert (folder / f"{NAME}.age").read_text() == "aged"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_second_backup_at_once_says_so_and_ends(folder):
    folder.mkdir()
    with (folder / scheduled.LOCK_FILE).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BackupError, match="Another backup is being made"):
            make_scheduled_backup(folder, now=NIGHT)
        assert read_state(folder).failure is None
        assert names(folder) == []
    make_scheduled_backup(folder, now=NIGHT)
    assert names(folder) == ["state.json", NAME]


def test_backup_by_hand_waits_for_no_other_and_counts_as_the_last_good_one(folder, settings, tmp_path):
    settings.BACKUP_DIR, file = folder, tmp_path / "mine.gz"
    with scheduled.sole_backup(folder):
        with pytest.raises(BackupError, match="Another backup is being made"):
            make_backup_by_hand(file, "", now=NIGHT)
        assert not file.exists()
    make_backup_by_hand(file, "", now=NIGHT)
    assert read_state(folder).good == (file, 4, "ab", NIGHT)
    settings.BACKUP_DIR = None
    make_backup_by_hand(file, "", now=NIGHT + dt.timedelta(days=1))
    assert read_state(folder).good.at == NIGHT


def test_backup_by_hand_is_made_where_the_folder_cannot_be_written(folder, settings, tmp_path):
    folder.touch()  # a file in its place
    settings.BACKUP_DIR = folder
    assert make_backup_by_hand(tmp_path / "mine.gz", "", now=NIGHT).size == 4


@pytest.mark.nightly("race")
def test_two_backups_at_once_are_one_and_a_clear_refusal(used, backup):
    used.environment["BACKUP_DIR"] = str(used.folder / "sole")
    try:
        with scheduled.sole_backup(used.folder / "sole"):
            told = used.refuse("manage.py", "backup", str(used.folder / "second.gz"))
        assert "Another backup is being made" in told
        assert not (used.folder / "second.gz").exists()
        used.back_up("second.gz")
    finally:
        del used.environment["BACKUP_DIR"]
    assert read_state(used.folder / "sole").good.path == used.folder / "second.gz"


def test_backup_without_room_leaves_the_last_good_one_and_is_told(folder, monkeypatch):
    make_scheduled_backup(folder, now=NIGHT)
    good, later = read_state(folder).good, NIGHT + dt.timedelta(days=400)
    monkeypatch.setattr(scheduled, "write_backup", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(OSError, match="No space left"):
        make_scheduled_backup(folder, now=later)
    assert names(folder) == ["state.json", NAME]
    state = read_state(folder)
    assert (state.good, state.failure.at) == (good, later)
    assert "No space left" in state.failure.reason


def test_operators_command_gets_the_file(folder, settings, tmp_path):
    (away := tmp_path / "with a space").mkdir()
    settings.BACKUP_COMMAND = f"cp --target-directory '{away}'"
    make_scheduled_backup(folder, now=NIGHT)
    assert names(away) == [NAME]
    assert read_state(folder).command_failure is None


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("sh -c 'echo no >&2; exit 3'", "it ended with 3. no"),
        ("/no/such/program", "No such file"),
        ("'", ""),
    ],
)
def test_failure_of_the_operators_command_is_told_and_the_backup_stays(folder, settings, command, told):
    settings.BACKUP_COMMAND = command
    with pytest.raises(BackupError, match="is made, but BACKUP_COMMAND failed"):
        make_scheduled_backup(folder, now=NIGHT)
    state = read_state(folder)
    assert (state.good.path, state.failure) == (folder / NAME, None)
    assert told in state.command_failure.reason
    settings.BACKUP_COMMAND = ""
    make_scheduled_backup(folder, now=NIGHT + dt.timedelta(days=1))
    assert read_state(folder).command_failure is None


@pytest.mark.nightly("process")
def test_command_without_a_file_makes_the_scheduled_backup_in_little_room_too(used, backup):
    """Check with files of 40 kB at most, which is less than the backup needs, and then with room."""
    folder = used.folder / "scheduled"
    used.environment["BACKUP_DIR"] = str(folder)
    try:
        full = used.run("manage.py", "backup", limit_of_files=40_000)
        assert full.returncode == 1
        assert "File too large" in full.stderr
        assert "File too large" in read_state(folder).failure.reason
        assert names(folder) == ["state.json"]
        used.succeed("manage.py", "backup")
        used.environment["BACKUP_DIR"] = "none"
        assert "Name a FILE, or set BACKUP_DIR" in used.refuse("manage.py", "backup")
    finally:
        del used.environment["BACKUP_DIR"]
    assert lines_of(read_state(folder).good.path) == lines_of(backup)
    assert list(folder.glob("*.part")) == []


def test_job_runs_the_command_in_a_process_of_its_own_and_logs_its_failure(monkeypatch, caplog):
    monkeypatch.setattr(tasks.sys, "executable", "/bin/false")
    app.tasks["operations.tasks.back_up"]()
    assert "The backup of this site failed." in caplog.text
    caplog.clear()
    monkeypatch.setattr(tasks.sys, "executable", "/bin/true")
    app.tasks["operations.tasks.back_up"]()
    assert caplog.text == ""


def test_backup_that_another_server_takes_slowly_holds_no_queue(monkeypatch):
    """Check it because a program that sends the file may take twenty minutes, and rankings wait in the same queue."""
    taken, ended = Event(), Event()

    def run(*arguments, **_options):
        taken.wait(1)
        ended.set()
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(tasks.subprocess, "run", run)
    monkeypatch.setattr(app.conf, "task_always_eager", False)
    app.tasks["operations.tasks.back_up"]()
    assert not ended.is_set()
    taken.set()
    assert ended.wait(10)


def test_beat_asks_for_a_backup_at_night_where_there_is_a_folder():
    entry = site_settings.CELERY_BEAT_SCHEDULE["backup"]
    assert entry["task"] in app.tasks
    assert (entry["schedule"].hour, entry["schedule"].minute) == ({4}, {0})


@pytest.mark.django_db
def test_laptop_makes_a_backup_at_its_start_daily_and_when_asked(monkeypatch, django_capture_on_commit_callbacks):
    backups, made = LaptopBackups(), []

    class Ended(BaseException):
        """The end of the thread's work, which goes on for ever otherwise."""

    def back_up():
        made.append("backup")
        if len(made) == 5:
            raise Ended
        with django_capture_on_commit_callbacks(execute=len(made) == 1):
            backups.ask()  # committed in the first backup only, during which it came
            backups.ask_for_tournament(8)  # the backup has it
        if len(made) == 2:
            with django_capture_on_commit_callbacks(execute=True):
                for pk in (7, 7):
                    backups.ask_for_tournament(pk)
            monkeypatch.setattr("tournaments.laptop_backups.A_DAY", 0.01)  # a day later
            raise RuntimeError("no room")

    monkeypatch.setitem(app.tasks, "operations.tasks.back_up", back_up)
    monkeypatch.setitem(app.tasks, "operations.tasks.copy_tournament_being_played", made.append)
    backups.ask_for_tournament(9)  # nobody hears it before the thread works, and the first backup has it
    with pytest.raises(Ended):
        backups.work()
    assert made == ["backup", "backup", 7, "backup", "backup"]
