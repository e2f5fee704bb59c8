"""The backups of a used site: another database gets its rows one for one, and no damaged file is restored."""

import gzip
import json
import shutil
import sqlite3
from contextlib import closing

import pytest
from django.apps import apps

from operations.backup.contents import LEFT_OUT, BackupError, kept_models
from operations.backup.reading import read_head, read_lines
from operations.backup.replacing import summarise_backup
from tests.operations.place import NEW_CLUB, lines_of, write_backup_of

MAKE_TOKEN = """
import django; django.setup()
import datetime as dt
from django.utils import timezone
from clubs.accounts.program_tokens import NewToken, make_program_token
from clubs.models import *
user, now = User.objects.create(username="site@club"), timezone.now()
club = Club.objects.create(name="Club", slug="club")
Membership.objects.create(user=user, club=club, role="director")
make_program_token(club, NewToken("Site", {"read"}, now.date() + dt.timedelta(days=9)), now=now, by=user)
print(ProgramToken.objects.get().digest)
"""
# Two clubs with a list of the federation: one that was read 14 months ago, one of today.
MAKE_LISTS = """
import django; django.setup()
import datetime as dt
from django.utils import timezone
from clubs.licences import read_licences
from clubs.licences import store_list
from clubs.models import *
user, now, file = User.objects.create(username="who"), timezone.now(), read_licences("Licence;Nom\\n7;Un\\n8;Deux")
for slug, days in (("old", 430), ("new", 0)):
    club = Club.objects.create(name=slug, slug=slug)
    store_list(club=club, file=file, name="liste", by=user, now=now - dt.timedelta(days=days))
"""
ERASE_HOLDER = """
import django; django.setup()
from clubs.licences import forget_holders
from clubs.models import *
forget_holders([Player(licence="007", last_name="Un")], everywhere=True)
"""
LIST_HOLDERS = """
import django; django.setup()
from clubs.models import *
print(*LicenceHolder.objects.order_by("pk").values_list("list__club__slug", "last_name"))
"""
COUNT_ROWS = """
import django; django.setup()
from django.apps import apps
from operations.backup.contents import kept_models
print(sum(model._base_manager.count() for model in kept_models(apps)))
"""

# Writes a club and renames another one while a backup is being read. Prints how often the names are in the backup.
WRITE_MEANWHILE = """
import django; django.setup()
from clubs.models import Club
from operations.backup.writing import PackedSite
Club.objects.create(name="Before", slug="before")
lines = []
for block in PackedSite().blocks():
    if not lines:  # the transaction has begun, and no table is read yet
        Club.objects.create(name="Meanwhile", slug="meanwhile")
        Club.objects.filter(slug="before").update(name="Renamed")
    lines.append(block)
told = b"".join(lines).decode()
print(*(told.count(f'"{name}"') for name in ("Before", "Renamed", "Meanwhile")), Club.objects.count())
"""


@pytest.mark.nightly("process")
def test_rows_are_equal_after_the_way_to_a_server_and_back(used, backup, server, laptop):
    assert sum(1 for line in lines_of(backup) if line.startswith(b"[")) == int(used.succeed("-c", COUNT_ROWS)) > 1000
    server.succeed("manage.py", "restore", str(backup))
    second = server.back_up()
    back = laptop("back")
    back.succeed("manage.py", "restore", str(second))
    assert lines_of(backup) == lines_of(second) == lines_of(back.back_up())
    assert "in use" in server.refuse("manage.py", "restore", str(backup))
    last, made = server.succeed("-c", NEW_CLUB).split()
    assert int(made) > int(last)


@pytest.mark.nightly("process")
@pytest.mark.parametrize("kind", ["laptop", "server"])
def test_backup_has_the_rows_of_one_moment_while_others_write(kind, laptop, request):
    place = laptop("meanwhile") if kind == "laptop" else request.getfixturevalue("server")
    assert place.succeed("-c", WRITE_MEANWHILE).split() == ["1", "0", "0", "2"]


