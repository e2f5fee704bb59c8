"""The steps of a deal before and between the cards: bids, the call, the écart, the chelem, the poignées, refusals."""

import random

import pytest

from deals.domain.cards import EXCUSE, PETIT, TRUMP_21, Seat
from deals.domain.deal import Deal
from referee.cards import ALL_TRUMPS, ROIS, TRUMPS, cards_of, mask_of
from referee.errors import PlayRefused
from referee.rules import PlayRules, find_callable, find_legal_bids, order_of_play
from referee.state import GameState, start_auction, start_imposed
from referee.terms import DealPhase
from scoring.values import Contract
from tests.referee.games import deal_at_random, play_at_random, start_at_random

N, E, S, W, F = Seat
SPADES, HEARTS = range(14), range(14, 28)


def deal_to_north(north, players=4, chien=()):
    """Return a deal in which North has these cards, and the chien those; the rest goes round."""
    sizes = {3: (24, 6), 4: (18, 6), 5: (15, 3)}[players]
    rest = [card for card in range(78) if card not in (*north, *chien)]
    random.Random(1).shuffle(rest)
    rest.sort(key=lambda card: card % 14 != 13 or card > 55)  # North gets no Roi beside those named
    north, chien = list(north), list(chien)
    while len(chien) < sizes[1]:
        chien.append(rest.pop())
    while len(north) < sizes[0]:
        north.append(rest.pop())
    hands = [north] + [rest[at : at + sizes[0]] for at in range(0, len(rest), sizes[0])]
    return Deal(hands, chien)


def refuse(code, call):
    """Check that the call is refused with this code, and return the refusal."""
    with pytest.raises(PlayRefused) as caught:
        call()
    assert caught.value.code == code
    assert str(caught.value)
    assert caught.value.source.startswith("FFT 2012")
    return caught.value


def test_order_of_play_is_counter_clockwise():
    assert [order_of_play(players) for players in (3, 4, 5)] == [(N, S, E), (N, W, S, E), (N, F, W, S, E)]


DEAL = deal_at_random(random.Random(3), 4)


def test_player_at_the_dealers_right_speaks_first_and_leads():
    state = start_auction(DEAL, dealer=N)
    assert (state.phase, state.seat) == (DealPhase.AUCTION, W)
    state = state.bid(W, None).bid(S, Contract.GARDE_SANS).bid(E, None).bid(N, None)
    assert (state.phase, state.seat) == (DealPhase.PLAY, W)
    assert state.terms.taker == order_of_play(4).index(S)


def test_highest_bid_takes():
    state = start_auction(DEAL, dealer=E)
    for seat, bid in ((N, Contract.PRISE), (W, Contract.GARDE), (S, None), (E, Contract.GARDE_CONTRE)):
        state = state.bid(seat, bid)
    assert (state.terms.contract, state.terms.taker) == (Contract.GARDE_CONTRE, order_of_play(4).index(E))


def test_four_passes_end_the_deal_without_a_result():
    state = start_auction(DEAL, dealer=S)
    for seat in (E, N, W, S):
        state = state.bid(seat, None)
    assert (state.phase, state.result, state.legal_cards) == (DealPhase.OVER, None, ())
    refuse("phase", lambda: state.bid(E, None))
    refuse("phase", lambda: state.play(0))


def test_bid_must_be_higher_and_in_turn():
    state = start_auction(DEAL, dealer=N).bid(W, Contract.GARDE)
    assert find_legal_bids(state.terms.bids) == (None, Contract.GARDE_SANS, Contract.GARDE_CONTRE)
    assert refuse("bid_low", lambda: state.bid(S, Contract.GARDE)).params["highest"] == "garde"
    assert refuse("bid_turn", lambda: state.bid(W, None)).params["other"] == "S"


def test_petit_sec_voids_the_deal_before_the_auction_and_not_with_the_excuse():
    alone = start_auction(deal_to_north([PETIT, *SPADES, 14, 15, 16]), dealer=N)
    assert (alone.phase, alone.terms.is_void, alone.result) == (DealPhase.OVER, True, None)
    refuse("phase", lambda: alone.bid(W, None))
    excused = start_auction(deal_to_north([PETIT, EXCUSE, *SPADES, 14, 15]), dealer=N)
    assert excused.phase == DealPhase.AUCTION


