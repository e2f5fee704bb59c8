"""The first lines of a record, which follow from the result of its play, and the parts that a table may send."""

import pytest

from deals.domain.cards import Seat
from referee.records.values import RecordError
from scoring.contract import Chelem, Contract
from scoring.plays import Line
from tests.scoring.results import result
from tournaments.rules.entry import AllPassed, Facts, Fiche
from tournaments.rules.recorded import RecordHead, head_of, record_of_table

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
