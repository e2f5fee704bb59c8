"""The clashes of records of three and five players: none with what was played, and one with each wrong result."""

import random
from dataclasses import replace

import pytest

from deals.domain.cards import Seat, seats
from deals.domain.deal import Deal
from referee.cards import cards_of
from referee.records.values import DealRecord
from referee.rules import seat_of
from referee.state import GameState
from tests.referee.games import play_at_random, show_at_random, start_at_random
from tournaments.rules.entry import Facts, base_score
from tournaments.rules.recorded import DealtCards, find_record_faults, head_of, record_clashes, score_of_record


def play(seed: int, players: int) -> tuple[Deal, DealRecord, Facts]:
    """Return a deal that was played by the rules at random, its record and its result."""
    rng = random.Random(seed)
    state = play_at_random(rng, show_at_random(rng, start_at_random(rng, players)))
    return deal_of(state), record_of(state), entry_of(state)


def deal_of(state: GameState) -> Deal:
    hands = {seat_of(player, len(state.hands)): cards_of(hand) for player, hand in enumerate(state.terms.dealt)}
    return Deal([hands[seat] for seat in seats(len(hands))], cards_of(state.terms.chien))


def record_of(state: GameState) -> DealRecord:
    terms, players = state.terms, state.terms.players
    assert terms.taker is not None
    return DealRecord(
        players,
        seat_of(terms.dealer, players),
        seat_of(terms.taker, players),
        terms.contract,
        called=terms.called,
        ecart=None if terms.ecart is None else tuple(cards_of(terms.ecart)),
        chelem=None if terms.chelem is None else seat_of(terms.chelem, players),
        poignees=tuple((seat_of(player, players), tuple(cards_of(cards))) for player, cards in terms.poignees),
        cards=tuple(card for trick in state.tricks for card in trick.cards),
    )


def entry_of(state: GameState) -> Facts:
    terms, result = state.terms, state.result
    assert result is not None
    assert terms.taker is not None
    partner = terms.taker if terms.partner is None else terms.partner
    named = str(seat_of(partner, 5)) if terms.players == 5 else None
    return Facts(str(seat_of(terms.taker, terms.players)), result, partner=named)


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("seed", range(10))
def test_what_three_or_five_played_clashes_with_nothing_at_any_length(seed, players):
    deal, record, entry = play(seed, players)
    for known in (record, replace(record, called=None), replace(record, ecart=None)):
        for count in (1, 46, len(record.cards)):
            part = replace(known, cards=record.cards[:count])
            for cards in (deal, None):
                assert record_clashes(part, DealtCards(record.dealer, cards), entry, None) == ()
                assert find_record_faults(part, cards) == ()
        assert score_of_record(known, entry) == base_score(entry)


def codes(record, entry):
    return [clash.code for clash in record_clashes(record, DealtCards(record.dealer, None), entry, None)]


@pytest.mark.parametrize("players", [3, 5])
def test_wrong_result_of_three_or_five_is_a_clash(players):
    for seed in range(10):
        _deal, record, entry = play(seed, players)
        points = entry.result.half_points
        wrong = replace(entry, result=replace(entry.result, half_points=points + (6 if points < 91 else -6)))
        assert codes(record, wrong) == ["clash_record_score"]
        assert codes(replace(record, called=None), wrong) == ["clash_record_score"]


def test_partner_who_is_not_the_one_of_the_record_is_a_clash():
    for seed in range(10):
        _deal, record, entry = play(seed, 5)
        others = [seat for seat in seats(5) if seat not in (entry.taker, entry.partner)]
        for part in (record, replace(record, cards=record.cards[: record.cards.index(record.called) + 1])):
            if record.called in record.cards:
                assert codes(part, replace(entry, partner=str(others[0]))) == ["clash_record_taker"]


def test_record_of_another_number_of_players_is_a_clash():
    _deal, record, entry = next(told for told in (play(seed, 5) for seed in range(9)) if told[2].taker != Seat.F)
    of_four = DealRecord(4, Seat.N, Seat(entry.taker), entry.result.contract, cards=record.cards[:1])
    assert codes(of_four, entry) == ["clash_record_taker"]


def test_record_of_a_table_has_the_number_of_its_players():
    _deal, _record, entry = play(1, 5)
    head = head_of(Seat.N, entry, None)
    assert head is not None
    assert head.players == 5
