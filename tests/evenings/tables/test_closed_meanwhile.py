"""An evening that is closed on another connection after a command has read its table, and before it locks it."""

import pytest
from django.utils import timezone

from evenings.sessions.running import close_session
from evenings.tables.commands import receive
from tests import shared_evenings
from tests.evenings.tables.phones import Device, command
from tests.factories import garde, make_director
from tests.services.test_standings_jobs import in_threads
from tournaments.models import ArbiterCall, EntryCheck, LogEntry, Play, ResultEntry, Ruling, Session, TableDevice

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("story")]


session = shared_evenings.started_with_tokens


@pytest.fixture
def devices(session):
    """Return two devices of table 1, of which the first one writes."""
    devices = [Device(session.tables.get(number=1), name) for name in ("phone-one", "phone-two")]
    for device in devices:
        device.send("join")
    return devices


def read_before(device):
    """Return the table as a request reads it, with all that a command looks at."""
    here = device.here()
    assert here.plays
    assert here.devices
    return here


def close_elsewhere(session):
    director = make_director(session.tournament.club)
    (closed,) = in_threads(
        [lambda: close_session(session_id=session.pk, by=director, now=timezone.now()).closed_at is not None]
    )
    assert closed is True


def send_late(device, sent, session):
    """Send each command with a table that was read before the evening was closed; return how each one ended."""
    read = {kind: read_before(device) for kind in sent}
    close_elsewhere(session)
    receipts = {kind: receive(read[kind], device.name, sent[kind], timezone.now()) for kind in sent}
    return {kind: (receipt.status, receipt.error and receipt.error.code) for kind, receipt in receipts.items()}


def count_all():
    rows = [model.objects.count() for model in (ResultEntry, EntryCheck, Ruling, ArbiterCall)]
    return rows, Play.objects.exclude(started_at=None).count(), LogEntry.objects.count()


def test_no_command_writes_results_or_calls_in_an_evening_that_was_closed_meanwhile(session, devices):
    device = devices[0]
    open_play, entered = session.plays.select_related("etui").filter(table__number=1, position=1).order_by("pk")
    put_off = session.plays.filter(table__number=1, position=2).first()
    entry = {"play": open_play, "seat": "N", "entry": garde(open_play.etui.taker)}
    device.send("enter", play=entered, seat="N", entry=garde(entered.etui.taker))
    assert device.send("not_played", play=put_off).status == "received"
    corrected = {"play": entered, "seat": "N", "entry": garde(entered.etui.taker, points=50), "seen_version": 1}
    sent = {
        "start": command("start", play=open_play),
        "enter": command("enter", **entry),
        "blind": command("blind", **entry),
        "correct": command("correct", **corrected),
        "check": command("check", play=entered, seat="S", version=1, agrees=False),
        "not_played": command("not_played", play=open_play),
        "undo_not_played": command("undo_not_played", play=put_off),
        "call": command("call", play=open_play),
    }
    before = count_all()
    assert send_late(device, sent, session) == dict.fromkeys(sent, ("refused", "session_closed"))
    rows, started, lines = count_all()
    assert (rows, started, lines) == (*before[:2], before[2] + 1)  # the log has one line more, for the closing


def test_calls_of_no_play_are_refused_too_and_devices_go_on(session, devices):
    sent = {"call": command("call")}
    assert send_late(devices[1], sent, session) == {"call": ("refused", "session_closed")}
    assert devices[1].send("take_over").status == "received"
    assert TableDevice.objects.get(device=devices[1].name).writes
    assert devices[1].send("uncall").status == "received"
    assert devices[1].send("leave").status == "received"
    assert Session.objects.get(pk=session.pk).closed_at is not None


def test_device_that_lost_the_writing_meanwhile_puts_no_play_off(session, devices):
    play = session.plays.filter(table__number=1, position=1).first()
    read = read_before(devices[0])
    in_threads([lambda: devices[1].send("take_over")])
    receipt = receive(read, devices[0].name, command("not_played", play=play), timezone.now())
    assert (receipt.status, receipt.error.code) == ("refused", "not_writing")
    assert Ruling.objects.count() == 0
