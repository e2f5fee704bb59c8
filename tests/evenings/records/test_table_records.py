"""The records that tables send: the opening lead, whole deals, two recorders, bad input."""

import json
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deals.domain.cards import show_card
from evenings.records import store_record
from evenings.sessions.running import call_position, close_session
from scoring.contract import Chelem
from tests import shared_evenings
from tests.evenings.records.played import first_cards, lead, play_etui, told
from tests.evenings.tables.phones import Device, Phone, command, tokens_of
from tests.factories import enter, garde, make_tournament, started_session
from tournaments.models import LogEntry, PlayRecord, Session
from tournaments.rules.entry import AllPassed

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_cards


@pytest.fixture
def allowed(session):
    Session.objects.filter(pk=session.pk).update(whole_records=True)
    session.refresh_from_db()
    return session


play = shared_evenings.first_play_of_first_table


@pytest.fixture
def device(play):
    """Return the device that enters results at the table of the play."""
    device = Device(play.table)
    device.send("join")
    return device


@pytest.fixture
def played(play, device):
    """Return the record of what was played; its result is entered."""
    record, entry = play_etui(play.etui)
    assert send_entry(device, play, entry).status == "received"
    return record


def send_entry(device, play, entry):
    return device.send("enter", **place(play), seat=play.etui.taker, entry=entry, sure=list(SURE))


SURE = ("points_few", "points_many", "petit", "bouts", "attack_bouts", "chelem", "no_bout", "far")


def place(play):
    return {"play": play.pk, "position": play.position, "etui": play.etui.number}


def send(device, play, data, **fields):
    return device.send("record", **place(play), record=data, **fields)


def texts(play):
    return list(play.records.order_by("version").values_list("version", "current", "contested"))


def test_opening_lead_is_always_possible_after_a_result(play, device, played):
    receipt = send(device, play, lead(played))
    row = play.records.get()
    assert (receipt.status, receipt.version, receipt.number, receipt.stored) == ("received", 1, row.pk, True)
    assert (
        row.text
        == f"record 4\ndealer {play.etui.dealer}\ntaker {play.etui.taker} garde\ntrick {show_card(played.cards[0])}\n"
    )
    shown = device.play(play.pk)
    assert shown["record"] == {"holds": "lead", "mine": True, "base_score": None}
    assert str(row.key)[:8] in shown["keys"]


def test_whole_deal_needs_the_setting(play, device, played):
    receipt = send(device, play, told(played))
    assert (receipt.status, receipt.error.code) == ("refused", "record_lead_only")
    assert not PlayRecord.objects.exists()
    for more in (
        {"ecart": told(played)["ecart"]},
        {"claim": "attack"},
        {"tricks": [[*lead(played)["tricks"][0], show_card(played.cards[1])]]},
    ):
        assert send(device, play, lead(played) | more).error.code == "record_lead_only"


def test_whole_deal_is_stored_with_its_score(allowed, play, device, played):
    assert device.state()["session"]["whole_records"] is True
    assert send(device, play, told(played)).status == "received"
    shown = device.play(play.pk)
    assert (shown["record"]["holds"], shown["record"]["base_score"]) == ("whole", shown["score"]["base_score"])


def test_another_score_than_the_entered_one_is_told_and_changes_nothing(allowed, play, device):
    record, entry = play_etui(play.etui)
    other = replace(entry, result=replace(entry.result, half_points=entry.result.half_points - 4))
    assert send_entry(device, play, other).status == "received"
    assert send(device, play, told(record)).status == "received"
    shown = device.play(play.pk)
    assert shown["record"]["base_score"] != shown["score"]["base_score"]
    assert shown["entry"]["half_points"] == other.result.half_points


def test_no_result_yet_means_no_record(play, device):
    record, _entry = play_etui(play.etui)
    assert send(device, play, lead(record)).error.code == "record_before_result"


def test_nothing_to_record_where_everyone_passed():
    session = started_session(make_tournament(auction="free"), cards=True)
    play = session.plays.select_related("etui", "table").first()
    device = Device(play.table)
    device.send("join")
    device.send("enter", **place(play), seat="N", entry=AllPassed(), sure=[])
    assert send(device, play, {"tricks": [["♠R"]]}).error.code == "record_passed"


