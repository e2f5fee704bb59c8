"""The meaning of a failed query to SQLite, by real errors. `faults/test_failures_told.py` has those of PostgreSQL."""

import sqlite3
from contextlib import closing

import pytest
from django.db import ConnectionHandler, Error, IntegrityError

from tournaments.failures import DAMAGED, FULL, NOT_MIGRATED, READ_ONLY, SILENT, find_failure

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(file)) as made:
        made.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        made.executemany("INSERT INTO kept (text) VALUES (?)", [(str(number) * 1000,) for number in range(1000)])
        made.commit()
    return file


def failure_of(name, *statements):
    """Return the failure that the last of these statements ends with."""
    options = {"timeout": 0, "uri": True}
    handler = ConnectionHandler({"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": name, "OPTIONS": options}})
    connection = handler["default"]
    try:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    except Error as error:
        return find_failure(error)
    finally:
        connection.close()
    raise AssertionError("nothing failed")


ADD = "INSERT INTO kept (text) VALUES (hex(randomblob(100000)))"


def test_file_that_can_grow_no_more_is_a_full_disk(file):
    assert failure_of(file, "PRAGMA max_page_count = 1", ADD) == FULL


def test_file_that_may_not_be_written_is_read_only(file):
    assert failure_of(f"file:{file}?mode=ro", ADD) == READ_ONLY


def test_file_that_cannot_be_opened_is_read_only(file):
    assert failure_of(file / "nowhere", ADD) == READ_ONLY


@pytest.mark.parametrize(
    "question", ["SELECT * FROM gone", "SELECT gone FROM kept", "INSERT INTO kept (gone) VALUES (1)"]
)
def test_table_or_column_that_is_missing_wants_migrations(file, question):
    assert failure_of(file, question) == NOT_MIGRATED


def test_file_that_is_no_database_is_damaged(file):
    file.write_text("no database " * 1000)
    assert failure_of(file, ADD) == DAMAGED


def test_file_whose_pages_are_overwritten_is_damaged(file):
    with file.open("r+b") as pages:
        pages.seek(4096)
        pages.write(b"\xff" * 100_000)
    assert failure_of(file, "SELECT * FROM kept") == DAMAGED


def test_file_that_another_program_holds_does_not_answer(file):
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert failure_of(file, ADD) == SILENT


@pytest.mark.parametrize("fault", ["SELECT FROM", "INSERT INTO kept (text) VALUES (NULL)", "SELECT no_such_function()"])
def test_fault_of_ours_is_no_failure_of_the_database(file, fault):
    assert failure_of(file, fault) is None


def test_error_that_no_database_raised_is_no_failure():
    assert [find_failure(error) for error in (None, ValueError("x"), IntegrityError("x"))] == [None] * 3
