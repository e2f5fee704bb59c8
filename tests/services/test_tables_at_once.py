"""Two connections at once for one table, on PostgreSQL: the rows end as if one had waited for the other."""

import threading

import pytest
from django.db import transaction
from django.utils import timezone

from evenings.plans.starting import unstart_session
from evenings.plays.entering import raise_results_version
from tests.evenings.tables.phones import Device, command, tokens_of
from tests.factories import garde, started_session
from tests.services.test_standings_jobs import blocked_writers, in_threads
from tests.services.waiting import PATIENCE, wait_until
from tournaments.errors import ActionRefused
from tournaments.locks import lock_play
from tournaments.models import ArbiterCall, EntryCheck, Session, Table, TableDevice, TableToken

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


@pytest.fixture
def session():
    session = started_session()
    tokens_of(session)
    return session


@pytest.fixture
def devices(session):
    """Return two devices of table 1. The first one writes."""
    devices = [Device(session.tables.get(number=1), name) for name in ("phone-one", "phone-two")]
    for device in devices:
        device.send("join")
    return devices


@pytest.fixture
def play(session):
    return session.plays.select_related("etui").filter(table__number=1).first()


def entering(play, **fields):
    return command("enter", play=play, seat="N", entry=garde(play.etui.taker, **fields))


def test_same_key_twice_at_once_is_one_entry_and_one_receipt(session, devices, play):
    sent, before = entering(play), Session.objects.get(pk=session.pk).results_version
    first, second = in_threads([lambda: devices[0].send_again(sent)] * 2)
    assert first == second
    assert first.status == "received"
    assert play.entries.count() == 1
    assert Session.objects.get(pk=session.pk).results_version == before + 1


@pytest.mark.parametrize(
    ("points", "statuses", "rows", "checks"),
    [(49, ["received", "received"], 1, 1), (50, ["conflict", "received"], 2, 0)],
)
def test_two_devices_with_a_result_each_at_once(devices, play, points, statuses, rows, checks):
    """Check that the same result from the other side is a check, and that a different one is kept beside it."""
    for device in devices:
        device.send("take_over")
    other = "S" if play.etui.taker == "N" else play.etui.taker
    receipts = in_threads(
        [
            lambda: devices[0].send_again(entering(play)),
            lambda: devices[1].send_again(entering(play, points=points) | {"seat": other}),
        ]
    )
    assert sorted(receipt.status for receipt in receipts) == statuses
    assert play.entries.filter(current=True).count() == 1
    assert (play.entries.count(), EntryCheck.objects.count()) == (rows, checks)


def test_two_devices_that_join_and_take_over_at_once_leave_one_that_writes(session):
    table = session.tables.get(number=2)
    joining = [Device(table, f"phone-{number:03}") for number in range(4)]
    for kind in ("join", "take_over"):
        outcomes = in_threads([lambda device=device, kind=kind: device.send(kind).status for device in joining])
        assert outcomes == ["received"] * 4
        assert TableDevice.objects.filter(table=table).count() == 4
        assert TableDevice.objects.filter(table=table, writes=True).count() == 1


def test_one_call_for_the_arbiter_is_open_whoever_calls_at_once(devices):
    assert [receipt.status for receipt in in_threads([lambda: devices[0].send("call")] * 3)] == ["received"] * 3
    assert ArbiterCall.objects.count() == 1


def test_call_about_an_etui_whose_result_is_being_stored_waits_for_it(devices, play):
    """Check the order of locks: a call that locked the session before the play would cause a deadlock."""
    held, waited_for = threading.Event(), threading.Event()

    def store():
        with transaction.atomic():
            lock_play(play.pk)
            held.set()
            assert waited_for.wait(PATIENCE)
            raise_results_version(play.session_id)
        return "stored"

    def call():
        assert held.wait(PATIENCE)
        return devices[1].send("call", play=play).status

    def watch():
        wait_until(lambda: blocked_writers("select"), what="the call to wait for the play")
        waited_for.set()
        return "seen"

    assert in_threads([store, call, watch]) == ["stored", "received", "seen"]


def test_codes_made_twice_at_once_are_one_a_table(session):
    TableToken.objects.all().delete()
    first, *others = in_threads([lambda: tokens_of(session)] * 3)
    assert others == [first, first]
    assert TableToken.objects.filter(revoked_at=None).count() == 5


def test_start_taken_back_while_a_table_enters_ends_in_one_refusal(session, devices, play):
    outcomes = in_threads(
        [
            lambda: unstart_session(session_id=session.pk, now=timezone.now()),
            lambda: devices[0].send_again(entering(play)),
        ]
    )
    refused = [
        outcome.code if isinstance(outcome, ActionRefused) else outcome.error.code
        for outcome in outcomes
        if isinstance(outcome, ActionRefused) or getattr(outcome, "error", None)
    ]
    # A table asked for after the start was taken back does not exist, as the code on its card then opens nothing.
    refused += ["table_gone" for outcome in outcomes if isinstance(outcome, Table.DoesNotExist)]
    assert refused in (["play_gone"], ["play_unknown"], ["results_depend_on_start"], ["table_gone"])