def test_record_sent_twice_is_stored_once(play, device, played):
    sent = command("record", **place(play), record=lead(played))
    first, second = device.send_again(sent), device.send_again(sent)
    assert (first.number, first.version, first.stored) == (second.number, second.version, second.stored)
    assert texts(play) == [(1, True, False)]


def test_same_cards_again_add_no_version(play, device, played):
    send(device, play, lead(played))
    receipt = send(device, play, lead(played))
    assert (receipt.status, receipt.version, receipt.stored) == ("received", 1, False)
    assert texts(play) == [(1, True, False)]


def test_longer_record_follows_the_lead(allowed, play, device, played):
    send(device, play, lead(played))
    assert send(device, play, told(first_cards(played, 9))).version == 2
    assert send(device, play, told(played)).version == 3
    assert texts(play) == [(1, False, False), (2, False, False), (3, True, False)]


def test_device_corrects_its_own_lead(play, device, played):
    send(device, play, {"tricks": [["♠2"]]})
    assert send(device, play, lead(played)).status == "received"
    assert texts(play) == [(1, False, False), (2, True, False)]


def test_second_recorder_makes_a_version_that_does_not_count(play, device, played):
    send(device, play, lead(played))
    other = Device(play.table, "phone-two")
    other.send("join")
    other.send("take_over")
    receipt = send(other, play, {"tricks": [["♠2" if show_card(played.cards[0]) != "♠2" else "♠3"]]})
    assert (receipt.status, receipt.error.code, receipt.stored) == ("conflict", "record_kept", True)
    assert texts(play) == [(1, True, False), (2, False, True)]
    assert other.play(play.pk)["record"] == {"holds": "lead", "mine": False, "base_score": None}


def test_receipt_is_the_same_whether_or_not_the_cards_fit(play, device, played):
    """Another étui's lead gets the same answer: otherwise a table could find out who has which card."""
    right = send(device, play, lead(played))
    PlayRecord.objects.all().delete()
    held = show_card(next(card for card in range(78) if card not in played.cards[:1]))
    wrong = send(device, play, {"tricks": [[held]]})
    assert (right.status, right.version, right.error) == (wrong.status, wrong.version, wrong.error)


def test_revoke_is_kept(allowed, play, device):
    record, entry = play_etui(play.etui)
    send_entry(device, play, entry)
    # The second player of the first trick takes a card of the last one: a revoke, or a card of another hand.
    cards = list(record.cards)
    cards[1], cards[69] = cards[69], cards[1]
    tricks = [[show_card(card) for card in cards[at : at + 4]] for at in range(0, 72, 4)]
    assert send(device, play, {"tricks": tricks}).status == "received"


def whole(record, change):
    data = told(record)
    change(data)
    return data


