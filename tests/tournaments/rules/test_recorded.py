"""The first lines of a record, which follow from the result of its play, and the parts that a table may send."""

from dataclasses import replace

import pytest

from deals.domain.cards import Seat
from referee.records import notation
from referee.records.values import RecordError
from scoring.contract import Chelem, Contract, Side
from scoring.plays import Line
from tests.scoring.results import result
from tournaments.rules.entry import AllPassed, Facts, Fiche
from tournaments.rules.recorded import RecordHead, continues, head_of, read_stored_record, record_of_table

HEAD = RecordHead(Seat.W, Line.N, Contract.GARDE)
SAID = {Chelem.ANNOUNCED_MADE, Chelem.ANNOUNCED_FAILED, Chelem.ANNOUNCED_SUFFERED}


@pytest.mark.parametrize("chelem", Chelem)
def test_record_of_facts_begins_with_an_announced_chelem_only(chelem):
    facts = Facts(Line.E, result(contract=Contract.PRISE, chelem=chelem))
    assert head_of(Seat.W, facts, None) == RecordHead(Seat.W, Line.E, Contract.PRISE, chelem in SAID)


def test_record_of_a_fiche_begins_with_the_imposed_contract_if_there_is_one():
    assert head_of(Seat.W, Fiche(Line.N, 60), Contract.GARDE) == HEAD
    assert HEAD.chelem is False
    assert head_of(Seat.W, Fiche(Line.N, 60), None) is None
    assert head_of(Seat.W, AllPassed(), Contract.GARDE) is None


@pytest.mark.parametrize(
    ("told", "code", "params"),
    [
        ({"tricks": ["♠R"], "bids": []}, "json", {"keys": "tricks, poignees, ecart, claim"}),
        ({"tricks": []}, "json_value", {"key": "tricks"}),
        ({"poignees": []}, "json_value", {"key": "tricks"}),
    ],
)
def test_table_sends_tricks_and_what_belongs_to_them(told, code, params):
    with pytest.raises(RecordError) as caught:
        record_of_table(told, HEAD)
    assert (caught.value.code, caught.value.params) == (code, params)


def test_record_that_a_table_sends_gets_its_head_from_the_result():
    record = record_of_table({"tricks": [["♠R"]]}, HEAD)
    assert (record.dealer, record.taker, record.contract, record.chelem) == (Seat.W, Seat.N, Contract.GARDE, None)
    assert len(record.cards) == 1
    announced = RecordHead(Seat.W, Line.N, Contract.GARDE, chelem=True)
    assert record_of_table({"tricks": [["♠R"]]}, announced).chelem == Seat.N


def test_table_may_send_all_four_parts_and_a_stored_record_says_the_same():
    poignee = {"seat": "N", "cards": [str(trump) for trump in range(1, 11)]}
    ecart = ["♠2", "♠3", "♠4", "♠5", "♠6", "♠7"]
    told = {"tricks": [["♠R"]], "poignees": [poignee], "ecart": ecart, "claim": "attack"}
    record = record_of_table(told, HEAD)
    assert (len(record.poignees), len(record.ecart), record.claim) == (1, 6, Side.ATTACK)
    assert read_stored_record(notation.dumps(record)) == record


def test_record_with_a_claim_is_continued_by_the_same_claim_after_the_same_cards():
    before, more = (record_of_table({"tricks": [cards]}, HEAD) for cards in (["♠R"], ["♠R", "♠2"]))
    claimed = replace(before, claim=Side.ATTACK)
    assert [continues(each, claimed) for each in (claimed, before, more, replace(more, claim=Side.ATTACK))] == [
        True,
        False,
        False,
        False,
    ]
    assert continues(claimed, before)
    assert not continues(replace(claimed, claim=Side.DEFENCE), claimed)
