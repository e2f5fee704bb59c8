"""The records of cards that a table's device sends: their reading, the receipt, and what its screen is told."""

from types import SimpleNamespace
from uuid import UUID

import pytest
from django.utils import timezone

from deals.domain.dealing import deal_etui
from evenings.plays.entries import to_row
from evenings.tables.command import Receipt
from evenings.tables.commands import receive
from evenings.tables.recording import answer_record, list_keys, read_told, record_data
from referee.records import notation
from scoring.contract import Contract
from tests import shared_evenings
from tests.evenings.plays.test_checks import row
from tests.evenings.records.played import first_cards, play_deal
from tests.evenings.tables.phones import Device, command
from tests.evenings.tables.values import NOW, make_play, make_session
from tests.factories import garde
from tournaments.errors import ActionRefused
from tournaments.models import EntryCheck, PlayRecord
from tournaments.rules.entry import base_score

KEYS = [UUID(int=(number << 96) + 1) for number in range(1, 6)]
LEAD = [["♠R"]]


@pytest.mark.parametrize(
    "told", [{}, {"tricks": [], "claim": "x" * 121}, {"tricks": ["♠R"] * 120}, {"tricks": [["♠R"] * 120, "x" * 121]}]
)
def test_record_is_read_with_lists_as_long_as_a_record_can_have(told):
    assert read_told(told) is told


@pytest.mark.parametrize(
    "told",
    [None, "♠R", [LEAD], {"tricks": ["♠R"] * 121}, {"tricks": [["♠R"], ["♠R"] * 121]}, {"more": [[], [1] * 121]}],
)
def test_no_record_or_a_longer_list_is_refused(told):
    with pytest.raises(ActionRefused) as refused:
        read_told(told)
    assert (refused.value.code, refused.value.field) == ("command_malformed", "record")


@pytest.mark.parametrize(
    ("contested", "key", "status", "code", "stored"),
    [(False, KEYS[0], "received", None, True), (True, KEYS[1], "conflict", "record_kept", False)],
)
def test_receipt_says_whether_the_record_counts_and_whether_it_is_this_one(contested, key, status, code, stored):
    record = PlayRecord(pk=9, key=key, version=3, contested=contested, recorded_at=NOW)
    receipt = answer_record(SimpleNamespace(key=KEYS[0]), record)
    assert (receipt.error and receipt.error.code) == code
    assert receipt == Receipt(str(KEYS[0]), status, NOW, 9, 3, receipt.error, stored=stored)


def test_keys_of_entries_checks_and_records_are_told_by_eight_letters():
    entries = [row(key=KEYS[0]), row(key=None)]
    entries[0]._prefetched_objects_cache["checks"] = [EntryCheck(key=key) for key in (KEYS[1], None)]
    shown = make_play(make_session(), *entries)
    shown.play._prefetched_objects_cache["records"] = [PlayRecord(key=key) for key in (KEYS[2], None)]
    assert list_keys(shown) == ["00000001", "00000002", "00000003"]


@pytest.fixture(scope="module")
def played():
    """Return the whole record of a garde by North, and its result."""
    return play_deal(deal_etui(b"x" * 32, 1).deal, "W", "N", Contract.GARDE)


@pytest.mark.parametrize(
    ("cards", "visible", "holds", "scored"),
    [(1, True, "lead", False), (9, True, "part", False), (72, False, "whole", False), (72, True, "whole", True)],
)
def test_whole_record_has_a_score_where_the_result_is_visible(played, cards, visible, holds, scored):
    record, entry = played
    stored = PlayRecord(text=notation.dumps(record if cards == 72 else first_cards(record, cards)), device="one")
    told = record_data(stored, row(**to_row(entry)) if visible else None, make_session(), "one")
    assert told == {"holds": holds, "mine": True, "base_score": base_score(entry) if scored else None}


@pytest.mark.parametrize(("author", "device", "mine"), [(None, "one", True), (None, "two", False), (1, "one", False)])
def test_record_is_of_its_device_unless_an_account_stored_it(played, author, device, mine):
    stored = PlayRecord(text=notation.dumps(first_cards(played[0], 1)), author_id=author, device=device)
    assert record_data(stored, None, make_session(), "one") == {"holds": "lead", "mine": mine, "base_score": None}


session = shared_evenings.started_with_two_positions


@pytest.fixture
def table(session):
    return session.tables.get(number=1)


play = shared_evenings.first_play_of_table


def outcome(receipt):
    return receipt.status, receipt.version, receipt.error and receipt.error.code


@pytest.mark.django_db
def test_one_request_records_a_lead_after_its_result_and_corrects_it(session, table, play):
    devices = [Device(table, name) for name in ("phone-one", "phone-two")]
    for device in devices:
        device.send("join")
    here, other = (device.here() for device in devices)
    now = timezone.now()
    sent = command("record", play=play, record={"tricks": LEAD})
    assert outcome(receive(here, "phone-one", sent, now)) == ("refused", None, "record_before_result")
    receive(here, "phone-one", command("enter", play=play, seat="N", entry=garde(play.etui.taker)), now)
    assert outcome(receive(other, "phone-two", sent, now)) == ("refused", None, "not_writing")
    for _time in range(2):
        assert outcome(receive(here, "phone-one", sent, now)) == ("received", 1, None)
    again = command("record", play=play, record={"tricks": [["♠2"]]})
    assert outcome(receive(here, "phone-one", again, now)) == ("received", 2, None)
    stored = play.records.values_list("version", "current", "device", "recorded_at", "key")
    assert list(stored) == [
        (1, False, "Table 1 · 1", now, UUID(sent["key"])),
        (2, True, "Table 1 · 1", now, UUID(again["key"])),
    ]
    session.closed_at = now
    session.save()
    late = receive(devices[0].here(), "phone-one", command("record", play=play, record={"tricks": LEAD}), now)
    assert outcome(late) == ("refused", None, "session_closed")