def rank(number):
    """Return the four cards of one rank of the suits; the Roi is 14."""
    return [number - 1 + 14 * suit for suit in range(4)]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ([0, 13], rank(14)),
        (rank(14), rank(13)),
        ([*rank(14), *rank(13)[:3]], rank(13)),
        ([*rank(14), *rank(13), *rank(12)], rank(11)),
    ],
    ids=["a Roi", "four Rois", "three Dames too", "twelve honours"],
)
def test_taker_of_five_calls_the_highest_rank_that_is_not_complete(hand, expected):
    assert cards_of(find_callable(mask_of(hand))) == sorted(expected)
    own = set(expected) | {card for number in (14, 13, 12) for card in rank(number) if set(rank(number)) <= set(hand)}
    assert set(cards_of(find_callable(mask_of(hand), own_rank=True))) == own


def start_five(north, called, chien=(), contract=Contract.GARDE_SANS):
    deal = deal_to_north(north, 5, chien)
    return start_imposed(deal, dealer=E, taker=N, contract=contract).call(N, called)


def test_called_card_makes_a_partner_or_none():
    partner = start_five([0], 13).terms
    assert partner.partner is not None
    assert partner.attackers.count(True) == 2
    for alone in (start_five([13], 13), start_five([0], 13, chien=[13])):
        assert (alone.terms.partner, alone.terms.attackers.count(True)) == (None, 1)


def test_call_is_refused_for_another_rank_and_another_seat():
    state = start_imposed(deal_to_north([0], 5), dealer=E, taker=N)
    assert state.phase == DealPhase.CALL
    assert set(refuse("call_rank", lambda: state.call(N, 12)).legal) == set(cards_of(ROIS))
    refuse("call_rank", lambda: state.call(E, 13))
    refuse("phase", lambda: state.discard(N, [0, 1, 2]))


def test_opening_lead_at_five_is_not_in_the_called_suit_but_for_the_called_card():
    state = start_five([0, 1, 13, 14], 13)
    assert state.seat == N
    assert {0, 1} & set(state.legal_cards) == set()
    assert {13, 14} <= set(state.legal_cards)
    refusal = refuse("called_suit", lambda: state.play(0))
    assert (refusal.seat, refusal.trick, refusal.legal) == (N, 1, state.legal_cards)
    assert state.play(13).led


FORCED = [*rank(14), *range(PETIT + 1, PETIT + 13), EXCUSE, 0]  # with the chien: 4 Rois, 15 trumps, 5 other cards


def take(north, chien, players=4):
    return start_imposed(deal_to_north(north, players, chien), dealer=E, taker=N)


def test_ecart_has_no_roi_no_bout_and_the_right_number_of_cards():
    state = take([13, PETIT, EXCUSE, *range(9)], [10, 11, 12, 14, 15, 16])
    assert (state.phase, state.seat, state.hands[0].bit_count()) == (DealPhase.ECART, N, 24)
    for card in (13, PETIT, EXCUSE):
        assert set(refuse("ecart_kept", lambda card=card: state.discard(N, [card, 0, 1, 2, 3, 4])).legal) >= {0, 1, 10}
    assert refuse("ecart_size", lambda: state.discard(N, [0, 1, 2, 3, 4])).params["found"] == 5
    assert refuse("ecart_size", lambda: state.discard(N, [0, 0, 1, 2, 3, 4])).params["found"] == 5
    missing = next(card for card in range(17, 56) if not state.hands[0] >> card & 1)
    refuse("ecart_held", lambda: state.discard(N, [missing, 0, 1, 2, 3, 4]))
    assert state.discard(N, [0, 1, 10, 11, 12, 14]).hands[0].bit_count() == 18


def test_trump_is_discarded_only_if_nothing_else_is_left():
    plenty = take([*range(12), PETIT + 3, PETIT + 4], [20, 21, 22, 23, 24, 25])
    assert refuse("ecart_trump", lambda: plenty.discard(N, [PETIT + 3, 0, 1, 2, 3, 4])).card == PETIT + 3
    forced = take(FORCED, [TRUMP_21, PETIT + 13, 1, 2, 3, 4])
    suits = [0, 1, 2, 3, 4]
    assert forced.discard(N, [*suits, PETIT + 5]).terms.ecart
    refuse("ecart_trump", lambda: forced.discard(N, [0, 1, 2, 3, PETIT + 5, PETIT + 6]))
    refuse("ecart_kept", lambda: forced.discard(N, [*suits, TRUMP_21]))


