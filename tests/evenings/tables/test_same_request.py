"""One request: what a command has changed, the same request knows; a command that comes again changes nothing."""

import pytest
from django.utils import timezone

from evenings.tables.command import Command
from evenings.tables.commands import receive
from scoring.ranking import Line
from tests import shared_evenings
from tests.evenings.tables.phones import Device, command, tokens_of
from tests.factories import enter_all, garde
from tournaments.models import ArbiterCall, LogEntry, Session

pytestmark = pytest.mark.django_db

session = shared_evenings.started_with_two_positions
play = shared_evenings.first_play_of_table


@pytest.fixture
def table(session):
    tokens_of(session)
    return session.tables.get(number=1)


@pytest.fixture
def device(table):
    device = Device(table)
    device.send("join")
    return device


@pytest.fixture
def other(table, device):
    other = Device(table, "phone-two")
    other.send("join")
    return other


def send(here, name, kind, **fields):
    return receive(here, name, command(kind, **fields), timezone.now())


def outcome(receipt):
    return receipt.status, receipt.error.code if receipt.error else ""


def opposite(play):
    """Return a line that does not play with the taker of the play."""
    return next(line.value for line in Line if line.value != play.etui.taker)


def list_writers(here):
    return [device.label for device in here.devices.values() if device.writes]


def test_request_knows_who_enters_after_taking_over_and_leaving(other):
    here = other.here()
    assert list_writers(here) == ["Table 1 · 1"]
    send(here, "phone-two", "take_over")
    assert list_writers(here) == ["Table 1 · 2"]
    send(here, "phone-two", "leave")
    assert list_writers(here) == []


def test_request_knows_what_it_corrected_confirmed_and_set_aside(device, play):
    here = device.here()
    assert here.plays[play.pk].current is None
    entry = garde(play.etui.taker)
    send(here, "phone-one", "enter", play=play, seat=play.etui.taker, entry=entry)
    send(here, "phone-one", "correct", play=play, seen_version=1, entry=garde(play.etui.taker, points=50))
    assert here.plays[play.pk].current.version == 2
    send(here, "phone-one", "enter", play=play, seat=opposite(play), entry=garde(play.etui.taker, points=50))
    assert [len(row.checks.all()) for row in here.plays[play.pk].rows if row.version == 2] == [1]


def test_request_knows_when_a_play_began_and_what_it_entered_and_checked(device, play):
    here, check = device.here(), command("check", play=play, version=1, agrees=True, seat=opposite(play))
    send(here, "phone-one", "start", play=play)
    began = here.plays[play.pk].play.started_at
    assert began is not None
    send(here, "phone-one", "start", play=play)
    play.refresh_from_db()
    assert play.started_at == began
    send(here, "phone-one", "enter", play=play, seat=play.etui.taker, entry=garde(play.etui.taker))
    receipts = [receive(here, "phone-one", check, timezone.now()) for _time in range(2)]
    assert [outcome(receipt) for receipt in receipts] == [("received", "")] * 2
    assert play.entries.get().checks.count() == 1


def test_request_knows_what_it_set_aside(device, play):
    here = device.here()
    assert here.plays[play.pk].state != "not_played"
    send(here, "phone-one", "not_played", play=play)
    assert here.plays[play.pk].state == "not_played"


@pytest.mark.parametrize("kind", ["start", "enter", "check", "correct"])
def test_device_that_never_entered_for_the_table_enters_nothing(session, other, play, kind):
    Session.objects.filter(pk=session.pk).update(check_by="screen")
    fields = {"play": play, "seat": "N", "entry": garde(play.etui.taker), "seen_version": 1, "agrees": True}
    expected = ("refused", "nothing_to_check") if kind == "check" else ("refused", "not_writing")
    assert outcome(other.send(kind, **fields)) == expected
    assert not play.entries.exists()


@pytest.mark.parametrize("kind", ["enter", "blind", "correct"])
def test_entry_that_was_stored_meanwhile_is_not_stored_again(device, play, kind, monkeypatch):
    first = device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker), key=play.entries.get().key)
    found, asked = Command.find_stored_entry, []

    def be_late(self, which):
        asked.append(which)
        return None if len(asked) == 1 else found(self, which)

    monkeypatch.setattr(Command, "find_stored_entry", be_late)
    again = device.send_again(sent | {"kind": kind, "seen_version": 1})
    assert (again.status, again.number, again.version, len(asked)) == ("received", first.number, 1, 2)
    assert play.entries.count() == 1


def test_command_that_comes_twice_gets_a_receipt_twice(device, play):
    for kind, fields in (("not_played", {"play": play}), ("undo_not_played", {"play": play}), ("take_over", {})):
        sent = command(kind, **fields)
        receipts = [device.send_again(sent) for _time in range(2)]
        assert [(each.key, each.status) for each in receipts] == [(sent["key"], "received")] * 2
    assert play.rulings.count() == 2


def test_key_is_told_up_to_forty_signs(device):
    receipt = device.send_again({"key": "x" * 50, "kind": "none"})
    assert (receipt.key, outcome(receipt)) == ("x" * 40, ("refused", "command_unknown"))


def test_check_without_an_answer_or_without_a_seat_is_none(device, play):
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    told = {"play": play, "version": 1}
    assert outcome(device.send("check", **told, seat="E")) == ("refused", "command_malformed")
    assert outcome(device.send("check", **told, agrees=True)) == ("refused", "command_malformed")
    assert play.entries.get().checks.count() == 0


def test_each_call_is_in_the_log_and_raises_the_revision_of_its_table(device, table):
    table.refresh_from_db()
    revisions = [table.revision]
    for kind, fields in (("call", {}), ("call_about", {"reason": "result"}), ("uncall", {})):
        device.send(kind, **fields)
        table.refresh_from_db()
        revisions.append(table.revision)
    assert revisions == sorted(set(revisions))
    assert ArbiterCall.objects.get().answered_at is not None
    logged = LogEntry.objects.filter(session=table.session_id, action__startswith="arbiter").order_by("pk")
    assert list(logged.values_list("action", flat=True)) == [
        "arbiter_called",
        "arbiter_called_about",
        "arbiter_not_needed",
    ]


def test_receipt_of_leaving_and_of_taking_back_a_call_says_that_it_was_received(device):
    assert [device.send(kind).status for kind in ("call", "uncall", "leave")] == ["received"] * 3


def test_second_entry_is_for_the_entering_device_where_no_check_is_blind(other, play):
    fields = {"play": play, "seat": "N", "entry": garde(play.etui.taker)}
    assert outcome(other.send("blind", **fields)) == ("refused", "not_writing")
    assert not play.entries.exists()


def test_play_of_a_position_that_is_over_is_not_set_aside(session, device, director):
    enter_all(session, by=director, plays=session.plays.filter(position=1))
    Session.objects.filter(pk=session.pk).update(position=2)
    play = session.plays.filter(table=device.table, position=1).first()
    assert outcome(device.send("not_played", play=play)) == ("refused", "position_closed")
    assert not play.rulings.exists()
