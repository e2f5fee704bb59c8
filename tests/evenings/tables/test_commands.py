"""The commands of a table's device about its plays: nothing is lost, doubled, or done for another table."""

import datetime as dt
import uuid

import pytest
from django.utils import timezone

from evenings.plays.entering import annul_play, correct_result
from evenings.plays.entries import entry_of
from evenings.tables.devices import SEEN_EVERY
from evenings.tables.state import ON_THE_WAY, glance_of
from scoring.contract import Contract, DealResult, Poignee
from scoring.ranking import Line
from tests import shared_evenings
from tests.evenings.tables.phones import Device, command, tokens_of
from tests.factories import enter, garde, make_director, make_tournament, started_session
from tournaments.models import ArbiterCall, ResultEntry, Session, TableDevice
from tournaments.rules.entry import AllPassed, Facts, Fiche

pytestmark = pytest.mark.django_db
KEY = "5f8d8f6e-6c1b-4f0a-9a53-0a6d5b8f1c11"


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


def at(session, **changes):
    Session.objects.filter(pk=session.pk).update(**changes)


def other_line(line):
    return next(other.value for other in Line if other != line)


def rows(play):
    return list(play.entries.order_by("version").values_list("version", "current", "contested"))


def outcome(receipt):
    return receipt.status, receipt.error.code if receipt.error else ""


# Results


def test_entry_is_stored_with_its_sender_and_its_number_is_in_the_receipt(session, device, play):
    before = Session.objects.get(pk=session.pk).results_version
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    receipt = device.send_again(sent)
    row = play.entries.get()
    assert (receipt.status, receipt.number, receipt.at) == ("received", row.pk, row.entered_at)
    assert (row.author, row.seat, str(row.key), row.current) == (None, "N", sent["key"], True)
    assert row.device == "Table 1 · 1"
    assert row.typed_at.isoformat() == sent["at"]
    assert entry_of(row) == garde(play.etui.taker)
    assert Session.objects.get(pk=session.pk).results_version == before + 1


def test_same_key_again_gives_the_same_receipt_and_changes_nothing(session, device, play):
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    first = device.send_again(sent)
    version = Session.objects.get(pk=session.pk).results_version
    device.send("correct", play=play, seat="N", entry=Fiche(Line(play.etui.taker), 106), seen_version=1)
    assert device.send_again(sent) == first
    assert rows(play) == [(1, False, False), (2, True, False)]
    assert Session.objects.get(pk=session.pk).results_version == version + 1


def test_key_of_another_play_is_refused(device, table, play):
    key = uuid.uuid4()
    other = table.plays.filter(position=1).last()
    device.send("enter", key=key, play=play, seat="N", entry=garde(play.etui.taker))
    receipt = device.send("enter", key=key, play=other, seat="N", entry=garde(other.etui.taker))
    assert outcome(receipt) == ("refused", "key_used")
    assert rows(other) == []


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (lambda taker: garde(other_line(taker)), "taker_not_of_etui"),
        (lambda taker: garde(taker, bouts=0, points=91), "points_too_high"),
        (lambda taker: Facts(Line(taker), DealResult(4, Contract.PRISE, 2, 98)), "contract_not_imposed"),
        (lambda taker: Fiche(Line(taker), 2001), "fiche_range"),
        (lambda taker: AllPassed(), "pass_not_allowed"),
    ],
)
def test_what_arithmetic_or_the_rules_forbid_is_refused(device, play, entry, code):
    receipt = device.send("enter", play=play, seat="N", entry=entry(play.etui.taker))
    assert outcome(receipt) == ("refused", code)
    assert rows(play) == []


def test_unlikely_result_asks_and_is_stored_once_answered(device, play):
    unlikely = Facts(Line(play.etui.taker), DealResult(4, Contract.GARDE, 2, 98, poignees_attack=(Poignee.TRIPLE,)))
    sent = command("enter", play=play, seat="N", entry=unlikely)
    receipt = device.send_again(sent)
    assert (receipt.status, [asked.code for asked in receipt.questions]) == ("question", ["poignee_triple"])
    assert rows(play) == []
    assert device.send_again(sent | {"sure": ["poignee_triple"]}).status == "received"
    assert rows(play) == [(1, True, False)]


@pytest.mark.nightly("process")
def test_free_auction_takes_four_passes():
    session = started_session(make_tournament(auction="free"))
    tokens_of(session)
    device = Device(session.tables.get(number=1))
    play = device.table.plays.first()
    assert device.send("enter", play=play, seat="N", entry=AllPassed()).status == "received"
    assert device.play(play.pk)["score"] == {"base_score": 0, "lines": [], "marks": {"N": 0, "E": 0, "S": 0, "W": 0}}