BAD = {
    "73 cards": lambda data: data["tricks"].append(["♠R"]),
    "a card twice": lambda data: data["tricks"][3].__setitem__(0, data["tricks"][0][0]),
    "not a card": lambda data: data["tricks"][0].__setitem__(0, "♠Z"),
    "another sign": lambda data: data["tricks"][0].__setitem__(0, "CR"),
    "a number": lambda data: data["tricks"][0].__setitem__(0, 17),
    "no list": lambda data: data.__setitem__("tricks", "♠R"),
    "no card": lambda data: data.__setitem__("tricks", []),
    "an empty trick": lambda data: data["tricks"].insert(0, []),
    "hands": lambda data: data.__setitem__("deal", "N:"),
    "a dealer": lambda data: data.__setitem__("dealer", "N"),
    "a claim at the end": lambda data: data.__setitem__("claim", "attack"),
    "a claim of nobody": lambda data: data.__setitem__("claim", "none"),
    "an écart of five": lambda data: data["ecart"].pop(),
    "a trick of five": lambda data: data["tricks"].append(["♠R"] * 5),
    "ten thousand tricks": lambda data: data.__setitem__("tricks", [["♠R"]] * 10_000),
    "a trick of objects": lambda data: data.__setitem__("tricks", [[{}]]),
    "a line in a card": lambda data: data["tricks"][0].__setitem__(0, "♠R\nclaim attack"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_records_are_refused_with_a_text(allowed, play, device, played, kind):
    receipt = send(device, play, whole(played, BAD[kind]))
    assert receipt.status == "refused"
    assert str(receipt.error)
    assert not PlayRecord.objects.exists()


@pytest.mark.parametrize("value", [None, "♠R", 7, [], {}, [["♠R"]]])
def test_what_is_no_record_is_refused(allowed, play, device, played, value):
    assert send(device, play, value).status == "refused"


def test_play_after_the_claim_is_refused_by_its_length(allowed, play, device, played):
    data = told(first_cards(played, 48)) | {"claim": "attack"}
    assert send(device, play, data).status == "received"  # a claim at trick 12
    assert device.play(play.pk)["record"]["holds"] == "part"


def test_request_of_two_megabytes_is_refused(play, played):
    phone = Phone(tokens_of(play.session)[1])
    sent = command("record", **place(play), record={"tricks": [["♠R" * 1000] * 1000]})
    assert phone.post(sent).status_code == 400


def test_device_that_never_wrote_is_refused(play, device, played):
    other = Device(play.table, "phone-two")
    other.send("join")
    assert send(other, play, lead(played)).error.code == "not_writing"


def test_closed_evening_takes_no_record(session, director, play, device, played):
    close_session(session_id=session.pk, by=director, now=timezone.now())
    assert send(device, play, lead(played)).error.code == "session_closed"


def test_key_of_another_play_is_refused(session, play, device, played):
    sent = command("record", **place(play), record=lead(played))
    device.send_again(sent)
    other = session.plays.select_related("etui").get(table=play.table, position=2)
    assert device.send_again(sent | place(other)).error.code == "key_used"


@pytest.mark.nightly("story")
def test_versions_of_one_record_end(play, device, played):
    for number in range(99):
        assert send(device, play, {"tricks": [[str(1 + number % 2)]]}).version == number + 1
    assert send(device, play, {"tricks": [["4"]]}).error.code == "record_too_many"


def test_record_of_the_director_is_not_replaced_by_a_table(director, play, device, played):
    store_record(play_id=play.pk, compose=lambda _head: first_cards(played, 3), by=director, now=timezone.now())
    assert send(device, play, {"tricks": [["2"]]}).status == "conflict"
    assert play.records.get(current=True).author == director


def test_chelem_that_was_announced_lets_the_taker_lead(allowed, play, device):
    entry = garde(play.etui.taker)
    entry = replace(entry, result=replace(entry.result, chelem=Chelem.ANNOUNCED_FAILED))
    assert send_entry(device, play, entry).status == "received"
    send(device, play, {"tricks": [["♠R"]]})
    assert f"chelem {play.etui.taker}\n" in play.records.get().text


def test_log_names_no_card(session, play, device, played):
    send(device, play, lead(played))
    entry = LogEntry.objects.get(session=session, action="recorded")
    assert entry.params == {"etui": play.etui.number, "table": 1, "position": 1, "version": 1}


def test_version_of_the_records_rises_only_with_what_counts(session, play, device, played):
    def version():
        return Session.objects.get(pk=session.pk).records_version

    before = version()
    send(device, play, lead(played))
    first = version()
    other = Device(play.table, "phone-two")
    other.send("take_over")
    send(other, play, {"tricks": [["2"]]})
    assert before == 0 < first == version()


@pytest.mark.nightly("story")
def test_state_of_a_table_has_no_card(allowed, director, play, device, played):
    send(device, play, told(played))
    for other in allowed.plays.exclude(pk=play.pk).select_related("etui")[:3]:
        enter(other, by=director)
    shown = json.dumps(device.state(), ensure_ascii=False)
    assert not any(sign in shown for sign in "♠♥♦♣★")
    assert not any(name in shown for name in ("tricks", "ecart", "trick "))


def test_state_takes_one_query_for_all_records(allowed, play, device, played):
    with CaptureQueriesContext(connection) as without:
        device.state()
    send(device, play, told(played))
    with CaptureQueriesContext(connection) as found:
        device.state()
    assert len(found) == len(without)


@pytest.mark.nightly("crawl")
def test_record_is_hidden_once_the_players_have_moved_on(allowed, director, play, device, played):
    send(device, play, lead(played))
    for position in (1, 2):
        call_position(session_id=allowed.pk, position=position, by=director, now=timezone.now())
    later = allowed.plays.select_related("etui").get(table=play.table, position=2)
    device.send("start", **place(later))
    assert device.play(play.pk)["entry"] is None
    assert device.play(play.pk)["record"] is None
