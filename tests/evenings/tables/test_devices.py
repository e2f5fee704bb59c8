"""The codes of tables, and which device of a table writes."""

import datetime as dt

import pytest
from django.http import Http404
from django.utils import timezone

from evenings.glance import get_table_for_token
from evenings.tables import devices
from evenings.tables.devices import open_tables, renew_token, revoke_token
from rankings.publication.publishing import SESSIONS
from tests import shared_evenings
from tests.evenings.tables.phones import Device, Phone, command, tokens_of
from tests.factories import enter, enter_all, garde, publish, started_session
from tournaments.models import Publication, Session, TableDevice, TableToken
from tournaments.permissions import open_codes

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_two_positions


@pytest.fixture
def table(session):
    return session.tables.get(number=1)


@pytest.fixture
def device(table):
    device = Device(table)
    device.send("join")
    return device


play = shared_evenings.first_play_of_table


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
    told = {"writes": False, "others": 1, "known": True, "label": "Table 1 · Tablette 2"}
    assert second.state()["device"] == told


def test_devices_are_counted_at_their_own_table():
    tokens = tokens_of(started_session(tables=11, positions=2))
    labels = [Phone(tokens[table]).post(command("join")).json()["state"]["device"]["label"] for table in (11, 1)]
    assert labels == ["Table 11 · 1", "Table 1 · 1"]


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
    assert device.state()["device"] == {"writes": False, "others": 0, "known": False, "label": ""}
    second = Device(table, "phone-two")
    second.send("join")
    assert second.state()["device"] == {"writes": True, "others": 0, "known": True, "label": "Table 1 · 2"}


def test_who_fills_a_table_with_devices_shuts_nobody_out(table, monkeypatch):
    """Check that the writing device stays, and that the one seen longest ago makes room.

    A new code removes them all.
    """
    monkeypatch.setattr(devices, "MOST_DEVICES", 3)
    assert [Device(table, f"phone-{number:03}").send("join").status for number in range(5)] == ["received"] * 5
    there = TableDevice.objects.order_by("id").values_list("device", "writes")
    assert list(there) == [("phone-000", True), ("phone-003", False), ("phone-004", False)]


def test_new_code_clears_devices_and_who_comes_back_keeps_name_and_unsent_results(table, device, director, play):
    Device(table, "phone-two").send("join")
    renew_token(table=table, by=director, now=timezone.now())
    assert not TableDevice.objects.exists()
    Device(table, "phone-two").send("join")
    assert device.send("enter", play=play, seat="N", entry=garde(play.etui.taker)).status == "received"
    assert play.entries.get().device == "Table 1 · 1"
    assert dict(TableDevice.objects.values_list("device", "label")) == {
        "phone-one": "Table 1 · 1",
        "phone-two": "Table 1 · 2",
    }


def test_device_that_gave_up_writing_marks_nothing_not_played(table, device, play):
    """Check a device that said so without network, and is heard only now."""
    Device(table, "phone-two").send("take_over")
    for kind in ("not_played", "undo_not_played"):
        assert outcome(device.send(kind, play=play)) == ("refused", "not_writing")
    assert device.play(play.pk)["state"] == "todo"
    assert not play.rulings.exists()


# How long a code lives


@pytest.mark.parametrize("apart", [dt.timedelta(days=-29), dt.timedelta(days=-2), dt.timedelta(days=2)], ids=str)
def test_code_made_by_a_wrong_clock_opens_its_table(session, table, apart):
    (token,) = TableToken.objects.filter(table=table)
    TableToken.objects.update(created_at=token.created_at + apart, expires_at=token.expires_at + apart)
    assert get_table_for_token(token.token, timezone.now()) == table


def test_code_is_over_a_day_after_the_newest_publication_and_after_thirty_days(session, table, director):
    token, now = tokens_of(session)[1], timezone.now()
    with pytest.raises(Http404):
        get_table_for_token(token, now + dt.timedelta(days=31))
    enter(session.plays.select_related("etui").first(), by=director)
    publish(session, by=director, allow_missing=True)
    assert get_table_for_token(token, now + dt.timedelta(hours=23)) == table
    with pytest.raises(Http404):
        get_table_for_token(token, now + dt.timedelta(hours=25))
    Publication.objects.update(published_at=now - dt.timedelta(days=3))
    enter_all(session, by=director, plays=session.plays.filter(entries=None).select_related("etui"))
    publish(session, by=director)
    assert get_table_for_token(token, now) == table


def test_code_that_is_over_stays_so_when_the_ranking_becomes_official(session, table, director):
    token, now = tokens_of(session)[1], timezone.now()
    enter_all(session, by=director, plays=session.plays.select_related("etui"))
    publish(session, by=director)
    Publication.objects.update(published_at=now - dt.timedelta(days=2), official_from=now)
    SESSIONS.settle_all()
    assert session.publications.count() == 2
    assert not open_codes(now).filter(table__session=session).exists()
    with pytest.raises(Http404):
        get_table_for_token(token, now)