def test_another_result_than_the_one_there_is_kept_contested_and_raises_nothing(session, device, director, play):
    enter(play, garde(play.etui.taker), by=director)
    version = Session.objects.get(pk=session.pk).results_version
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker, points=50))
    first = device.send_again(sent)
    assert outcome(first) == ("conflict", "kept_contested")
    assert first.number == play.entries.get(version=2).pk
    again = device.send_again(sent)
    assert (outcome(again), again.number, again.at) == (outcome(first), first.number, first.at)
    assert rows(play) == [(1, True, False), (2, False, True)]
    assert device.play(play.pk)["state"] == "disputed"
    assert Session.objects.get(pk=session.pk).results_version == version


@pytest.mark.nightly("process")
def test_directors_last_word_settles_a_contest(device, director, play):
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    second = Device(device.table, "phone-two")
    second.send("take_over")
    second.send("enter", play=play, seat="N", entry=garde(play.etui.taker, points=50))
    assert device.play(play.pk)["state"] == "disputed"
    correct_result(
        play_id=play.pk, entry=garde(play.etui.taker, points=50), reason="fiche relue", seen_version=1, by=director,
        now=timezone.now(),
    )  # fmt: skip
    assert rows(play) == [(1, False, False), (2, False, True), (3, True, False)]
    assert device.play(play.pk)["state"] == "confirmed"


@pytest.mark.nightly("process")
def test_what_was_typed_before_another_device_took_over_is_not_lost(device, table, play):
    """Let the first device type both étuis offline, while a second one takes over and enters another result."""
    other = table.plays.filter(position=1).last()
    second = Device(table, "phone-two")
    second.send("take_over")
    second.send("enter", play=play, seat="N", entry=garde(play.etui.taker, points=50))
    late = [device.send("enter", play=which, seat="N", entry=garde(which.etui.taker)) for which in (play, other)]
    assert [receipt.status for receipt in late] == ["conflict", "received"]
    assert (rows(play), rows(other)) == ([(1, True, False), (2, False, True)], [(1, True, False)])


def test_commands_in_any_order_end_in_the_same_rows(table, play):
    """Check an entry that arrives before the device has joined."""
    device = Device(table)
    assert device.send("enter", play=play, seat="N", entry=garde(play.etui.taker)).status == "received"
    assert device.send("join").status == "received"
    assert device.send("start", play=play).status == "received"
    assert rows(play) == [(1, True, False)]
    assert TableDevice.objects.get().writes


def test_first_start_of_an_etui_counts(device, play):
    device.send("start", play=play)
    play.refresh_from_db()
    first = play.started_at
    device.send("start", play=play)
    play.refresh_from_db()
    assert play.started_at == first
    assert device.play(play.pk)["state"] == "started"


def test_no_etui_is_begun_after_the_last_call(table, device, play):
    table.last_call = 1
    table.save()
    assert outcome(device.send("start", play=play)) == ("refused", "last_call")
    assert device.send("enter", play=play, seat="N", entry=garde(play.etui.taker)).status == "received"


@pytest.mark.nightly("process")
def test_table_corrects_itself_until_its_position_is_closed(session, device, director, play):
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    at(session, position=2)
    correction = {"play": play, "seat": "N", "entry": garde(play.etui.taker, points=50)}
    # the position still waits for the other étui
    assert device.send("correct", **correction, seen_version=1).status == "received"
    for left in device.table.plays.filter(position=1).exclude(pk=play.pk):
        enter(left, by=director)
    late = device.send("correct", play=play, seat="N", entry=garde(play.etui.taker), seen_version=2)
    assert outcome(late) == ("conflict", "kept_contested")
    assert rows(play) == [(1, False, False), (2, True, False), (3, False, True)]


@pytest.mark.nightly("process")
def test_correction_of_what_the_director_has_corrected_meanwhile_is_kept_contested(device, director, play):
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    correct_result(
        play_id=play.pk, entry=garde(play.etui.taker, points=52), reason="relu", seen_version=1, by=director,
        now=timezone.now(),
    )  # fmt: skip
    late = device.send("correct", play=play, seat="N", entry=garde(play.etui.taker, points=50), seen_version=1)
    assert late.status == "conflict"
    assert rows(play) == [(1, False, False), (2, True, False), (3, False, True)]


def test_correcting_nothing_is_refused(device, play):
    receipt = device.send("correct", play=play, seat="N", entry=garde(play.etui.taker), seen_version=1)
    assert outcome(receipt) == ("refused", "nothing_to_correct")


# Not played; the arbiter


@pytest.mark.nightly("process")
def test_not_played_and_taken_back_each_do_so_once(device, play):
    sent = command("not_played", play=play)
    device.send_again(sent)
    assert device.play(play.pk)["state"] == "not_played"
    device.send("undo_not_played", play=play)
    device.send_again(sent)
    assert device.play(play.pk)["state"] == "todo"
    assert list(play.rulings.values_list("kind", "author")) == [("not_played", None), ("restored", None)]