def test_discarded_trump_is_shown_again_in_the_triple_poignee():
    state = take(FORCED, [TRUMP_21, PETIT + 13, 1, 2, 3, 4]).discard(N, [0, 1, 2, 3, 4, PETIT + 5])
    trumps = cards_of((state.hands[0] | 1 << PETIT + 5) & ALL_TRUMPS)
    assert len(trumps) == 15
    assert state.show_poignee(N, trumps).terms.poignees == ((0, mask_of(trumps)),)
    strict = state._replace(terms=state.terms.change(rules=PlayRules(ecart_in_poignee=False)))
    assert refuse("poignee_held", lambda: strict.show_poignee(N, trumps)).card == PETIT + 5


def start_with_trumps(trumps):
    """Return a garde sans of West, in which North, who leads, has these trumps and otherwise spades and hearts."""
    filling = [*SPADES, *HEARTS][: 18 - len(trumps)]
    deal = deal_to_north([*trumps, *filling])
    return start_imposed(deal, dealer=E, taker=W, contract=Contract.GARDE_SANS)


def test_poignee_has_exactly_so_many_trumps_of_the_hand():
    state = start_with_trumps([PETIT + step for step in range(11)])
    shown = [PETIT + step for step in range(10)]
    assert state.show_poignee(N, shown).terms.poignees
    for wrong in (9, 11):
        refuse("poignee_size", lambda wrong=wrong: state.show_poignee(N, [PETIT + step for step in range(wrong)]))
    refuse("poignee_size", lambda: state.show_poignee(N, [*shown[:9], PETIT]))
    refuse("poignee_held", lambda: state.show_poignee(N, [*shown[:9], TRUMP_21]))
    refuse("poignee_held", lambda: state.show_poignee(N, [*shown[:9], 0]))


def test_excuse_in_a_poignee_says_that_there_is_no_other_trump():
    nine = [PETIT + step for step in range(9)]
    assert start_with_trumps([*nine, EXCUSE]).show_poignee(N, [*nine, EXCUSE]).terms.poignees
    ten = start_with_trumps([*nine, PETIT + 9, EXCUSE])
    assert refuse("poignee_excuse", lambda: ten.show_poignee(N, [*nine, EXCUSE])).card == PETIT + 9
    assert ten.show_poignee(N, [*nine, PETIT + 9]).terms.poignees


def test_poignee_is_shown_once_before_the_players_first_card():
    shown = [PETIT + step for step in range(10)]
    state = start_with_trumps(shown)
    refuse("poignee_late", lambda: state.show_poignee(N, shown).show_poignee(N, shown))
    refuse("poignee_late", lambda: state.play(0).show_poignee(N, shown))
    later = start_with_trumps(shown)._replace(leader=1, turn=1, legal=mask_of(cards_of(state.hands[1])))
    assert later.play(cards_of(later.hands[1])[0]).show_poignee(N, shown).terms.poignees


def test_taker_announces_a_chelem_before_the_first_card_and_leads():
    state = start_imposed(DEAL, dealer=N, taker=E, contract=Contract.GARDE_SANS)
    assert state.seat == W
    announced = state.announce_chelem(E)
    assert (announced.seat, announced.leader, announced.terms.chelem) == (E, 3, 3)
    refuse("chelem_late", lambda: announced.announce_chelem(E))
    refuse("chelem_late", lambda: state.play(state.legal_cards[0]).announce_chelem(E))
    refuse("chelem_seat", lambda: state.announce_chelem(W))


def test_partner_announces_a_chelem_only_by_an_option():
    state = start_five([0], 13)
    partner = order_of_play(5)[state.terms.partner]
    refuse("chelem_seat", lambda: state.announce_chelem(partner))
    told = state._replace(terms=state.terms.change(rules=PlayRules(partner_announces_chelem=True)))
    assert told.announce_chelem(partner).seat == partner


def test_chelem_is_not_announced_before_the_ecart():
    state = take(range(18), [])
    refuse("phase", lambda: state.announce_chelem(N))


