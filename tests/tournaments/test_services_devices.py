"""The tables' codes, and which device of a table writes."""

import pytest
from django.utils import timezone

from tests.factories import garde, make_director, started_session
from tests.tournaments.tables import Device, command, tokens_of
from tournaments.models import Session, TableDevice, TableToken
from tournaments.services import tables
from tournaments.services.tables import open_tables, renew_token, revoke_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return started_session(positions=2)


@pytest.fixture
def director(session):
    return make_director(session.tournament.club)


@pytest.fixture
def table(session):
    return session.tables.get(number=1)


@pytest.fixture
def device(table):
    device = Device(table)
    device.send("join")
    return device


@pytest.fixture
def play(table):
    return table.plays.filter(position=1).select_related("etui").first()


def outcome(receipt):
    return receipt.status, receipt.error.code if receipt.error else ""


# Codes


def test_each_table_has_one_code_which_is_not_made_twice(session):
    first = tokens_of(session)
    assert sorted(first) == [1, 2, 3, 4, 5]
    assert {len(token) for token in first.values()} == {43}
    assert tokens_of(session) == first


def test_no_code_is_made_where_only_the_desk_enters(session):
    session.devices = Session.Devices.DESK
    assert open_tables(session, now=timezone.now()) == []


def test_renewed_code_replaces_the_old_one_and_both_acts_are_logged(session, table, director):
    old = TableToken.objects.get(table=table)
    new = renew_token(table=table, by=director, now=timezone.now())
    old.refresh_from_db()
    assert old.revoked_at is not None
    assert new.token != old.token
    revoke_token(table=table, by=director, now=timezone.now())
    revoke_token(table=table, by=director, now=timezone.now())
    assert not TableToken.objects.filter(table=table, revoked_at=None).exists()
    assert [entry.action for entry in session.log.filter(action__startswith="token")] == [
        "token_revoked",
        "token_renewed",
    ]


# Devices


def test_first_device_writes_and_the_next_one_follows(table, device):
    second = Device(table, "phone-two")
    assert second.send("join", name="Tablette").status == "received"
    assert list(TableDevice.objects.values_list("device", "name", "writes")) == [
        ("phone-one", "", True),
        ("phone-two", "Tablette", False),
    ]
    assert second.state()["device"] == {"writes": False, "others": 1, "known": True}


def test_device_that_takes_over_writes_alone(table, device, play):
    second = Device(table, "phone-two")
    second.send("join")
    sent = {"play": play, "seat": "N", "entry": garde(play.etui.taker)}
    assert outcome(second.send("enter", **sent)) == ("refused", "not_writing")
    second.send("take_over")
    assert second.send("enter", **sent).status == "received"
    assert list(TableDevice.objects.filter(writes=True).values_list("device", flat=True)) == ["phone-two"]


def test_take_over_that_comes_again_late_takes_nothing_back(table, device):
    second = Device(table, "phone-two")
    again = command("take_over")
    second.send_again(again)
    device.send("take_over")
    assert second.send_again(again).status == "received"
    assert TableDevice.objects.get(writes=True).device == "phone-one"


def test_who_comes_after_the_writing_device_has_left_writes(table, device):
    device.send("leave")
    assert device.state()["device"] == {"writes": False, "others": 0, "known": False}
    second = Device(table, "phone-two")
    second.send("join")
    assert second.state()["device"] == {"writes": True, "others": 0, "known": True}


def test_a_table_takes_so_many_devices_and_no_more(table, monkeypatch):
    monkeypatch.setattr(tables, "MOST_DEVICES", 3)
    receipts = [Device(table, f"phone-{number:03}").send("join") for number in range(4)]
    assert [outcome(receipt) for receipt in receipts[-2:]] == [("received", ""), ("refused", "too_many_devices")]
