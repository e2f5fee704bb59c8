"""The clashes of a record with the étui's cards and with the entered result, and the faults in it. Pure."""

import random
from dataclasses import replace

import pytest

from deals.domain.cards import CARDS, Seat, seats
from deals.domain.deal import Deal, has_petit_sec
from referee.records import notation
from referee.records.judging import judge_record
from referee.records.values import DealRecord
from referee.rules import player_at, seat_of
from scoring.contract import Contract, Side
from scoring.values import FFT, Chelem, Poignee
from tests.evenings.records.played import first_cards, play_deal
from tests.scoring.results import result
from tournaments.rules.clash import Clash
from tournaments.rules.entry import AllPassed, Facts, Fiche, base_score
from tournaments.rules.recorded import (
    DealtCards,
    clashes_of_stored,
    continues,
    find_record_faults,
    is_only_lead,
    record_clashes,
    reveal_hands,
    score_of_record,
)


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
    assert score_of_record(record, shown) == base_score(shown)


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


def test_cards_clash_from_the_ecart_on_but_not_those_of_another_dealer():
    """Check an écart with cards of another hand, and the cards of a deal for five."""
    deal = make_deal(7)
    record, entry = play_deal(deal, "N", "E")
    foreign = [card for card in deal.hand(Seat.W) if card < 56][:6]
    discarded = replace(first_cards(record, 0), ecart=tuple(foreign))
    five = Deal([list(range(at, at + 15)) for at in range(0, 75, 15)], range(75, 78))
    for cards, dealt, seat in ((discarded, deal, Seat.E), (first_cards(record, 4), five, Seat.N)):
        clash = Clash("clash_record_cards", "record", {"value": seat, "trick": 0})
        assert record_clashes(cards, DealtCards(Seat.N, dealt), entry, None) == (clash,)
        assert codes(cards, dealt, entry, dealer=Seat.S) == ["clash_record_dealer"]


@pytest.mark.parametrize("winner", [Side.ATTACK, Side.DEFENCE])
def test_chelem_clashes_with_a_trick_or_a_claim_of_the_other_side(winner):
    """Check the first trick of a deal in which that side wins it and no bout is played, and a claim at the start."""
    attack = winner == Side.ATTACK
    played = (play_deal(make_deal(seed), "N", "E")[0] for seed in range(30))
    tricks = (first_cards(record, 4) for record in played)
    trick = next(each for each in tricks if won_by_taker(each) is attack and not {56, 76, 77} & set(each.cards))
    claimed = replace(trick, cards=(), claim=winner)
    made, suffered = (
        [
            codes(trick, None, told_result(91, 1, chelem=chelem)),
            codes(claimed, None, told_result(182 * attack, 3 * attack, chelem=chelem)),
        ]
        for chelem in (Chelem.UNANNOUNCED_MADE, Chelem.SUFFERED)
    )
    clash = ["clash_record_result"]
    assert (made, suffered) == (([[], []], [clash] * 2) if attack else ([clash] * 2, [[], []]))


def told_result(half_points, bouts, contract=Contract.GARDE, **told):
    return Facts("E", result(contract=contract, half_points=half_points, bouts=bouts, **told))


def won_by_taker(record):
    return judge_record(record).tricks[0].winner == player_at(record.taker, 4)


@pytest.mark.parametrize(
    ("seats", "attack", "defence", "fits"),
    [
        ("E", 1, 0, True),
        ("E", 0, 1, False),
        ("N", 0, 1, True),
        ("N", 1, 0, False),
        ("NS", 0, 2, True),
        ("NS", 0, 1, False),
        ("EN", 1, 1, True),
        ("EN", 0, 2, False),
    ],
)
def test_result_has_each_poignee_of_the_record_on_its_side(seats, attack, defence, fits):
    shown = tuple((Seat(seat), tuple(range(at, at + 10))) for seat, at in zip(seats, (56, 66), strict=False))
    record = replace(first_cards(play_deal(make_deal(13), "N", "E")[0], 0), poignees=shown)
    simple = Poignee.SIMPLE
    entry = told_result(91, 1, poignees_attack=(simple,) * attack, poignees_defence=(simple,) * defence)
    assert codes(record, None, entry) == ([] if fits else ["clash_record_result"])


ECART = (0, 1, 2, 14, 15, 16)  # six low cards


@pytest.mark.parametrize(
    ("contract", "side", "ecart", "points", "bouts"),
    [
        (Contract.GARDE, Side.ATTACK, None, 38, 0),  # four Dames and two Cavaliers
        (Contract.PRISE, Side.ATTACK, None, 38, 0),
        (Contract.GARDE, Side.ATTACK, ECART, 6, 0),
        (Contract.GARDE, Side.DEFENCE, None, 0, 0),
        (Contract.GARDE, Side.DEFENCE, ECART, 0, 0),
        (Contract.GARDE_SANS, Side.ATTACK, None, 54, 3),  # six Rois and bouts
        (Contract.GARDE_SANS, Side.DEFENCE, None, 0, 0),
        (Contract.GARDE_CONTRE, Side.ATTACK, None, 0, 0),
        (Contract.GARDE_CONTRE, Side.DEFENCE, None, 54, 3),
    ],
)
def test_side_without_a_trick_has_at_most_the_cards_aside_and_the_excuse(contract, side, ecart, points, bouts):
    """Check a claim of the other side before the first card. The Excuse and the card for it may change sides."""
    attack = side == Side.ATTACK
    record = DealRecord(4, Seat.N, Seat.E, contract, ecart=ecart, claim=Side.DEFENCE if attack else Side.ATTACK)

    def fits(half_points, bouts):
        told = (half_points, bouts) if attack else (182 - half_points, 3 - bouts)
        return not codes(record, None, told_result(*told, contract))

    least = 5 if attack and ecart else 0
    assert [half_points for half_points in range(183) if fits(half_points, 0)] == list(range(least, points + 11))
    assert [each for each in range(4) if fits(least, each)] == list(range(min(3, bouts + 1) + 1))


def test_stored_record_has_the_clashes_of_the_record():
    record, entry = play_deal(make_deal(5), "N", "E")
    dealt, wrong = DealtCards(Seat.S, None), replace(entry, taker="S")
    found = clashes_of_stored(notation.dumps(record), dealt, wrong, None, FFT)
    assert found == record_clashes(record, dealt, wrong, None)
    assert [clash.code for clash in found] == ["clash_record_dealer", "clash_record_taker"]
