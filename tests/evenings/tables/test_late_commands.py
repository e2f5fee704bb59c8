"""The commands that come late: the plan, the result or the position has changed since they were typed."""

import datetime as dt

import pytest
from django.utils import timezone

from evenings.sessions.running import reopen_session
from tests import shared_evenings
from tests.evenings.tables.phones import Device, command, tokens_of
from tests.factories import enter_all, garde, make_director, publish
from tournaments.models import EntryCheck, LogEntry, Play, ResultEntry, Session, TableDevice

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_two_positions_of_two_etuis


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


def outcome(receipt):
    return receipt.status, receipt.error.code if receipt.error else ""


def rows(play):
    return list(play.entries.order_by("version").values_list("version", "current", "contested"))


def test_what_was_typed_for_a_play_that_was_laid_out_anew_counts_for_its_etui(session, device, play):
    """Check it whichever play has the old id by now: an older backup may have given it to a play of another table."""
    number, position, etui = play.pk, play.position, play.etui
    seats = {f"{seat}_id": getattr(play, f"{seat}_id") for seat in ("north", "east", "south", "west")}
    play.delete()
    entry = {"play": number, "seat": "N", "entry": garde(etui.taker), "position": position, "etui": etui.number}
    assert outcome(device.send("enter", **entry)) == ("refused", "play_unknown")
    anew = session.plays.create(position=position, table=device.table, etui=etui, **seats)
    assert device.send("enter", **entry).status == "received"
    assert rows(anew) == [(1, True, False)]
    elsewhere = session.plays.exclude(table=device.table).first()
    assert device.send("enter", **entry | {"play": elsewhere.pk}).number == anew.entries.get().pk
    assert rows(elsewhere) == []


def test_receipt_that_comes_late_names_the_version_it_is_about(device, play):
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    device.send_again(sent)
    device.send("correct", play=play, seat="N", entry=garde(play.etui.taker, points=50), seen_version=1)
    assert device.send_again(sent).version == 1


@pytest.mark.nightly("process")
def test_correction_of_a_session_open_again_is_kept_for_the_director(session, device, play):
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.exclude(pk=play.pk))
    assert not device.state()["stops"][-1]["closed"]
    publish(session, by=director)
    assert [stop["closed"] for stop in device.state()["stops"]] == [True, True]
    last = session.plays.filter(table=device.table).order_by("-position").first()
    late = {"play": last, "seat": "N", "entry": garde(last.etui.taker, points=80), "seen_version": 1}
    assert outcome(device.send("correct", **late)) == ("refused", "session_closed")
    reopen_session(session_id=session.pk, reason="étui oublié", by=director, now=timezone.now())
    assert outcome(device.send("correct", **late)) == ("conflict", "kept_contested")


@pytest.mark.parametrize("said", [{}, {"petit_au_bout": "defence"}], ids=["without", "with"])
def test_queued_result_without_the_petit_means_that_nobody_has_it(device, play, said):
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    del sent["entry"]["petit_au_bout"]
    sent["entry"] |= said
    assert outcome(device.send_again(sent)) == ("received", "")
    stored = play.entries.get()
    assert stored.petit_au_bout == said.get("petit_au_bout", "none")
    (shown,) = [each for each in device.state()["stops"][0]["plays"] if each["id"] == play.pk]
    assert shown["entry"]["petit_au_bout"] == stored.petit_au_bout, "a correction begins with what is stored"


# Lost phones, lost rows