def start_play(hands, leader=0):
    """Return a state in the play with these hands, of which only the legal cards are asked."""
    masks = tuple(map(mask_of, hands))
    state = start_at_random(random.Random(4), 4)
    return GameState(state.terms, masks, leader, masks[leader], leader, tricks=(None,))


TRUMP = [PETIT + step for step in range(21)]


@pytest.mark.parametrize(
    ("played", "hand", "legal"),
    [
        ([5], [3, 9, 14, TRUMP[4], EXCUSE], [3, 9, EXCUSE]),
        ([5], [14, TRUMP[4], EXCUSE], [TRUMP[4], EXCUSE]),
        ([5, TRUMP[7]], [14, TRUMP[4], TRUMP[9]], [TRUMP[9]]),
        ([5, TRUMP[7]], [14, TRUMP[4], TRUMP[2]], [TRUMP[4], TRUMP[2]]),
        ([5, TRUMP[7]], [3, TRUMP[9]], [3]),
        ([5], [14, 28], [14, 28]),
        ([5], [14, EXCUSE], [14, EXCUSE]),
        ([TRUMP[7]], [14, TRUMP[4], TRUMP[9], EXCUSE], [TRUMP[9], EXCUSE]),
        ([TRUMP[7]], [14, TRUMP[4], TRUMP[2]], [TRUMP[4], TRUMP[2]]),
        ([TRUMP[7]], [14, 28, EXCUSE], [14, 28, EXCUSE]),
        ([TRUMP[7], TRUMP[12]], [TRUMP[4], TRUMP[9]], [TRUMP[4], TRUMP[9]]),
        ([EXCUSE], [14, TRUMP[4]], [14, TRUMP[4]]),
        ([EXCUSE, 5], [3, TRUMP[4]], [3]),
        ([5, EXCUSE, TRUMP[7]], [14, TRUMP[4], TRUMP[9]], [TRUMP[9]]),
        ([5, 20, TRUMP[3]], [21, TRUMP[1]], [TRUMP[1]]),
    ],
)
def test_legal_cards_after_the_cards_played(played, hand, legal):
    others = [[card, 55 - number] for number, card in enumerate(played)]
    state = start_play([*others, hand, *[[40]] * (3 - len(played))])
    for card in played:
        state = state._replace(legal=1 << card).play(card)
    assert state.legal_cards == tuple(sorted(legal))
    for card in set(hand) - set(legal):
        with pytest.raises(PlayRefused) as caught:
            state.play(card)
        follows = played[0] in SPADES and set(hand) & set(SPADES)
        expected = "follow" if follows or played == [EXCUSE, 5] else "overtrump" if card in TRUMP else "trump"
        assert (caught.value.code, caught.value.trick) == (expected, 2)


def test_refusal_of_a_card_says_seat_card_trick_legal_cards_and_source():
    state = play_at_random(random.Random(8), start_at_random(random.Random(8), 4), 5)
    missing = next(card for card in range(78) if not state.hands[state.turn] >> card & 1)
    refusal = refuse("held", lambda: state.play(missing))
    assert (refusal.seat, refusal.card, refusal.trick, refusal.legal) == (state.seat, missing, 2, state.legal_cards)
    for no_card in (-1, 78, 10**6):
        with pytest.raises((PlayRefused, ValueError)):
            state.play(no_card)
    other = next(seat for seat in order_of_play(4) if seat != state.seat)
    assert refuse("turn", lambda: state.play_from(other, state.legal_cards[0])).params["other"] == state.seat


@pytest.mark.parametrize("code", PlayRefused.messages)
def test_every_refusal_has_a_text_and_a_source_even_if_nothing_was_legal(code):
    params = {name: name for name in ("phase", "other", "highest", "expected", "found")}
    told = PlayRefused(code, seat=N, card=0, trick=1, **params)
    assert "N" in str(told)
    assert told.source.startswith("FFT 2012")
    assert "%" not in str(told)


def test_poignee_of_a_hand_without_trumps_is_refused_with_a_text():
    state = start_with_trumps([])
    assert "Legal: –." in str(refuse("poignee_held", lambda: state.show_poignee(N, [0] * 10)))


def test_state_before_a_step_stays_as_it_was():
    state = start_at_random(random.Random(5), 4)
    copied = GameState(*state)
    state.play(state.legal_cards[0])
    assert state == copied
    assert state.hands[0] & TRUMPS == copied.hands[0] & TRUMPS
