"""The values of columns on their way into a backup and back, and the tables that are filled with them."""

import re
import sqlite3
from contextlib import closing

import msgspec
import pytest
from cryptography.fernet import Fernet

from operations.backup.contents import (
    columns_of,
    convert_rows,
    find_refused,
    pack_json,
    read_moment,
    read_uuid,
    unpack_json,
    unpack_json_or_null,
    write_moment,
    write_uuid,
)
from tests.operations.place import lines_of
from tournaments.models import LogEntry

# Prints every index and every constraint of PostgreSQL, with its definition.
LIST_SCHEMA = """
import django; django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL "
        "SELECT conrelid::regclass || ' ' || conname || pg_get_constraintdef(oid) FROM pg_constraint ORDER BY 1")
    print(*(line for line, in cursor.fetchall()), sep="\\n")
"""
# PostgreSQL writes the casts of a condition in another way after it has read them once.
CASTS = re.compile(r"::(text|character varying)(\[\])?|[()]")


@pytest.mark.parametrize(
    ("stored", "packed"),
    [
        ('{"b": [1, 2.50], "a": "\\u00e9"}', '{"a":"é","b":[1,2.5]}'),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("null", "null"),
        ('["\\ud800", 1]', '["\\ud800", 1]'),  # half of a pair, which no text has
        ("[1e999,\r\n 1]", "[1e999,   1]"),
    ],
)
def test_stored_json_is_packed_into_one_line(stored, packed):
    assert bytes(pack_json(stored)).decode() == packed
    assert msgspec.json.encode([pack_json(stored)]) == f"[{packed}]".encode()


def test_null_of_json_is_the_databases_own_where_the_column_allows_it():
    assert (unpack_json(msgspec.Raw(b"null")), unpack_json_or_null(msgspec.Raw(b"null"))) == (None, "null")
    assert unpack_json(msgspec.Raw(b'{"a":1}')) == unpack_json_or_null(msgspec.Raw(b'{"a":1}')) == '{"a":1}'


@pytest.mark.parametrize(
    ("stored", "written", "again"),
    [
        ("2026-11-23 22:44:00", "2026-11-23T22:44:00+00:00", "2026-11-23 22:44:00"),
        ("2026-11-23 22:44:00.000120", "2026-11-23T22:44:00.000120+00:00", "2026-11-23 22:44:00.000120"),
        ("2026-11-23 22:44:00.120", "2026-11-23T22:44:00.120000+00:00", "2026-11-23 22:44:00.120000"),
    ],
)
def test_moment_of_sqlite_is_written_in_iso_and_read_again(stored, written, again):
    assert (write_moment(stored), read_moment(written)) == (written, again)


def test_moment_of_another_zone_is_read_as_utc():
    assert read_moment("2026-11-23T23:44:00+01:00") == "2026-11-23 22:44:00"


def test_uuid_of_sqlite_gets_its_hyphens():
    assert write_uuid("0" * 8 + "1" * 4 + "2" * 4 + "3" * 4 + "4" * 12) == "00000000-1111-2222-3333-444444444444"
    assert read_uuid("00000000-1111-2222-3333-444444444444") == "00000000111122223333444444444444"


def test_rows_are_converted_column_by_column_but_for_null():
    assert convert_rows([(1, "a"), (2, None)], [None, str.upper]) == [(1, "A"), (2, None)]
    assert convert_rows([], [str.upper]) == []


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("action", '"\\u0000"', "column action: the text contains a NUL character."),
        ("params", '{"a":["\\u0000"]}', "column params: the text contains a NUL character."),
        ("params", '{"a":"\\\\u0000"}', ""),  # a text about NUL
        ("action", f'"{"k" * 200}"', "column action: the text has 200 letters, "),
    ],
)
def test_value_that_postgresql_refuses_is_named(column, value, told):
    fields = columns_of(LogEntry)
    row = [msgspec.Raw(value.encode()) if column == "params" else msgspec.json.decode(value)]
    row = tuple(row[0] if field.column == column else 7 if field.primary_key else None for field in fields)
    refused = find_refused(fields, [row], value.encode())
    assert told in refused
    assert refused.startswith("tournaments_logentry, row 7, " if told else "")
    assert bool(told) == bool(refused)


def read_schema(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()


@pytest.mark.nightly("process")
def test_tables_have_all_indexes_and_links_after_a_restore(used, backup, server, migrated_laptop):
    assert read_schema(used.folder / "db.sqlite3") == read_schema(migrated_laptop)
    before = CASTS.sub("", server.succeed("-c", LIST_SCHEMA))
    server.succeed("manage.py", "restore", str(backup))
    assert CASTS.sub("", server.succeed("-c", LIST_SCHEMA)) == before
    assert "FOREIGN KEY" in before
    assert "CREATE UNIQUE INDEX" in before


@pytest.mark.nightly("process")
@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_cards_are_encrypted_by_a_restore_where_the_site_has_a_key(vendor, backup, laptop, server):
    place = laptop("encrypted") if vendor == "sqlite" else server
    place.environment["CARD_KEYS"] = Fernet.generate_key().decode()
    place.succeed("manage.py", "restore", str(backup))
    script = (
        "import django; django.setup(); from django.db import connection; cursor = connection.cursor();"
        "cursor.execute('SELECT cards FROM deals_etui'); print({cards[:7] for cards, in cursor.fetchall() if cards})"
    )
    assert place.succeed("-c", script) == "{'fernet:'}\n"
    assert lines_of(place.back_up()) == lines_of(backup)
    del place.environment["CARD_KEYS"]
    assert "CARD_KEYS does not name" in place.refuse("manage.py", "backup", str(place.folder / "without.gz"))