@pytest.mark.nightly("process")
def test_result_that_comes_after_not_played_counts(device, play):
    device.send("not_played", play=play)
    device.send("enter", play=play, seat="N", entry=garde(play.etui.taker))
    assert device.play(play.pk)["state"] == "entered"
    assert outcome(device.send("not_played", play=play)) == ("refused", "play_has_result")


@pytest.mark.nightly("process")
def test_table_takes_back_no_annulment(device, director, play):
    annul_play(play_id=play.pk, reason="étui altéré", by=director, now=timezone.now())
    device.send("undo_not_played", play=play)
    assert outcome(device.send("not_played", play=play)) == ("refused", "play_annulled")
    assert device.play(play.pk)["state"] == "annulled"


@pytest.mark.nightly("process")
def test_one_call_for_the_arbiter_at_a_time(device, play):
    calls, withdrawn = [command("call", play=play), command("call")], command("uncall")
    for sent in (calls[0], calls[0], calls[1]):
        device.send_again(sent)
    assert list(ArbiterCall.objects.values_list("play", "answered_at")) == [(play.pk, None)]
    device.send_again(withdrawn)
    assert device.state()["call"] is None
    again = command("call")
    for sent in (again, withdrawn, calls[0]):
        device.send_again(sent)
    (call,) = ArbiterCall.objects.filter(answered_at=None)
    assert (str(call.key), call.play) == (again["key"], None)
    assert device.state()["call"] == {"coming": False}


@pytest.mark.nightly("process")
def test_answered_call_is_on_its_way_for_minutes_though_the_clock_falls_back(session, device):
    device.send("call")
    by, at = make_director(session.tournament.club), timezone.now()
    for age, told in ((dt.timedelta(), {"coming": True}), (ON_THE_WAY, None), (-dt.timedelta(hours=1), None)):
        ArbiterCall.objects.update(answered_by=by, answered_at=at - age)
        assert device.state()["call"] == told
        assert glance_of(tokens_of(session)[device.table.number], device.name, now=timezone.now()).coming == bool(told)


def test_device_seen_in_the_future_is_noted_as_seen_now(session, device):
    """Check a device that a clock ahead of time has seen, before the clock was set back."""
    device.send("join")
    token, now = tokens_of(session)[device.table.number], timezone.now()
    ages = (dt.timedelta(), SEEN_EVERY * 2, -dt.timedelta(hours=1))
    for age, unseen in zip(ages, (False, True, True), strict=True):
        TableDevice.objects.update(seen_at=now - age)
        assert glance_of(token, device.name, now=now).unseen == unseen


# Plays of other tables


@pytest.mark.nightly("process")
def test_play_of_another_table_is_unknown_whatever_is_asked(session, device):
    other = session.plays.select_related("etui").exclude(table=device.table).first()
    entry = {"seat": "N", "entry": garde(other.etui.taker)}
    asked = {
        "start": {}, "enter": entry, "blind": entry, "correct": entry | {"seen_version": 1},
        "check": {"version": 1, "seat": "N", "agrees": True}, "not_played": {}, "undo_not_played": {}, "call": {},
    }  # fmt: skip
    told = {kind: outcome(device.send(kind, play=other, **fields)) for kind, fields in asked.items()}
    assert told == dict.fromkeys(asked, ("refused", "play_unknown"))
    other.refresh_from_db()
    assert (rows(other), other.started_at, other.rulings.count()) == ([], None, 0)
    assert not ArbiterCall.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        None, [], {}, {"kind": "enter"}, {"kind": "dance", "key": KEY}, {"kind": ["enter"]},
        {"kind": "join", "key": 7}, {"kind": "start", "key": KEY},
        {"kind": "start", "key": KEY, "play": True},
        {"kind": "start", "key": KEY, "play": 2**70},
        {"kind": "join", "key": KEY, "name": "a\x00b"},
        {"kind": "join", "key": KEY, "name": 3},
    ],
    ids=str,
)  # fmt: skip
def test_command_of_another_shape_is_refused(device, sent):
    assert device.send_again(sent).status == "refused"


@pytest.mark.parametrize(
    "entry",
    [
        None, [], {"kind": "facts"}, {"kind": "facts", "taker": "X"}, {"kind": "fiche", "taker": "N"},
        {"kind": "fiche", "taker": "N", "base_score": 10**30}, {"kind": ["fiche"]},
        {"kind": "facts", "taker": "N", "contract": "garde", "bouts": 2, "half_points": 98.5},
        {"kind": "facts", "taker": "N", "contract": "garde", "bouts": 2, "half_points": 97},
    ],
    ids=str,
)  # fmt: skip
def test_entry_of_another_shape_is_refused(device, play, entry):
    sent = command("enter", play=play, seat="N") | {"entry": entry}
    assert device.send_again(sent).status == "refused"
    assert not ResultEntry.objects.exists()


def test_senders_clock_is_kept_only_where_it_can_be_right(device, play):
    sent = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    device.send_again(sent | {"at": "0001-01-01T00:00:00+14:00"})
    assert play.entries.get().typed_at is None
