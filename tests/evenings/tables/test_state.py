"""The values of a table's state that other tests do not read: the stops, the last call, the publication."""

import datetime as dt

import pytest

from evenings.plays.common import Common, SessionOutcome
from evenings.tables import state
from tests import shared_evenings
from tests.evenings.plays.test_checks import row
from tests.evenings.plays.test_table_plays import play_of
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import enter_all, publish
from tournaments.models import Session

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 20, 23, 30, tzinfo=dt.UTC)


session = shared_evenings.started_with_two_positions


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
    told = device.state()
    stops = [(stop["position"], stop["rest"], len(stop["plays"]) > 0, "unseated" in stop) for stop in told["stops"]]
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


@pytest.mark.nightly("story")
def test_state_tells_whether_the_ranking_is_published(session, director, device):
    enter_all(session, by=director)
    assert device.state()["session"]["published"] is False
    publish(session, by=director)
    assert device.state()["session"]["published"] is True


def test_only_a_session_without_etuis_says_that_its_tables_deal(device):
    assert "free_deals" not in device.state()["session"]


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize(
    ("closed", "published", "unseated", "called", "over"),
    [
        (None, False, 0, 0, False),
        (NOW, False, 0, 0, True),
        (NOW, True, 3, 1, True),
        (None, True, 3, 0, False),
        (None, True, 3, 3, False),
        (None, True, 0, 0, True),
        (None, True, 0, 3, True),
        (None, True, 0, 1, None),  # whether its plays are complete decides
        (None, True, 0, 2, None),
    ],
)
def test_evening_is_over_at_a_table(monkeypatch, complete, closed, published, unseated, called, over):
    """Let three positions be played. Where the director calls them, a publication before the last ends nothing."""
    common = Common({}, {}, {}, {}, SessionOutcome(1, "official", {}, "rank_general") if published else None)
    monkeypatch.setattr(state, "common_of", lambda session: common)
    monkeypatch.setattr(state, "count_unseated", lambda session: unseated)
    session = Session(position=called, positions=3, closed_at=closed)
    plays = [play_of(row())] if complete else [play_of()]
    assert state.is_over(session, plays) is (complete if over is None else over)
