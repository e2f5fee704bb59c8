"""Two connections at once that record the cards of one play, on PostgreSQL: one record counts, and none is lost."""

import threading

import pytest
from django.db import transaction
from django.utils import timezone

from evenings.records import store_record
from tests import shared_evenings
from tests.evenings.records.played import first_cards, lead, play_etui
from tests.evenings.tables.phones import Device, command
from tests.factories import enter
from tests.services.test_standings_jobs import blocked_writers, in_threads
from tests.services.waiting import PATIENCE, wait_until
from tournaments.errors import Conflict
from tournaments.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


session = shared_evenings.started_with_cards


director = shared_evenings.director_of_session


@pytest.fixture
def play(session):
    return session.plays.select_related("etui", "table").filter(table__number=1).first()


@pytest.fixture
def played(play, director):
    record, entry = play_etui(play.etui)
    enter(play, entry, by=director)
    return record


@pytest.fixture
def devices(play):
    devices = [Device(play.table, name) for name in ("phone-one", "phone-two")]
    for device in devices:
        device.send("take_over")
    return devices


def recording(play, data):
    return command("record", play=play, position=play.position, etui=play.etui.number, record=data)


def counting(play):
    return list(play.records.filter(current=True).values_list("text", flat=True))


def test_two_recorders_at_once_make_two_versions_of_which_one_counts(devices, play, played):
    sent = [recording(play, {"tricks": [[card]]}) for card in ("2", "3")]
    receipts = in_threads([lambda at=at: devices[at].send_again(sent[at]) for at in (0, 1)])
    assert sorted(receipt.status for receipt in receipts) == ["conflict", "received"]
    assert sorted(play.records.values_list("version", flat=True)) == [1, 2]
    assert len(counting(play)) == 1


def test_same_key_twice_at_once_is_one_record(session, devices, play, played):
    sent = recording(play, lead(played))
    first, second = in_threads([lambda: devices[0].send_again(sent)] * 2)
    assert first == second
    assert first.status == "received"
    assert play.records.count() == 1
    assert Session.objects.get(pk=session.pk).records_version > 0


def test_two_accounts_at_once_cannot_both_be_first(director, play, played):
    def store(count):
        try:
            store_record(
                play_id=play.pk,
                compose=lambda _head: first_cards(played, count),
                by=director,
                now=timezone.now(),
            )
        except Conflict as conflict:
            return conflict.code
        return "stored"

    outcomes = in_threads([lambda: store(1), lambda: store(5)])
    assert sorted(outcomes) == ["recorded_meanwhile", "stored"]
    assert play.records.count() == len(counting(play)) == 1


def test_table_waits_for_the_record_that_a_director_stores(director, devices, play, played):
    """Check that the second recorder sees the first record, however late the first one commits."""
    held, waited_for = threading.Event(), threading.Event()

    def store():
        with transaction.atomic():
            lead_alone = first_cards(played, 1)
            store_record(play_id=play.pk, compose=lambda _head: lead_alone, by=director, now=timezone.now())
            held.set()
            assert waited_for.wait(PATIENCE)
        return "stored"

    def record():
        assert held.wait(PATIENCE)
        return devices[0].send_again(recording(play, {"tricks": [["2"]]})).status

    def watch():
        assert held.wait(PATIENCE)
        wait_until(lambda: blocked_writers("select"), what="the table to wait for the play")
        waited_for.set()
        return "seen"

    assert in_threads([store, record, watch]) == ["stored", "conflict", "seen"]
    assert [(row.version, row.current) for row in play.records.order_by("version")] == [(1, True), (2, False)]
