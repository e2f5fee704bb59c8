"""The clashes of a record with the étui's cards and with the entered result, and the faults in it. Pure."""

import random
from dataclasses import replace

import pytest

from deals.domain.cards import CARDS, Seat, seats
from deals.domain.deal import Deal, has_petit_sec
from referee.records.judging import judge_record
from referee.seats import seat_of
from scoring.contract import Contract, Side
from scoring.values import Chelem, Poignee
from tests.tournaments.records.played import first_cards, play_deal
from tournaments.rules.entry import AllPassed, Fiche, base_score
from tournaments.rules.record_clash import DealtCards, find_record_faults, record_clashes
from tournaments.rules.recorded import continues, is_only_lead, reveal_hands, score_of_record


def make_deal(seed):
    cards = list(range(CARDS))
    random.Random(seed).shuffle(cards)
    deal = Deal([cards[at : at + 18] for at in range(0, 72, 18)], cards[72:])
    return make_deal(seed + 1_000) if has_petit_sec(deal) else deal


def codes(record, deal, entry, dealer=Seat.N, contract=None):
    return [clash.code for clash in record_clashes(record, DealtCards(dealer, deal), entry, contract)]


@pytest.mark.parametrize("contract", Contract)
@pytest.mark.parametrize("seed", range(12))
def test_what_was_played_clashes_with_nothing_at_any_length(seed, contract):
    deal = make_deal(seed)
    record, entry = play_deal(deal, "N", "NESW"[seed % 4], contract, seed)
    assert codes(record, deal, entry) == []
    assert find_record_faults(record, deal) == find_record_faults(record, None) == ()
    for count in range(1, 72, 5):
        assert codes(first_cards(record, count), deal, entry) == []
        assert codes(replace(record, cards=record.cards[:count]), deal, entry) == []


@pytest.mark.parametrize("contract", Contract)
@pytest.mark.parametrize("seed", range(12))
def test_whole_record_alone_has_the_score_of_the_deal(seed, contract):
    deal = make_deal(seed)
    record, entry = play_deal(deal, "E", "S", contract, seed)
    for known in (record, replace(record, ecart=None)):
        assert score_of_record(known, None) == base_score(entry)
    hands = reveal_hands(record).deal
    others = [seat for seat in seats(4) if seat != Seat.S]
    assert [hands.hand(seat) for seat in others] == [deal.hand(seat) for seat in others]


def test_poignees_of_the_result_count_where_the_record_names_none():
    record, entry = play_deal(make_deal(3), "N", "E")
    shown = replace(entry, result=replace(entry.result, poignees_attack=(Poignee.SIMPLE,)))
    assert score_of_record(record, shown.result) == base_score(shown)


def test_another_score_is_a_clash():
    deal = make_deal(5)
    record, entry = play_deal(deal, "N", "E")
    other = replace(entry, result=replace(entry.result, half_points=entry.result.half_points + 2))
    assert codes(record, deal, other) == ["clash_record_score"]
    assert codes(record, deal, Fiche(entry.taker, base_score(entry)), contract=Contract.GARDE) == []
    assert codes(record, deal, Fiche(entry.taker, base_score(entry) + 1), contract=Contract.GARDE) == [
        "clash_record_score"
    ]


def test_cards_of_another_etui_are_a_clash_from_the_lead_on():
    deal = make_deal(7)
    record, entry = play_deal(deal, "N", "E")
    leader = deal.hand(Seat.W)  # the player on North's right
    foreign = next(card for card in range(CARDS) if card not in leader)
    assert codes(replace(first_cards(record, 1), cards=(foreign,)), deal, entry) == ["clash_record_cards"]
    assert codes(first_cards(record, 1), deal, entry) == []
    other_record, other_entry = play_deal(make_deal(8), "N", "E")
    assert "clash_record_cards" in codes(other_record, deal, other_entry)


def test_cards_are_not_compared_where_they_are_not_known():
    record, entry = play_deal(make_deal(7), "N", "E")
    assert codes(record, None, entry) == []