@pytest.mark.nightly("process")
def test_row_that_the_other_database_refuses_is_named_and_nothing_is_restored(backup, server, tmp_path):
    lines = lines_of(backup)
    place = next(number for number, line in enumerate(lines) if b'"table":"clubs_club"' in line)
    columns, row = json.loads(lines[place])["columns"], json.loads(lines[place + 1])
    row[columns.index("name")] = "n" * 400
    lines[place + 1] = json.dumps(row).encode() + b"\n"
    error = server.refuse("manage.py", "restore", str(write_backup_of(tmp_path / "long.gz", lines[:-1])))
    assert f"clubs_club, row {row[0]}, column name: the text has 400 letters" in error
    assert server.succeed("-c", NEW_CLUB).split()[0] == "0"


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-200]), "cannot be read to its end"),
        (lambda path: write_backup_of(path, lines_of(path)[:-1], end=False), "its end is missing"),
        (lambda path: path.write_bytes(gzip.compress(b"".join(lines_of(path)[:200] + lines_of(path)[201:]))), "digest"),
        (lambda path: path.write_bytes(b"hello"), "not packed by gzip"),
        (lambda path: path.unlink(), "There is no file"),
        (lambda path: write_backup_of(path, [b'{"format":2,"migrations":[]}\n']), "upgrade first"),
        (lambda path: write_backup_of(path, [b'["a row"]\n']), "names no format"),
    ],
)
def test_file_that_is_no_whole_backup_is_refused_before_anything_is_touched(backup, tmp_path, spoil, told):
    file = tmp_path / "backup.gz"
    shutil.copyfile(backup, file)
    spoil(file)
    with pytest.raises(BackupError, match=told):
        read_head(next(iter([*read_lines(file)])))


@pytest.mark.nightly("process")
def test_backup_of_a_newer_release_is_refused_and_the_site_stays_empty(laptop, tmp_path):
    place = laptop("empty")
    later = write_backup_of(tmp_path / "later.gz", [b'{"format":1,"migrations":[["clubs","9999_later"]]}\n'])
    assert "upgrade this site first" in place.refuse("manage.py", "restore", str(later))
    assert place.succeed("-c", NEW_CLUB).split()[0] == "0"


@pytest.mark.nightly("process")
def test_backup_that_cannot_be_written_leaves_the_one_before(laptop):
    place = laptop("broken")
    backup = place.back_up()
    before = backup.read_bytes()
    assert backup.stat().st_mode & 0o777 == 0o600  # nobody else reads it
    with closing(sqlite3.connect(place.folder / "db.sqlite3")) as database:
        database.execute("ALTER TABLE clubs_season RENAME TO gone")
    assert "No backup is written" in place.refuse("manage.py", "backup", str(backup))
    assert backup.read_bytes() == before
    assert [path.name for path in place.folder.glob(".*.part")] == []


@pytest.mark.nightly("process")
def test_backup_holds_no_token_of_a_program(laptop):
    """Check that a token which somebody ends after the backup cannot come back with it."""
    place = laptop("tokens")
    digest = place.succeed("-c", MAKE_TOKEN).strip()
    lines = b"".join(lines_of(place.back_up()))
    assert (b"site@club" in lines, digest.encode() in lines, b"clubs_programtoken" in lines) == (True, False, False)


@pytest.mark.nightly("process")
def test_restore_forgets_old_lists_of_the_federation_and_whoever_was_erased_since(laptop):
    place, empty = laptop("lists"), laptop("empty")
    place.succeed("-c", MAKE_LISTS)
    backup = place.back_up()
    assert b"".join(lines_of(backup)).count(b'"Deux"') == 2
    empty.succeed("manage.py", "restore", str(backup))
    assert empty.succeed("-c", LIST_HOLDERS) == "('new', 'Un') ('new', 'Deux')\n"
    place.succeed("-c", ERASE_HOLDER)
    place.succeed("manage.py", "restore", str(backup), "--replace", "--yes")
    assert place.succeed("-c", LIST_HOLDERS) == "('new', 'Deux')\n"


def test_every_table_is_in_the_backup_or_left_out_with_a_reason():
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    kept = {model._meta.db_table for model in kept_models(apps)}
    assert kept.isdisjoint(LEFT_OUT)
    assert kept | set(LEFT_OUT) == tables


def test_summary_of_a_backup_counts_the_rows_of_each_table(tmp_path):
    lines = [
        {"format": 1, "migrations": []},
        {"table": "clubs_club", "columns": ["id", "name"]},
        *([7, "Brest"], [8, "Lannion"]),
        {"table": "clubs_player", "columns": ["id"]},
        {"table": "clubs_clublogentry", "columns": ["id", "at"]},
        [5, "2026-11-20T20:31:00+00:00"],
    ]
    file = write_backup_of(tmp_path / "backup.gz", [json.dumps(line).encode() + b"\n" for line in lines])
    told = "2 clubs, 0 accounts, 0 players, 0 sessions, 0 results, 0 publications"
    assert str(summarise_backup(file)) == f"{told}; last change of a club 2026-11-20 20:31 UTC"
