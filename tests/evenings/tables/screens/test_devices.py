"""The codes and devices of a table: what each write stores, what it logs, and that it locks the table."""

import datetime as dt
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evenings.tables import devices
from evenings.tables.devices import (
    devices_at,
    is_done,
    leave,
    let_device_in,
    new_numbers,
    note_seen,
    numbers_among,
    once_wrote,
    open_by_number,
    open_tables,
    renew_token,
    revoke_token,
    take_over,
)
from evenings.tables.state import glance_of
from tests.evenings.tables.phones import tokens_of
from tests.evenings.tables.values import NOW
from tests.factories import started_session
from tournaments.models import Session, Table, TableDevice, TableToken

LATER, SECOND = NOW + dt.timedelta(minutes=5), dt.timedelta(seconds=1)


@pytest.mark.parametrize(
    ("labels", "device", "name", "label"),
    [
        ([], "one", "iPhone", "Table 3 · iPhone 1"),
        ([], "one", "", "Table 3 · 1"),
        ([("two", "a"), ("two", "b"), ("three", "b")], "one", "iPhone", "Table 3 · iPhone 2"),
        ([("two", "a"), ("three", "b")], "one", "", "Table 3 · 3"),
        ([("two", "a"), ("one", "b")], "one", "iPhone", "b"),
    ],
)
def test_label_has_the_table_the_make_and_a_number_unless_it_is_known(monkeypatch, labels, device, name, label):
    monkeypatch.setattr(devices, "LABELS", lambda session, table: labels if (session, table) == (8, 3) else [])
    assert devices.label_for(Table(session_id=8, number=3), device, name) == label


def test_what_is_known_without_the_database_asks_nothing():
    note_seen(SimpleNamespace(device=None, unseen=True), now=NOW)
    note_seen(SimpleNamespace(device=5, unseen=False), now=NOW)
    assert once_wrote(TableDevice(writes=True)) is True
    assert is_done(Table(session_id=8), "") is False


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


@pytest.fixture
def table(session):
    return session.tables.select_related("session").get(number=1)


@pytest.fixture
def code(session, table):
    tokens_of(session)
    return TableToken.objects.get(table=table)


@pytest.fixture
def changed(table):
    """Return a function that says whether the revision of the table has been raised since it was last called."""
    revisions = [table.revision]

    def is_changed():
        table.refresh_from_db()
        revisions.append(table.revision)
        return revisions[-1] != revisions[-2]

    return is_changed


def list_log(session, actions):
    """Return the newest lines of the session's log with these actions, oldest first."""
    found = session.log.filter(action__in=actions).order_by("id")
    return list(found.values_list("action", "params", "device", "words", "author", "at"))


def let_in(table, device, name="", now=NOW):
    let_device_in(devices_at(table), table, device, name, now=now)


def list_devices(table):
    return list(table.devices.order_by("id").values_list("device", "name", "label", "writes", "joined_at", "seen_at"))


# Codes


def test_codes_of_a_session_are_made_once_under_its_lock_and_last_thirty_days(session):
    TableToken.objects.all().delete()  # the start of the session has made codes
    revision = session.revision
    with CaptureQueriesContext(connection) as asked:
        made = open_tables(session, now=NOW)
    assert any(query["sql"].endswith('FOR NO KEY UPDATE OF "tournaments_session"') for query in asked)
    session.refresh_from_db()
    assert session.revision != revision
    assert open_tables(session, now=NOW) == []
    found = TableToken.objects.order_by("table__number")
    assert sorted((one.table.number, one.token) for one in made) == [(one.table.number, one.token) for one in found]
    assert [one.table.number for one in found] == [1, 2, 3, 4, 5]
    times = {(len(one.token), len(one.number), one.created_at, one.expires_at, one.revoked_at) for one in found}
    assert times == {(43, 12, NOW, NOW + dt.timedelta(days=30), None)}
    assert list(numbers_among({found[0].number, "ACDE"})) == [found[0].number]
    session.devices = Session.Devices.DESK
    found.delete()
    assert (open_tables(session, now=NOW), new_numbers(0)) == ([], [])


def test_revoked_code_is_not_made_again_and_is_logged_once(session, table, code, director, changed):
    for moment in (NOW, LATER):
        revoke_token(table=table, by=director, now=moment)
        assert changed()
    code.refresh_from_db()
    assert (code.revoked_at, open_tables(session, now=LATER)) == (NOW, [])
    expected = [("token_revoked", {"table": 1}, "", str(table), director.pk, NOW)]
    assert list_log(session, ["token_revoked"]) == expected