@pytest.mark.parametrize(
    ("check_by", "seat", "agrees"),
    [("same", "N", 1), ("other", "N", 1), ("none", "N", 1), ("blind", "N", 0), ("blind", "taker", 1)],
)
def test_same_result_from_the_phone_that_replaced_a_lost_one_agrees(session, device, play, check_by, seat, agrees):
    """Check each seat at which it may be typed. In a blind check it counts as the other side."""
    Session.objects.update(check_by=check_by)
    taker = play.etui.taker
    device.send("enter", play=play, seat=next(line for line in "NS" if line != taker), entry=garde(taker))
    second = Device(device.table, "phone-two")
    second.send("take_over")
    again = command("enter", play=play, seat=taker if seat == "taker" else seat, entry=garde(taker))
    if (check_by, seat, taker) == ("blind", "N", "N"):
        again["seat"] = "S"
    assert [second.send_again(again).status for _ in range(2)] == ["received"] * 2
    assert (rows(play), EntryCheck.objects.count()) == ([(1, True, False)], agrees)


def test_same_result_twice_from_one_phone_agrees_with_nothing(device, play):
    for _ in range(2):
        device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    assert not EntryCheck.objects.exists()


def test_results_that_a_backup_has_lost_are_taken_again_from_whoever_has_the_receipt(session, table, device, play):
    """Check a lost row and a lost device, while another device writes and another play has the old id."""
    stop = {"position": play.position, "etui": play.etui.number}
    entered = command("enter", play=play, seat="N", entry=garde(play.etui.taker), **stop)
    corrected = command("correct", play=play, seat="N", entry=garde(play.etui.taker, points=50), seen_version=1, **stop)
    first = [device.send_again(sent) for sent in (entered, corrected)]
    assert [(receipt.version, receipt.stored) for receipt in first] == [(1, True), (2, True)]
    told = device.play(play.pk)
    assert told["keys"] == [entered["key"][:8], corrected["key"][:8]]
    ResultEntry.objects.all().delete()
    LogEntry.objects.all().delete()
    TableDevice.objects.all().delete()
    Device(table, "phone-two").send("join")
    other = table.plays.filter(position=1).exclude(pk=play.pk).get()
    lost = [sent | {"again": True, "play": other.pk} for sent in (entered, corrected)]
    for _ in range(2):
        assert [device.send_again(sent).status for sent in lost] == ["received"] * 2
        assert (rows(play), rows(other)) == ([(1, False, False), (2, True, False)], [])
    assert device.play(play.pk)["keys"] == told["keys"]


def test_start_that_a_backup_has_lost_is_as_old_as_its_receipt_said(device, play):
    """Check that it is never in the future, and that a start sent for the first time begins now."""
    earlier = timezone.now() - dt.timedelta(minutes=7)
    ahead = timezone.now() + dt.timedelta(hours=1)
    for at, again, as_old in ((earlier, True, earlier), (ahead, True, None), (earlier, False, None)):
        Play.objects.filter(pk=play.pk).update(started_at=None)
        before = timezone.now()
        device.send("start", play=play, at=at.isoformat(), again=again)
        play.refresh_from_db()
        assert play.started_at == as_old or (as_old is None and before <= play.started_at <= timezone.now())


def test_correction_whose_entry_is_lost_for_good_is_an_entry(device, play):
    sent = command("correct", play=play, seat="N", entry=garde(play.etui.taker), seen_version=1)
    assert device.send_again(sent | {"again": True}).status == "received"
    assert rows(play) == [(1, True, False)]


def test_call_or_check_under_a_key_that_is_anothers_is_refused(session, device, play):
    """Check the refusal: without an answer the phone would ask for ever."""
    tokens_of(session)
    elsewhere = Device(session.tables.get(number=2), "phone-two")
    call = command("call")
    elsewhere.send_again(call)
    assert outcome(device.send_again(call)) == ("refused", "key_used")
    taker, other = (
        play.etui.taker,
        device.table.plays.filter(position=1).exclude(pk=play.pk).select_related("etui").get(),
    )
    for one in (play, other):
        device.send("enter", play=one, seat="", entry=garde(one.etui.taker))
    check = command("check", play=play, version=1, seat=taker, agrees=True)
    device.send_again(check)
    assert outcome(device.send_again(check | {"play": other.pk})) == ("refused", "key_used")
