"""The upgrade of a site by one command: a backup first, then the migrations; after a failure, the way back."""

import re
import shutil
import sqlite3
from contextlib import closing
from io import StringIO

import pytest
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

from operations.management.commands import upgrade
from tests.operations.place import Place

IN_THE_WAY = "CREATE TABLE tournaments_playrecord (id integer)"
# The earlier release has no app but `clubs` and what it needs.
MAKE_EARLIER = """
import django; django.setup()
from django.core.management import call_command
from clubs.models import Club
call_command("migrate", "clubs", verbosity=0)
Club.objects.create(name="Neu", slug="neu")
"""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """Return a function that makes a laptop with a club, whose database is of an earlier release."""
    first = Place(tmp_path_factory.mktemp("earlier"))
    first.succeed("-c", MAKE_EARLIER)

    def make(folder):
        shutil.copyfile(first.folder / "db.sqlite3", folder / "db.sqlite3")
        return Place(folder)

    return make


def ask(place, question):
    """Return the rows that a question to the place's database has, asked without the site."""
    with closing(sqlite3.connect(place.folder / "db.sqlite3")) as database:
        return database.execute(question).fetchall()


def waiting(place):
    """Return how many migrations of the site the place's database has not carried out."""
    carried_out = ask(place, "SELECT app, name FROM django_migrations")
    return len(MigrationLoader(None).graph.nodes.keys() - set(carried_out))


def clubs_of(place):
    return ask(place, "SELECT slug FROM clubs_club")


@pytest.mark.nightly("process")
def test_upgrade_keeps_a_backup_and_a_second_one_has_nothing_to_do(earlier, tmp_path):
    place = earlier(tmp_path)
    assert waiting(place) > 0
    told = place.succeed("manage.py", "upgrade")
    assert "The database is migrated." in told
    assert "Now start the site" in told
    (backup,) = (tmp_path / "backups").glob("*.gz*")
    assert f"{backup}, " in told
    assert backup.stat().st_mode & 0o777 == 0o600
    assert waiting(place) == 0
    assert clubs_of(place) == [("neu",)]
    assert "0 migrations to carry out" in place.succeed("manage.py", "upgrade")
    assert [*(tmp_path / "backups").glob("*.gz*")] == [backup]


@pytest.mark.nightly("process")
def test_upgrade_that_fails_tells_the_way_back_and_the_way_leads_there(earlier, tmp_path, migrated_laptop):
    place = earlier(tmp_path)
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        database.execute(IN_THE_WAY)
    error = place.refuse("manage.py", "upgrade")
    assert "already exists" in error
    restore = re.search(r"python manage\.py (restore) (\S+)", error)
    for file in tmp_path.glob("db.sqlite3*"):
        file.unlink()
    shutil.copyfile(migrated_laptop, tmp_path / "db.sqlite3")
    place.succeed("manage.py", *restore.groups())
    assert clubs_of(place) == [("neu",)]


@pytest.mark.nightly("process")
def test_new_site_that_cannot_be_made_has_no_way_back_to_tell(tmp_path):
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        database.execute(IN_THE_WAY)
    error = Place(tmp_path).refuse("manage.py", "upgrade")
    assert "The database cannot be made" in error
    assert "go back" not in error


@pytest.mark.nightly("process")
def test_upgrade_without_room_for_a_backup_changes_nothing(earlier, tmp_path):
    place = earlier(tmp_path)
    before = waiting(place)
    (tmp_path / "backups").write_text("a file where the folder should be")
    error = place.refuse("manage.py", "upgrade")
    assert "Nothing is changed" in error
    assert "--backup FILE" in error
    assert waiting(place) == before
    assert "is migrated" in place.succeed("manage.py", "upgrade", "--no-backup")


def test_upgrade_says_how_to_start_the_worker_that_an_earlier_release_did_not_have(db, settings, monkeypatch):
    settings.COMMAND, settings.STATIC_ROOT = "topage", ""
    taken = {name: [] if name == "mails" else ["worker@host"] for name in settings.JOB_QUEUES}
    monkeypatch.setattr(upgrade, "find_workers", lambda: taken)
    out = StringIO()
    call_command("upgrade", "--no-static", stdout=out)
    told = "No worker takes the queue mails. Start one: `topage worker --queues mails`"
    assert [line.startswith(told) for line in out.getvalue().splitlines() if "No worker" in line] == [True]


def test_upgrade_in_an_image_leaves_its_static_files(db, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "of the image"
    call_command("upgrade", "--no-static", stdout=StringIO())
    assert not settings.STATIC_ROOT.exists()
