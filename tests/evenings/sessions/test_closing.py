"""The closing and reopening of an evening: what the tables' devices may still do, what ends and what stays."""

import datetime as dt
from queue import SimpleQueue

import pytest
from django.utils import timezone

from evenings.plays.entering import correct_result
from evenings.sessions import running
from evenings.sessions.running import close_session, reopen_session
from evenings.tables.devices import let_in, make_code
from tests import shared_evenings
from tests.evenings.tables.phones import Device, command
from tests.factories import enter, enter_all, garde, publish
from tournaments.errors import ActionRefused
from tournaments.laptop_backups import backups
from tournaments.models import ArbiterCall, ArbiterCode, Session

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_tokens


@pytest.fixture
def device(session):
    device = Device(session.tables.get(number=1))
    device.send("join")
    return device


@pytest.fixture
def play(device):
    return device.table.plays.filter(position=1).select_related("etui").first()


@pytest.fixture
def close(session, director):
    return lambda: close_session(session_id=session.pk, by=director, now=timezone.now())


@pytest.fixture
def reopen(session, director):
    return lambda reason="étui oublié": reopen_session(
        session_id=session.pk, reason=reason, by=director, now=timezone.now()
    )


def outcome(receipt):
    return receipt.status, receipt.error.code if receipt.error else ""


def told(session):
    """Return the actions of the log about the end of the evening."""
    ends = session.log.filter(action__in=["session_closed", "session_reopened", "published"])
    return list(ends.order_by("id").values_list("action", flat=True))


CLOSED = ("refused", "session_closed")


@pytest.mark.nightly("story")
def test_tables_enter_nothing_more_until_it_is_open_again(session, device, play, close, reopen):
    other = device.table.plays.exclude(pk=play.pk).first()
    entered = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    device.send_again(entered)
    close()
    again = device.send_again(entered)  # the first receipt was lost on the way
    assert (again.status, again.stored) == ("received", True)
    kept = command("enter", play=other, seat="N", entry=garde(other.etui.taker))
    correction = {"play": play, "seat": "N", "entry": garde(play.etui.taker, points=50), "seen_version": 1}
    sent = [
        device.send_again(kept),
        device.send("correct", **correction),
        device.send("check", play=play, seat="S", version=1, agrees=True),
        device.send("check", play=play, seat="S", version=1, agrees=False),
        device.send("not_played", play=other),
        device.send("start", play=other),
        device.send("call", play=other),
    ]
    assert [outcome(receipt) for receipt in sent] == [CLOSED] * len(sent)
    assert list(play.entries.values_list("version", "contested")) == [(1, False)]
    assert device.state()["session"]["closed"]
    reopen()
    assert not device.state()["session"]["closed"]
    assert device.send_again(kept).status == "received"


def test_whoever_comes_after_the_end_still_joins(device, close):
    close()
    late = Device(device.table, "phone-two")
    assert late.send("join").status == "received"
    assert late.state()["device"]["known"]


def test_clock_calls_and_the_arbiters_codes_end_with_it(session, director, device, close):
    now = timezone.now()
    running.call_position(session_id=session.pk, position=1, by=director, now=now)
    device.send("call")
    code = make_code(table=device.table, by=director, now=now)
    close()
    session.refresh_from_db()
    assert (session.clock_ends_at, session.clock_left, session.position) == (None, None, 1)
    assert not ArbiterCall.objects.filter(answered_at=None).exists()
    assert not ArbiterCode.objects.filter(ended_at=None).exists()
    assert let_in(table=device.table, code=code.code, now=now).grant == ""
    with pytest.raises(ActionRefused, match="over and closed"):
        make_code(table=device.table, by=director, now=now)


def test_no_position_is_called_any_more(session, director, close):
    close()
    asked = {"session_id": session.pk, "by": director, "now": timezone.now()}
    for service, what in (
        (running.call_position, {"position": 1}),
        (running.take_back_call, {"position": 0}),
        (running.move_clock, {"minutes": 5, "seen": ""}),
        (running.stop_clock, {}),
        (running.last_call, {"position": 1}),
    ):
        with pytest.raises(ActionRefused) as refused:
            service(**asked, **what)
        assert refused.value.code == "session_closed"


def test_director_corrects_and_enters_all_the_same(session, director, play, close):
    close()
    enter(play, garde(play.etui.taker), by=director)
    about = {"play_id": play.pk, "seen_version": 1, "reason": "relu", "by": director, "now": timezone.now()}
    assert correct_result(entry=garde(play.etui.taker, points=50), **about).version == 2


def test_closing_and_reopening_twice_change_nothing_the_second_time(session, close, reopen):
    first = close().closed_at
    assert close().closed_at == first
    reopen()
    reopen("encore")
    assert told(session) == ["session_closed", "session_reopened"]
    line = session.log.get(action="session_reopened")
    assert (line.params["reason"], line.author.username) == ("étui oublié", "directrice")


def test_laptop_is_asked_for_a_backup_once_the_closing_is_committed(
    close, django_capture_on_commit_callbacks, monkeypatch
):
    monkeypatch.setattr(backups, "hears", True)
    monkeypatch.setattr(backups, "asked", SimpleQueue())
    with django_capture_on_commit_callbacks() as called:
        close()
    assert backups.asked.empty()
    for each in called:
        each()
    assert backups.asked.get_nowait() is None
    assert backups.asked.empty()


def test_reopening_wants_a_reason(close, reopen):
    close()
    with pytest.raises(ActionRefused) as refused:
        reopen("  ")
    assert (refused.value.code, refused.value.field) == ("reason_missing", "reason")


def test_draft_is_not_closed(session, director):
    Session.objects.filter(pk=session.pk).update(status="draft", started_at=None)
    with pytest.raises(ActionRefused) as refused:
        close_session(session_id=session.pk, by=director, now=timezone.now())
    assert refused.value.code == "session_not_started"


def test_publication_with_nothing_awaited_closes_and_one_that_lacks_results_not(session, director, play):
    enter_all(session, by=director, plays=session.plays.exclude(pk=play.pk))
    publish(session, by=director, allow_missing=True)
    session.refresh_from_db()
    assert session.closed_at is None
    enter(play, by=director)
    before = timezone.now()
    publish(session, by=director)
    session.refresh_from_db()
    assert session.closed_at >= before
    assert told(session) == ["published", "published", "session_closed"]


def test_reopening_leaves_what_is_published(session, director, reopen):
    enter_all(session, by=director)
    publication = publish(session, by=director)
    reopen()
    kept = session.publications.get()
    assert (kept.digest, kept.version) == (publication.digest, 1)


def test_laptop_that_slept_closes_at_the_hour_it_is_told(session, director):
    late = timezone.now() + dt.timedelta(hours=9)
    running.call_position(session_id=session.pk, position=1, by=director, now=timezone.now())
    assert close_session(session_id=session.pk, by=director, now=late).closed_at == late