def test_another_dealer_and_another_taker_are_clashes():
    deal = make_deal(9)
    record, entry = play_deal(deal, "N", "E")
    assert codes(record, deal, entry, dealer=Seat.S) == ["clash_record_dealer"]
    assert codes(record, deal, replace(entry, taker="S")) == ["clash_record_taker"]
    assert codes(record, deal, AllPassed()) == ["clash_record_taker"]
    prise = replace(entry, result=replace(entry.result, contract=Contract.PRISE))
    assert codes(record, deal, prise) == ["clash_record_taker"]


def test_part_of_a_record_refutes_a_result():
    """Check a lead of sixteen tricks, with a result whose points the side that has so many cannot have."""
    deal = make_deal(11)
    record, entry = play_deal(deal, "N", "E")
    part = first_cards(record, 64)
    assert codes(part, deal, entry) == []
    for wrong in ({"half_points": 182}, {"half_points": 0}, {"bouts": 3 - entry.result.bouts}):
        assert codes(part, deal, replace(entry, result=replace(entry.result, **wrong))) == ["clash_record_result"]
    chelem = replace(entry, result=replace(entry.result, chelem=Chelem.UNANNOUNCED_MADE))
    assert codes(part, deal, chelem) == ["clash_record_result"]


@pytest.mark.parametrize("contract", Contract)
@pytest.mark.parametrize("seed", range(8))
def test_claim_bounds_the_points_of_the_other_side(seed, contract):
    """Check a claim before the last trick: the side that wins it claims it, which the real result allows."""
    deal = make_deal(seed)
    record, entry = play_deal(deal, "N", "E", contract, seed)
    last = Seat(record.taker) == winner_of_last(record)
    claimed = replace(first_cards(record, 68), claim=Side.ATTACK if last else Side.DEFENCE)
    assert "clash_record_result" not in codes(claimed, deal, entry)
    early = replace(first_cards(record, 4), claim=Side.ATTACK)
    most = replace(entry, result=replace(entry.result, half_points=20))
    assert codes(early, None, most) == ["clash_record_result"]


def winner_of_last(record):
    return seat_of(judge_record(reveal_hands(record)).tricks[-1].winner, 4)


def test_poignee_that_the_result_lacks_is_a_clash():
    deal = make_deal(13)
    record, entry = play_deal(deal, "N", "E")
    shown = replace(first_cards(record, 1), poignees=((Seat.S, tuple(range(56, 66))),))
    assert "clash_record_result" in codes(shown, None, entry)
    told = replace(entry, result=replace(entry.result, poignees_defence=(Poignee.SIMPLE,)))
    assert codes(shown, None, told) == []
    nine = replace(first_cards(record, 1), poignees=((Seat.S, tuple(range(56, 65))),))
    assert codes(nine, None, entry) == []  # a wrong size is a fault, not a clash


def test_revoke_is_a_fault_and_no_clash():
    """Exchange two cards of one hand, so that the player does not follow suit although the hand could."""
    deal = make_deal(15)
    record, entry = play_deal(deal, "N", "E")
    for first in range(1, 4):
        for later in range(4, 72):
            cards = list(record.cards)
            cards[first], cards[later] = cards[later], cards[first]
            revoked = replace(record, cards=tuple(cards))
            faults = find_record_faults(revoked, deal)
            if faults and faults[0].code == "follow":
                assert codes(first_cards(revoked, 4), deal, entry) == []
                assert find_record_faults(revoked, None)
                return
    raise AssertionError("no two cards make a revoke")


def test_record_that_says_more_continues_the_one_before():
    record, _entry = play_deal(make_deal(17), "N", "E")
    lead = first_cards(record, 1)
    assert is_only_lead(lead)
    assert not is_only_lead(first_cards(record, 2))
    assert continues(record, lead)
    assert not continues(lead, record)
    assert not continues(replace(record, cards=record.cards[::-1]), lead)
    assert not continues(replace(record, ecart=None), record)
