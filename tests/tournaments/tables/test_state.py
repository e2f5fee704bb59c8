"""The values of a table's state that other tests do not read: the stops, the last call, the publication."""

import pytest

from tests import evenings
from tests.factories import enter_all, publish
from tests.tournaments.tables.phones import Device, tokens_of
from tournaments.models import Session

pytestmark = pytest.mark.django_db


session = evenings.started_with_two_positions


@pytest.fixture
def table(session):
    tokens_of(session)
    return session.tables.get(number=1)


@pytest.fixture
def device(table):
    device = Device(table)
    device.send("join")
    return device


def raise_revision(session):
    row = Session.objects.get(pk=session.pk)
    Session.objects.filter(pk=session.pk).update(revision=row.revision + 1)


def test_each_position_is_a_stop_even_if_the_table_does_not_play_in_it(session, table, device):
    table.plays.filter(position=1).delete()
    raise_revision(session)
    state = device.state()
    stops = [(stop["position"], stop["rest"], len(stop["plays"]) > 0, "unseated" in stop) for stop in state["stops"]]
    assert stops == [(1, True, False, False), (2, False, True, False)]


def test_last_call_is_that_of_the_position_played_here(table, device):
    assert device.state()["last_call"] is False
    table.last_call = 1
    table.save()
    assert device.state()["last_call"] is True


def test_state_tells_who_else_has_joined(table, device):
    def known(device):
        told = device.state()["device"]
        return told["known"], told["others"], told["label"]

    other = Device(table, "phone-two")
    assert known(device) == (True, 0, "Table 1 · 1")
    assert known(other) == (False, 1, "")
    other.send("join")
    assert (known(device), known(other)) == ((True, 1, "Table 1 · 1"), (True, 1, "Table 1 · 2"))


def test_open_call_is_known_by_the_first_letters_of_its_key(device):
    assert device.state()["called"] is None
    receipt = device.send("call")
    assert device.state()["called"] == receipt.key[:8]


def test_state_tells_whether_the_ranking_is_published(session, director, device):
    enter_all(session, by=director)
    assert device.state()["session"]["published"] is False
    publish(session, by=director)
    assert device.state()["session"]["published"] is True
