"""The steps of a record: hands and legal cards before each card, what both sides have, and where two records part."""

import random
from dataclasses import replace
from functools import cache

import pytest

from deals.domain.cards import Seat
from referee.cards import cards_of, mask_of
from referee.records.judging import judge_record
from referee.records.steps import PlayedTrick, find_parting, follow_tricks, list_steps
from referee.records.values import DealRecord
from referee.rules import player_at
from referee.state import GameState, start_imposed
from scoring.values import Contract
from tests.referee.games import play_at_random, start_at_random
from tests.referee.records.test_records import LEAD, record_of, swap_first_illegal


def states_of(record: DealRecord) -> list[GameState]:
    """Return the state before each card of a record with all hands, played by the referee."""
    state = start_imposed(record.deal, record.dealer, record.taker, record.contract)
    if record.called is not None:
        state = state.call(record.taker, record.called)
    if record.ecart is not None:
        state = state.discard(record.taker, record.ecart)
    states = [state]
    for card in record.cards:
        states.append(states[-1].play(card))
    return states


@cache
def taken(seed: int) -> DealRecord:
    """Return the complete record of a garde or prise of four players, from this seed on."""
    return next(each for each in map(record_of, range(seed, seed + 90)) if each.ecart)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_each_step_has_the_hands_and_legal_cards_of_the_referee(seed, players):
    record = record_of(seed, players)
    steps, states = list_steps(record), states_of(record)
    found = [step for trick in steps.tricks for step in trick.steps]
    assert [(step.player, step.card) for step in found] == [
        (state.turn, card) for state, card in zip(states, record.cards, strict=False)
    ]
    assert [step.hands for step in found] == [state.hands for state in states[:-1]]
    assert [step.legal for step in found] == [state.legal for state in states[:-1]]
    assert [trick.winner for trick in steps.tricks] == [trick.winner for trick in states[-1].tricks]
    assert {step.fault for step in found} == {None}


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_counts_of_the_last_trick_are_the_result(seed, players):
    record = record_of(seed, players)
    steps, result = list_steps(record), states_of(record)[-1].result
    won = steps.tricks[-1].won
    assert (won.attack, won.attack_bouts) == (result.half_points, result.bouts)
    assert (won.attack + won.defence, won.attack_bouts + won.defence_bouts) == (182, 3)
    assert steps.knows_aside
    totals = [steps.start.attack + steps.start.defence, *(each.won.attack + each.won.defence for each in steps.tricks)]
    assert totals == sorted(totals)


def test_ecart_of_a_complete_record_follows_from_its_cards():
    record = taken(0)
    assert list_steps(replace(record, ecart=None)) == list_steps(record)


def test_part_without_the_ecart_goes_as_far_as_it_is_known():
    record = replace(taken(20), ecart=None, cards=taken(20).cards[:10])
    steps, taker = list_steps(record), player_at(record.taker, 4)
    assert (steps.knows_aside, steps.start.attack, steps.hands[taker]) == (False, 0, None)
    assert all((step.legal is None) is (step.player == taker) for trick in steps.tricks for step in trick.steps)
    assert [trick.winner is None for trick in steps.tricks] == [False, False, True]
    assert [trick.won is None for trick in steps.tricks] == [False, False, True]
    judged = judge_record(record)
    assert (steps.tricks[1].won.attack, steps.tricks[1].won.attack_bouts) == (judged.half_points, judged.bouts)


def test_lead_alone_is_one_step():
    (trick,) = list_steps(LEAD).tricks
    (step,) = trick.steps
    assert (trick.leader, step.card, step.legal, trick.winner) == (player_at(Seat.W, 4), 13, None, None)
    assert list_steps(replace(LEAD, cards=())).tricks == ()


def test_deal_that_everybody_passed_has_no_steps():
    assert list_steps(DealRecord(4, Seat.N, None, None, bids=(None,) * 4)).tricks == ()


def test_revoke_is_marked_on_its_card_alone():
    record = swap_first_illegal(record_of(3, cards=40))
    steps = [step for trick in list_steps(record).tricks for step in trick.steps]
    assert [step.card for step in steps if step.fault] == [record.cards[-1]]
    assert record.cards[-1] not in cards_of(steps[-1].legal)


def test_fault_of_the_ecart_belongs_to_no_card():
    record = taken(0)
    hand = [*record.deal.hand(record.taker), *record.deal.chien]
    trump = next(card for card in hand if 56 < card < 76)
    steps = list_steps(replace(record, ecart=(*record.ecart[:5], trump), cards=()))
    assert [fault.code for fault in steps.faults] == ["ecart_trump"]


def test_chien_of_a_garde_sans_and_contre_counts_for_its_side():
    record = next(each for each in map(record_of, range(90)) if each.contract == Contract.GARDE_SANS)
    assert list_steps(record).start.attack > 0
    steps = list_steps(replace(record, contract=Contract.GARDE_CONTRE))
    assert (steps.start.attack, steps.start.defence > 0) == (0, True)


def test_announced_chelem_is_led_by_its_taker():
    state = start_at_random(random.Random(5), 4)
    taker = state.terms.taker
    state = play_at_random(random.Random(5), state.announce_chelem(Seat("NWSE"[taker])), 4)
    record = replace(
        LEAD,
        dealer=Seat("NWSE"[state.terms.dealer]),
        taker=Seat("NWSE"[taker]),
        chelem=Seat("NWSE"[taker]),
        cards=state.tricks[0].cards,
    )
    assert list_steps(record).tricks[0].leader == taker


def test_hand_that_has_not_the_card_is_unknown_from_then_on():
    tricks = [PlayedTrick(3, 1, (4, 5), None), PlayedTrick(4, 1, (6,), None)]
    first, second = follow_tricks(tricks, (None, mask_of([6]), None, None))
    assert [step.legal for step in (*first.steps, *second.steps)] == [None, None, None]


def test_records_part_at_the_first_other_card():
    record = record_of(7)
    other = replace(record, cards=(*record.cards[:9], record.cards[13]))
    assert find_parting(record, other) == 9
    assert find_parting(record, replace(record, cards=record.cards[:9])) is None
    assert find_parting(record, record) is None
