"""The étuis that are played to the end by the first legal card each time, for tests of records."""

import random
from dataclasses import replace

from deals.domain.cards import Seat, show_card
from deals.domain.deal import loads
from referee.cards import TAKES_CHIEN, cards_of, find_discardable
from referee.records.notation import record_to_data
from referee.records.values import DealRecord
from referee.state import start_imposed
from scoring.contract import Contract
from scoring.ranking import Line
from tournaments.rules.entry import Facts


def play_deal(deal, dealer, taker, contract=Contract.GARDE, seed=1):
    """Return the whole record of a deal, without its hands, and the result as an entry."""
    dice = random.Random(seed)
    state = start_imposed(deal, Seat(dealer), Seat(taker), contract)
    ecart = None
    if contract in TAKES_CHIEN:
        ecart = tuple(cards_of(find_discardable(state.hands[state.turn], 4))[:6])
        state = state.discard(Seat(taker), ecart)
    cards = []
    while state.result is None:
        cards.append(dice.choice(state.legal_cards))
        state = state.play(cards[-1])
    record = DealRecord(4, Seat(dealer), Seat(taker), contract, ecart=ecart, cards=tuple(cards))
    return record, Facts(Line(taker), state.result)


def play_etui(etui, contract=Contract.GARDE, seed=1):
    """Return the whole record of an étui with cards, played by the taker that it names, and the result."""
    return play_deal(loads(etui.cards), etui.dealer, etui.taker, contract, seed)


def first_cards(record, count):
    """Return the first cards of a record, without the écart."""
    return replace(record, cards=record.cards[:count], ecart=None)


def told(record):
    """Return what a table's device sends of a record."""
    data = record_to_data(record)
    return {name: data[name] for name in ("tricks", "poignees", "ecart", "claim") if name in data}


def lead(record):
    return {"tricks": [[show_card(record.cards[0])]]}
