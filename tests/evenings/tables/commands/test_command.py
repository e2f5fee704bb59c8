"""A command of a table's device and its receipt, without a database: what is read of it, and what is refused."""

import datetime as dt
from types import SimpleNamespace
from uuid import UUID

import pytest

from deals.models import Etui
from evenings.plays.entering import SentEntry
from evenings.tables import command, devices
from evenings.tables.command import Command, Receipt, must_go_on, must_have_written, must_write, read_command
from tests.evenings.plays.test_checks import at, row
from tests.evenings.tables.values import NOW, make_play, make_session
from tournaments.errors import ActionRefused
from tournaments.models import EntryCheck, Table, TableDevice

KEY, OTHER = UUID(int=1), UUID(int=2)
MOST = 2**63 - 1
WEEK, SECOND = dt.timedelta(days=7), dt.timedelta(seconds=1)
SESSION = make_session()


def make_shown(pk, position, etui, *rows):
    shown = make_play(SESSION, *rows, position=position, etui=Etui(pk=etui, number=etui, taker="N", dealer="W"))
    shown.play.pk = pk
    return shown


PLAYS = [make_shown(31, 1, 5), make_shown(32, 1, 6), make_shown(33, 2, 7)]


def make_command(plays=PLAYS, *, others=(), writes=True, closed_at=None, **fields):
    """Return a command of device "phone-one". `others` are what the request has read of this device since."""
    table = Table(number=1, session=make_session(closed_at=closed_at))
    here = SimpleNamespace(
        table=table, plays={each.play.pk: each for each in plays}, devices={one.device: one for one in others}
    )
    return Command(here, TableDevice(device="phone-one", label="Table 1 · 1", writes=writes), fields, KEY, NOW)


def refusal(function, *given):
    """Return the code and the field with which the function refuses, or None if it does not."""
    try:
        function(*given)
    except ActionRefused as refused:
        return refused.code, refused.field
    return None


def test_device_is_the_one_that_the_request_has_read_last():
    read = TableDevice(device="phone-one", label="new")
    assert [make_command(others=[read]).device, make_command().device.label] == [read, "Table 1 · 1"]
    sent = make_command(at=NOW.isoformat(), seat="E")
    assert sent.sent == SentEntry("Table 1 · 1", KEY, "E", NOW)
    assert (sent.table.number, make_command().sent) == (1, SentEntry("Table 1 · 1", KEY, "", None))


@pytest.mark.parametrize(
    ("fields", "pk"),
    [
        ({"play": 32}, 32),
        ({"play": 34}, None),
        ({"play": MOST}, None),
        ({"play": 31, "position": 2, "etui": 7}, 33),  # position and étui decide
        ({"play": 32, "position": 1, "etui": 5}, 31),
        ({"play": 33, "position": 1, "etui": 6}, 32),
        ({"play": 32, "position": 1, "etui": 8}, 32),  # the étui was changed in its position
        ({"play": 32, "position": 1, "etui": 8, "again": False}, 32),
        ({"play": 32, "position": 1, "etui": 8, "again": 1}, 32),
        ({"play": 32, "position": 1, "etui": 8, "again": True}, None),
        ({"play": 32, "position": 2, "etui": 5}, None),
        ({"play": 33, "position": 1, "etui": 2}, None),
        ({"play": 34, "position": 2, "etui": 7, "again": True}, 33),
        ({"play": 34, "position": 32_767, "etui": 32_767}, None),
    ],
)
def test_play_is_found_by_its_id_or_by_position_and_etui(fields, pk):
    sent = make_command(**fields)
    if pk is None:
        assert refusal(lambda: sent.play) == ("play_unknown", "")
    else:
        assert sent.play is next(each.play for each in PLAYS if each.play.pk == pk)


@pytest.mark.parametrize("wrong", [None, True, "1", 1.0, 0, -1])
@pytest.mark.parametrize(
    ("name", "most"), [("play", MOST), ("position", 32_767), ("etui", 32_767), ("version", 32_767)]
)
def test_numbers_are_whole_and_neither_too_small_nor_too_large(name, most, wrong):
    fields = {"play": 31, "position": 1, "etui": 5, "version": 1}

    def read(value):
        sent = make_command(**fields | {name: value})
        return refusal(lambda: (sent.play, sent.version))

    malformed = ("command_malformed", name)
    assert [read(wrong), read(most + 1), read(1) == malformed, read(most) == malformed] == [malformed] * 2 + [False] * 2


def test_version_is_the_one_that_was_seen():
    assert (make_command(version=3).version, make_command(version=3, seen_version=2).version) == (3, 2)
    assert refusal(lambda: make_command(version=3, seen_version=0).version) == ("command_malformed", "seen_version")


@pytest.mark.parametrize(
    ("told", "typed", "began"),
    [
        (NOW - SECOND, NOW - SECOND, NOW - SECOND),
        (NOW + SECOND, NOW + SECOND, NOW),
        (NOW - WEEK + SECOND, NOW - WEEK + SECOND, NOW - WEEK + SECOND),
        (NOW + WEEK - SECOND, NOW + WEEK - SECOND, NOW),
        (NOW - WEEK, None, NOW),
        (NOW + WEEK, None, NOW),
        (NOW.replace(tzinfo=None), None, NOW),
        ("yesterday", None, NOW),
        ("2026-13-45T00:00:00Z", None, NOW),
        (NOW.timestamp(), None, NOW),
        (None, None, NOW),
    ],
)
def test_time_of_the_device_counts_within_a_week_and_for_repeated_commands(told, typed, began):
    fields = {"at": told.isoformat() if isinstance(told, dt.datetime) else told}
    first, again = make_command(**fields), make_command(again=True, **fields)
    assert (first.typed_at, again.typed_at, first.began_at, again.began_at) == (typed, typed, NOW, began)


