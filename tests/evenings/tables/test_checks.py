"""The check of a result by the other side: on the same device, on another one, or blind."""

import pytest

from scoring.ranking import Line
from tests import shared_evenings
from tests.evenings.tables.phones import Device, command, tokens_of
from tests.evenings.tables.test_commands import at, other_line, outcome
from tests.factories import garde, started_session
from tournaments.models import EntryCheck, ResultEntry, Session

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(positions=2, etuis_per_position=2).pk


@pytest.fixture
def table(session):
    tokens_of(session)
    return session.tables.get(number=1)


@pytest.fixture
def device(table):
    device = Device(table)
    device.send("join")
    return device


play = shared_evenings.first_play_of_table


def test_other_side_confirms_once(device, play):
    taker = play.etui.taker
    device.send("enter", play=play, seat=other_line(taker), entry=garde(taker))
    sent = command("check", play=play, version=1, seat=taker, agrees=True)
    assert device.send_again(sent) == device.send_again(sent)
    assert list(EntryCheck.objects.values_list("agrees", "seat")) == [(True, taker)]
    assert device.play(play.pk)["state"] == "confirmed"


def test_other_side_disputes_and_then_agrees(session, device, play):
    taker = play.etui.taker
    device.send("enter", play=play, seat=other_line(taker), entry=garde(taker))
    device.send("check", play=play, version=1, seat=taker, agrees=False)
    assert device.play(play.pk)["state"] == "disputed"
    device.send("check", play=play, version=1, seat=taker, agrees=True)
    assert device.play(play.pk)["state"] == "confirmed"
    assert [entry.action for entry in session.log.filter(action__in=["disputed", "confirmed"])] == [
        "confirmed",
        "disputed",
    ]


def test_check_by_the_same_side_the_wrong_device_or_of_another_version_is_none(session, device, play):
    taker = play.etui.taker
    first, second = [line.value for line in Line if line != taker][:2]
    assert outcome(device.send("check", play=play, version=1, seat=taker, agrees=True)) == (
        "refused",
        "nothing_to_check",
    )
    device.send("enter", play=play, seat=first, entry=garde(taker))
    told = [
        device.send("check", play=play, version=1, seat=second, agrees=True),
        device.send("check", play=play, version=2, seat=taker, agrees=True),
    ]
    ResultEntry.objects.update(check_by=Session.Check.OTHER)
    told.append(device.send("check", play=play, version=1, seat=taker, agrees=True))
    ResultEntry.objects.update(check_by=Session.Check.BLIND)
    told.append(device.send("check", play=play, version=1, seat=taker, agrees=True))
    assert [outcome(receipt) for receipt in told] == [
        ("refused", "check_other_side"),
        ("conflict", "corrected_meanwhile"),
        ("refused", "check_other_device"),
        ("refused", "check_blind"),
    ]
    assert not EntryCheck.objects.exists()
    ResultEntry.objects.update(check_by=Session.Check.OTHER)
    assert Device(device.table, "phone-two").send("check", play=play, version=1, seat=taker, agrees=True).error is None


def test_check_of_a_result_that_is_gone_is_not_one_of_another_with_its_version(device, play):
    """Let the site lose a result after its check was sent, and another phone enter another one."""
    taker = play.etui.taker
    device.send("enter", play=play, seat=other_line(taker), entry=garde(taker, points=50))
    told = [
        device.send("check", play=play, version=1, seat=taker, agrees=agrees, entry=garde(taker))
        for agrees in (True, False)
    ]
    assert [outcome(receipt) for receipt in told] == [("conflict", "corrected_meanwhile")] * 2
    assert device.play(play.pk)["state"] == "entered"
    seen = device.play(play.pk)["entry"]
    sent = command("check", play=play, version=1, seat=taker, agrees=True) | {"entry": seen}
    assert device.send_again(sent).error is None
    assert device.play(play.pk)["state"] == "confirmed"


def test_blind_second_entry_confirms_when_equal_whichever_comes_first(session, device, play):
    at(session, check_by=Session.Check.BLIND)
    taker, second = play.etui.taker, Device(device.table, "phone-two")
    assert second.send("blind", play=play, seat=taker, entry=garde(taker)).status == "received"
    assert device.play(play.pk)["entry"] is None  # the other device has not entered the result yet
    assert second.play(play.pk)["entry"] is not None
    sent = command("enter", play=play, seat=other_line(taker), entry=garde(taker))
    assert device.send_again(sent).number == device.send_again(sent).number == play.entries.get().pk
    assert device.play(play.pk)["state"] == "confirmed"
    assert EntryCheck.objects.count() == 1


def test_blind_second_entry_contests_when_different(session, device, play):
    at(session, check_by=Session.Check.BLIND)
    taker, second = play.etui.taker, Device(device.table, "phone-two")
    device.send("enter", play=play, seat=other_line(taker), entry=garde(taker))
    assert outcome(second.send("blind", play=play, seat=other_line(taker), entry=garde(taker))) == (
        "refused",
        "check_other_side",
    )
    assert second.send("blind", play=play, seat=taker, entry=garde(taker, points=50)).status == "conflict"
    assert device.play(play.pk)["state"] == "disputed"