def test_renewed_code_replaces_the_open_one_and_removes_the_devices(session, table, code, director, changed):
    let_in(table, "one")
    new = renew_token(table=table, by=director, now=LATER)
    assert changed()
    assert list(TableToken.objects.filter(table=table).values_list("token", "revoked_at")) == [
        (code.token, LATER),
        (new.token, None),
    ]
    assert list_devices(table) == []
    expected = [("token_renewed", {"table": 1}, "", str(table), director.pk, LATER)]
    assert list_log(session, ["token_renewed"]) == expected


def test_number_that_is_typed_is_logged_with_the_address(session, code):
    open_by_number(code, now=NOW, device="iPhone", address="192.0.2.1")
    expected = ("opened_by_number", {"table": 1, "address": "192.0.2.1"}, "iPhone", "table 1 192.0.2.1", None, NOW)
    assert list_log(session, ["opened_by_number"]) == [expected]


# Devices

ROOM = ["device_writes", "device_follows", "device_left"]


def log_of_device(session):
    return [(action, params["id"], device, words) for action, params, device, words, *_when in list_log(session, ROOM)]


def test_devices_join_keep_their_names_and_the_next_one_writes_once_nobody_does(session, table):
    let_in(table, "one", "iPhone")
    let_in(table, "two", "Pixel")
    let_in(table, "two", "", LATER)
    first, second = "Table 1 · iPhone 1", "Table 1 · Pixel 2"
    assert list_devices(table) == [
        ("one", "iPhone", first, True, NOW, NOW),
        ("two", "Pixel", second, False, NOW, LATER),
    ]
    assert [known.table is table for known in devices_at(table).values()] == [True, True]
    table.devices.filter(device="one").update(writes=False)
    let_in(table, "two", "Tablet", LATER)
    assert list_devices(table)[1] == ("two", "Tablet", second, True, NOW, LATER)
    assert log_of_device(session) == [
        ("device_writes", "one", first, first.lower()),
        ("device_follows", "two", second, second.lower()),
        ("device_writes", "two", second, second.lower()),
    ]
    assert {tuple(line[1].items()) for line in list_log(session, ROOM)} == {
        (("id", "one"), ("table", 1)),
        (("id", "two"), ("table", 1)),
    }


def test_hundred_devices_stay_and_the_one_seen_longest_ago_makes_room(table):
    let_in(table, "writer", now=NOW - 200 * SECOND)
    crowd = [
        TableDevice(table=table, device=f"d{number}", joined_at=NOW, seen_at=NOW - number * SECOND)
        for number in range(98)
    ]
    TableDevice.objects.bulk_create(crowd)
    let_in(table, "hundredth")
    assert table.devices.count() == 100
    let_in(table, "one more")
    assert table.devices.count() == 100
    gone = {"writer", "hundredth", "one more", *(known.device for known in crowd)} - devices_at(table).keys()
    assert gone == {"d97"}


def test_device_takes_over_alone_and_leaves_once_for_each_command(session, table, changed):
    let_in(table, "one")
    let_in(table, "two")
    one, two = devices_at(table).values()
    assert (once_wrote(two), is_done(table, "key")) == (False, False)
    TableDevice.objects.filter(pk=two.pk).update(label="Table 1 · later")
    take_over(device=two, now=LATER, key="key")
    assert changed()
    assert is_done(table, "key")
    assert [(known.device, known.writes) for known in devices_at(table).values()] == [("one", False), ("two", True)]
    one.refresh_from_db()
    assert (once_wrote(one), two.writes) == (True, True)
    take_over(device=one, now=LATER, key="")
    take_over(device=two, now=LATER, key="key")  # the command has come again
    assert [known.device for known in devices_at(table).values() if known.writes] == ["one"]
    changed()
    leave(device=one, now=LATER, key="key")  # the command with this key was carried out
    assert changed()
    for moment in (NOW, LATER):
        leave(device=one, now=moment, key="other")
    assert list(devices_at(table)) == ["two"]
    first, later = ("Table 1 · 1", "table 1 · 1", None), ("Table 1 · later", "table 1 · later", None)
    assert list_log(session, ROOM)[2:] == [
        ("device_writes", {"table": 1, "id": "two", "key": "key"}, *later, LATER),
        ("device_writes", {"table": 1, "id": "one"}, *first, LATER),
        ("device_left", {"table": 1, "id": "one", "key": "other"}, *first, NOW),
    ]


def test_device_is_noted_as_seen_once_it_was_unseen_for_more_than_thirty_seconds(session, table, code):
    let_in(table, "one")
    moment = NOW + 30 * SECOND
    code.expires_at = NOW + dt.timedelta(days=1)
    code.save()
    assert glance_of(code.token, "one", now=moment).unseen is False
    late = moment + dt.timedelta(microseconds=1)
    glance = glance_of(code.token, "one", now=late)
    assert glance.unseen is True
    note_seen(glance, now=late)
    assert table.devices.get().seen_at == late
