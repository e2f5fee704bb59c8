"""The upgrade of a site by one command: a backup first, then the migrations; after a failure, the way back."""

import re
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.operations.place import Place

EARLIER = "0006"  # migrations of `tournaments` up to this one; the next one makes a table
IN_THE_WAY = "CREATE TABLE tournaments_feuillemail (id integer)"
SET_UP = "import django; django.setup(); from clubs.models import Club; "
NEW_CLUB = f"{SET_UP}Club.objects.create(name='Neu', slug='neu')"
CLUBS = f"{SET_UP}print(*Club.objects.values_list('slug', flat=True))"


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """Return a function that makes a laptop with a club, whose database is of an earlier release."""
    first = Place(tmp_path_factory.mktemp("earlier"))
    first.succeed("manage.py", "migrate", "tournaments", EARLIER, "--verbosity", "0")
    first.succeed("manage.py", "migrate", "clubs", "--verbosity", "0")
    first.succeed("-c", NEW_CLUB)

    def make(folder):
        shutil.copyfile(first.folder / "db.sqlite3", folder / "db.sqlite3")
        return Place(folder)

    return make


def waiting(place):
    return place.succeed("manage.py", "showmigrations", "--plan").count("[ ]")


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
    assert place.succeed("-c", CLUBS).split() == ["neu"]
    assert "0 migrations to carry out" in place.succeed("manage.py", "upgrade")
    assert [*(tmp_path / "backups").glob("*.gz*")] == [backup]


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
    assert place.succeed("-c", CLUBS).split() == ["neu"]


def test_upgrade_without_room_for_a_backup_changes_nothing(earlier, tmp_path):
    place = earlier(tmp_path)
    before = waiting(place)
    (tmp_path / "backups").write_text("a file where the folder should be")
    error = place.refuse("manage.py", "upgrade")
    assert "Nothing is changed" in error
    assert "--backup FILE" in error
    assert waiting(place) == before
    assert "is migrated" in place.succeed("manage.py", "upgrade", "--no-backup")
