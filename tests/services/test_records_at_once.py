"""Two connections at once that record the cards of one play, on PostgreSQL: one record counts, and none is lost."""

import pytest
from django.utils import timezone

from tests import evenings
from tests.factories import enter
from tests.services.test_standings_jobs import in_threads
from tests.tournaments.records.played import first_cards, lead, play_etui
from tests.tournaments.tables.phones import Device, command
from tournaments.errors import Conflict
from tournaments.models import Session
from tournaments.records.storing import store_record

pytestmark = pytest.mark.django_db(transaction=True)


session = evenings.started_with_cards


director = evenings.director_of_session


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
