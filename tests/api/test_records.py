"""The record of a play for programs: stored as JSON or as typed text, corrected, chosen, withdrawn, and refused."""

import uuid
from dataclasses import replace

import pytest

from deals.models import DealLook
from referee.records import notation
from referee.records.notation import record_to_data
from tests import shared_evenings
from tests.api.conftest import Client
from tests.evenings.records.played import first_cards, play_etui
from tests.factories import enter, make_director, make_helper, started_session
from tournaments.models import PlayRecord

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return started_session(cards=True, positions=1)


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


@pytest.fixture
def director(user):
    return Client(user)


play = shared_evenings.first_play


@pytest.fixture
def played(play, user):
    record, entry = play_etui(play.etui)
    enter(play, entry, by=user)
    return record


def path(play):
    return f"plays/{play.pk}/record/"


def test_record_is_stored_as_json_and_read_again(director, play, played):
    data = record_to_data(played)
    told = director.post(path(play), {"record": data}, status=201)
    assert (told["version"], told["clashes"], told["faults"]) == (1, [], [])
    assert told["versions"][0]["record"] == data
    assert director.get(path(play)) == told
    assert director.post(path(play), {"record": data}) == told  # 200: nothing is changed


def test_record_is_stored_as_typed_text_without_its_hands(director, play, played):
    with_hands = replace(first_cards(played, 1), deal=None)
    text = notation.dumps(with_hands).replace("taker", f"deal {play.etui.cards}\ntaker")
    told = director.post(path(play), {"text": text}, status=201)
    assert told["versions"][0]["record"] == record_to_data(first_cards(played, 1))


def test_same_key_is_stored_once_and_serves_one_play(director, session, play, played, user):
    key = str(uuid.uuid4())
    sent = {"record": record_to_data(first_cards(played, 1)), "key": key}
    director.post(path(play), sent, status=201)
    director.post(path(play), sent | {"record": record_to_data(played)})
    assert PlayRecord.objects.count() == 1
    other = session.plays.select_related("etui").last()
    enter(other, play_etui(other.etui)[1], by=user)
    assert director.refused("POST", path(other), sent, status=422) == "key_used"


def test_correction_needs_the_version_that_was_seen_and_a_reason(director, play, played):
    director.post(path(play), {"record": record_to_data(first_cards(played, 1))}, status=201)
    whole = {"record": record_to_data(played)}
    assert director.refused("POST", path(play), whole, status=409) == "recorded_meanwhile"
    assert director.refused("POST", path(play), whole | {"seen_version": 1}, status=422) == "reason_missing"
    told = director.post(path(play), whole | {"seen_version": 1, "reason": "fiche"}, status=201)
    assert [row["current"] for row in told["versions"]] == [True, False]


@pytest.mark.nightly("story")
def test_version_is_chosen_and_withdrawn(director, play, played):
    lead, whole = ({"record": record_to_data(record)} for record in (first_cards(played, 1), played))
    director.post(path(play), lead, status=201)
    director.post(path(play), whole | {"seen_version": 1, "reason": "fiche"}, status=201)
    chosen = {"version": 1, "seen_version": 2, "reason": "autre fiche"}
    assert director.put(path(play), chosen)["version"] == 3
    assert director.refused("PUT", path(play), chosen | {"version": 9}, status=422) == "record_unknown"
    assert director.refused("DELETE", f"{path(play)}?seen_version=1", status=409) == "recorded_meanwhile"
    assert director("DELETE", f"{path(play)}?seen_version=3")["version"] is None
    assert PlayRecord.objects.count() == 3


def test_clash_and_fault_are_told(director, play, played):
    wrong = replace(first_cards(played, 1), cards=(played.cards[1],))
    told = director.post(path(play), {"record": record_to_data(wrong)}, status=201)
    assert told["clashes"] == ["clash_record_cards"]


@pytest.mark.parametrize(
    ("body", "code", "status"),
    [
        ({}, "invalid", 400),
        ({"record": {"players": 4}, "text": "record 4"}, "invalid", 400),
        ({"record": 7}, "json", 422),
        ({"record": {"players": 4}}, "dealer", 422),
        ({"record": {"players": 4, "dealer": "N", "taker": "E garde", "tricks": [["♠R", "♠R"]]}}, "twice", 422),
        ({"record": {"players": 5, "dealer": "N", "taker": "E garde", "tricks": [["♠R"]]}}, "record_players", 422),
        ({"record": {"players": 4, "dealer": "N", "taker": "E garde"}}, "record_empty", 422),
        ({"text": "record 4\ndealer N\ntaker E garde\nCR"}, "suit_letter", 422),
        ({"text": "x" * 20_001}, "invalid", 400),
        ({"text": "record 4", "key": "x"}, "invalid", 400),
    ],
)
def test_bad_records_are_refused(director, play, played, body, code, status):
    assert director.refused("POST", path(play), body, status=status) == code
    assert not PlayRecord.objects.exists()


def test_play_without_a_result_is_refused(director, play):
    sent = {"record": {"players": 4, "dealer": "N", "taker": "E garde", "tricks": [["♠R"]]}}
    assert director.refused("POST", path(play), sent, status=422) == "record_before_result"


def test_helper_neither_stores_nor_reads(session, play, played):
    helper = Client(make_helper(session.tournament.club))
    helper.refused("GET", path(play), status=403)
    helper.refused("POST", path(play), {"record": record_to_data(played)}, status=403)


def test_each_look_at_a_record_is_logged(director, play, played):
    director.get(path(play))  # there is no card to see yet
    assert not DealLook.objects.filter(first_etui=play.etui.number).exists()
    director.post(path(play), {"record": record_to_data(first_cards(played, 1))}, status=201)
    director.get(path(play))
    assert DealLook.objects.filter(first_etui=play.etui.number, kind="seen").count() == 2