def make_entry(*, key=OTHER, checked=(), **how):
    """Return an entry that came with this key, and its checks with theirs."""
    entry = row(key=key, pk=9, version=2, minute=4, **how)
    entry._prefetched_objects_cache = {"checks": [EntryCheck(key=each) for each in checked]}
    return entry


@pytest.mark.parametrize(
    ("how", "stored"),
    [({}, False), ({"key": KEY}, True), ({"checked": [OTHER]}, False), ({"checked": [OTHER, KEY]}, True)],
)
@pytest.mark.parametrize(("contested", "status"), [(False, "received"), (True, "conflict")])
def test_receipt_of_an_entry_says_whether_this_command_stored_it(how, stored, contested, status):
    entry = make_entry(**how, contested=contested)
    found = make_command().receipt(entry)
    assert found == Receipt(str(KEY), status, at(4), 9, 2, found.error, (), stored)
    assert found.error is None if not contested else found.error.code == "kept_contested"
    sent, shown = make_command([make_shown(31, 1, 5, make_entry(), entry)]), PLAYS[0].play
    assert sent.find_stored_entry(shown) is (entry if stored else None)


def test_receipt_of_a_check_or_of_nothing_has_its_time():
    check = EntryCheck(checked_at=at(7))
    assert make_command().receipt(check=check) == Receipt(str(KEY), "received", at(7), stored=True)
    assert make_command().receipt(make_entry(), check=check).stored is True
    plain = Receipt(str(KEY), "received", NOW)
    assert make_command().receipt() == plain
    assert (plain.error, plain.questions, plain.stored) == (None, (), False)


def read(device="phone-one", **fields):
    """Return the command, and what it let join: the table knows "phone-one"."""
    joined, known = [], TableDevice(device="phone-one", label="known")

    def join(device, name, *, now):
        joined.append((device, name, now))
        return TableDevice(device=device, label="joined")

    here = SimpleNamespace(devices={"phone-one": known}, join=join)
    return read_command(here, device, {"kind": "enter", "key": str(KEY)} | fields, NOW), joined


def test_unknown_device_joins_and_a_known_one_does_if_it_asks():
    found, joined = read()
    fields = {"kind": "enter", "key": str(KEY)}
    assert (found.sender.label, found.key, found.now, found.fields, joined) == ("known", KEY, NOW, fields, [])
    for device, kind in (("phone-two", "enter"), ("phone-two", "join"), ("phone-one", "join")):
        found, joined = read(device, kind=kind, name=" iPhone ")
        assert (found.sender.device, found.sender.label) == (device, "joined")
        assert joined == [(device, "iPhone", NOW)]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        *(({"key": key}, "key") for key in (None, 1, "", "x", [str(KEY)])),
        *(
            ({"device": device}, "device")
            for device in ("", "a" * 7, "a" * 33, "phone one", "phone-é-1", "phone-one\n")
        ),
        *(({"name": name}, "name") for name in (1, ["iPhone"], "i\u202ePhone")),
    ],
)
def test_key_device_and_name_are_refused_if_they_cannot_be_read(fields, wrong):
    assert refusal(lambda: read(**fields)) == ("command_malformed", wrong)


def test_command_without_a_key_is_refused():
    here = SimpleNamespace(devices={})
    assert refusal(read_command, here, "phone-one", {"kind": "join"}, NOW) == ("command_malformed", "key")


@pytest.mark.parametrize("device", ["a" * 8, "Z" * 32, "phone_2-"])
@pytest.mark.parametrize(("name", "kept"), [(None, ""), ("", ""), ("x" * 25, "x" * 24), (" a" * 8, "a a a a a a a a")])
def test_name_of_a_device_has_at_most_24_letters(device, name, kept):
    assert read(device, name=name)[1] == [(device, kept, NOW)]


def test_closed_evening_goes_on_no_more():
    assert refusal(must_go_on, make_command()) is None
    assert refusal(must_go_on, make_command(closed_at=NOW)) == ("session_closed", "")


@pytest.mark.parametrize(
    ("writes", "wrote", "again", "now", "ever"),
    [
        (True, True, False, True, True),
        (False, True, False, False, True),
        (False, False, False, False, False),
        (False, False, True, False, True),
        (False, True, True, False, True),
    ],
)
def test_only_the_device_that_enters_results_enters_some(monkeypatch, writes, wrote, again, now, ever):
    monkeypatch.setattr(devices, "once_wrote", lambda device: wrote)
    sent = make_command(writes=writes, again=again)
    expected = [None if may else ("not_writing", "") for may in (now, ever)]
    assert [refusal(must_write, sent), refusal(must_have_written, sent)] == expected


def test_states_of_a_receipt_are_those_that_screens_know():
    states = command.RECEIVED, command.REFUSED, command.CONFLICT, command.QUESTION
    assert states == ("received", "refused", "conflict", "question")
