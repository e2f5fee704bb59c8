"""The closing of an evening by two directors at once, and while tables send: each on its own connection."""

import pytest
from django.utils import timezone

from evenings.sessions.running import close_session, reopen_session
from tests.evenings.tables.phones import Device, command, tokens_of
from tests.factories import garde, make_director, started_session
from tests.services.test_standings_jobs import in_threads
from tournaments.models import ResultEntry, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


@pytest.fixture
def session():
    session = started_session(positions=2)
    tokens_of(session)
    return session


def test_two_directors_close_and_open_the_evening_once(session):
    directors = [make_director(session.tournament.club, name) for name in ("directrice", "adjointe")]

    def close(director):
        return lambda: close_session(session_id=session.pk, by=director, now=timezone.now()).closed_at

    def reopen(director):
        return lambda: reopen_session(session_id=session.pk, reason="oubli", by=director, now=timezone.now()).closed_at

    assert len(set(in_threads([close(director) for director in directors * 2]))) == 1
    assert set(in_threads([reopen(director) for director in directors * 2])) == {None}
    told = session.log.filter(action__in=["session_closed", "session_reopened"]).order_by("id")
    assert list(told.values_list("action", flat=True)) == ["session_closed", "session_reopened"]


def test_what_a_table_sends_meanwhile_is_stored_before_or_refused_after(session):
    director = make_director(session.tournament.club)
    plays = list(session.plays.filter(position=1).select_related("table", "etui"))
    devices = [Device(play.table) for play in plays]
    for device in devices:
        device.send("join")

    def enter(device, play):
        sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
        return lambda: device.send_again(sent)

    def close():
        return close_session(session_id=session.pk, by=director, now=timezone.now())

    sending = [enter(device, play) for device, play in zip(devices, plays, strict=True)]
    receipts = in_threads([*sending[:2], close, *sending[2:]])
    receipts.remove(next(each for each in receipts if isinstance(each, Session)))
    outcomes = {(receipt.status, receipt.error.code if receipt.error else "") for receipt in receipts}
    assert outcomes <= {("received", ""), ("refused", "session_closed")}
    stored = sum(receipt.status == "received" for receipt in receipts)
    assert ResultEntry.objects.count() == stored
    closed_at = Session.objects.get(pk=session.pk).closed_at
    assert all(receipt.status == "received" for receipt in receipts) or closed_at is not None
