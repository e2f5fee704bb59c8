"""The records of five players: who plays with the taker decides who wins the last trick, and how the deal counts."""

from dataclasses import replace

import pytest

from deals.domain.cards import CARDS, EXCUSE, PETIT, TRUMP_21, Seat
from deals.domain.deal import Deal
from referee.games import judge_text
from referee.records.judging import find_partner, judge_record
from referee.records.notation import dumps
from referee.records.steps import list_steps
from referee.records.values import DealRecord
from referee.state import start_imposed
from referee.terms import DealPhase
from scoring.values import Contract

ROI = 13  # of spades, which East has and North calls
HIGH = list(range(PETIT + 8, TRUMP_21 + 1))


def sweep() -> DealRecord:
    """Return a deal of which North wins all tricks but one with trumps, East that one, and the Excuse the last one."""
    north, east = [*HIGH, 0, EXCUSE], [ROI, *range(14, 28)]
    rest = [card for card in range(CARDS) if card not in {*north, *east}]
    deal = Deal([north, east, rest[0::3][:15], rest[1::3][:15], rest[2::3][:15]], rest[45:])
    state = start_imposed(deal, Seat.E, Seat.N, Contract.GARDE_SANS).call(Seat.N, ROI)
    mine, cards = iter([*reversed(HIGH), 0, EXCUSE]), []
    while state.phase != DealPhase.OVER:
        legal = state.legal_cards
        card = next(mine) if state.seat == Seat.N else ROI if state.cards[:1] == (0,) and ROI in legal else legal[-1]
        cards.append(card)
        state = state.play(card)
    return DealRecord(5, Seat.E, Seat.N, Contract.GARDE_SANS, deal=deal, called=ROI, cards=tuple(cards))


def test_excuse_wins_the_last_trick_after_a_sweep_with_the_partner():
    whole = sweep()
    without = replace(whole, deal=None)
    judged, known = judge_record(without), judge_record(whole)
    assert [trick.winner for trick in known.tricks] == [*[0] * 13, 4, 0]
    assert judged.tricks == known.tricks
    assert judged.faults == known.faults == ()
    assert [trick.winner for trick in list_steps(without).tricks] == [trick.winner for trick in known.tricks]
    assert judge_text(dumps(without).encode())["winners"][-1] == 0


@pytest.mark.parametrize(
    ("change", "partner"),
    [
        ({}, Seat.E),
        ({"deal": None}, Seat.E),
        ({"deal": None, "cards": sweep().cards[:20]}, None),  # nobody has played the Roi yet
        ({"deal": None, "called": ROI + 1}, Seat.E),
        ({"deal": None, "called": 0}, Seat.N),  # North calls an own card
        ({"called": None}, None),
    ],
)
def test_partner_is_who_has_or_plays_the_called_card(change, partner):
    assert find_partner(replace(sweep(), **change)) == partner


def test_record_that_names_no_called_card_has_no_score():
    told = judge_text(dumps(replace(sweep(), called=None)).encode())
    assert (told["points"], told["bouts"], told["base_score"], told["faults"]) == (None, None, None, [])
