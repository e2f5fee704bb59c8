"""The description of a table for a seat: only what its player knows, in the order of a hand, with the question."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.choosing import choose_move
from bots.levels import BotLevel
from deals.domain.cards import CARDS, EXCUSE, PETIT, Seat
from deals.domain.deal import Deal
from referee.cards import TRUMPS, cards_of
from referee.counting import count_aside
from referee.rules import order_of_play, player_at, seat_of
from referee.state import GameState, start_auction, start_imposed
from referee.terms import DealPhase
from referee.views import view
from rooms.record.shown import describe_table, sort_hand
from scoring.values import Contract
from tests.bots.games import play_bots
from tests.bots.positions import mask
from tests.referee.games import deal_at_random, play_at_random, show_at_random, start_at_random
from tests.referee.test_views import find_unseen, swap

N, E, S, W, _F = Seat
NAMES = {"N": "Alice", "E": "Basile", "S": "Chloé", "W": "Denis"}
SEED = bytes(range(32))


def show(state: GameState, seat: Seat = S, length: int = 0):
    return describe_table(view(state, seat), names=NAMES, etui=3, of=8, length=length)


def bid_all(state: GameState, *bids: Contract | None) -> GameState:
    for bid in bids:
        state = state.bid(state.seat, bid)
    return state


@pytest.mark.nightly("story")
@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 72), st.integers(0, 3), st.data())
def test_description_is_equal_after_two_unseen_cards_change_places(seed, cards, viewer, data):
    rng = random.Random(seed)
    state = play_at_random(rng, show_at_random(rng, start_at_random(rng, 4)), cards)
    seat = order_of_play(4)[viewer]
    unseen = find_unseen(state, player_at(seat, 4))
    if len(unseen) < 2:
        return
    one, other = data.draw(st.lists(st.sampled_from(unseen), min_size=2, max_size=2, unique=True))
    changed = swap(state, one, other)
    if (state.terms.ecart or 0) & TRUMPS != (changed.terms.ecart or 0) & TRUMPS:
        return  # a trump in the écart would have been shown
    assert show(changed, seat) == show(state, seat)


@pytest.mark.parametrize("seed", range(20))
def test_description_of_an_auction_and_an_ecart_holds_nothing_hidden(seed):
    rng = random.Random(seed)
    bidding = start_auction(deal_at_random(rng, 4), dealer=N)
    for state in (bidding, bid_all(bidding, Contract.GARDE, None, None, None)):
        for seat in order_of_play(4):
            one, other = rng.sample(find_unseen(state, player_at(seat, 4)), 2)
            assert show(swap(state, one, other), seat) == show(state, seat)


def list_numbers(value) -> set[int]:
    """Return every number that stands in a list of a description, and every card that was played."""
    if isinstance(value, dict):
        cards = {value["card"]} if "card" in value else set()
        return cards.union(*map(list_numbers, value.values()))
    if isinstance(value, list):
        numbers = {item for item in value if isinstance(item, int)}
        return numbers.union(*map(list_numbers, value))
    return set()


@pytest.mark.parametrize("cards", [0, 1, 30, 71])
def test_no_number_in_a_description_is_an_unseen_card(cards):
    """Look at every list of the description, also at those that a later change adds."""
    for seed in range(10):
        rng = random.Random(seed)
        state = play_at_random(rng, show_at_random(rng, start_at_random(rng, 4)), cards)
        for seat in order_of_play(4):
            assert list_numbers(show(state, seat)).isdisjoint(find_unseen(state, player_at(seat, 4)))


def test_every_description_of_a_played_deal_is_json():
    for moves in range(0, 90, 3):
        shown = show(play_bots(1, BotLevel.POLICY, free=True, moves=moves), length=moves)
        assert json.loads(json.dumps(shown)) == shown


def test_hand_has_its_trumps_first_then_the_excuse_then_the_suits():
    assert sort_hand([0, 13, 14, EXCUSE, PETIT, 76, 55]) == [76, PETIT, EXCUSE, 13, 0, 14, 55]


def test_auction_shows_the_bids_and_asks_for_a_higher_one():
    state = bid_all(start_auction(deal_at_random(random.Random(1), 4), dealer=N), Contract.PRISE)
    shown = show(state)
    assert shown["bids"] == [{"seat": "W", "bid": "prise"}]
    assert (shown["phase"], shown["turn"], shown["taker"], shown["contract"]) == ("auction", "S", "", "")
    assert shown["asks"]["kind"] == "bid"
    assert shown["asks"]["bids"] == [
        {"bid": "pass", "move": "-"},
        {"bid": "garde", "move": "G"},
        {"bid": "garde_sans", "move": "S"},
        {"bid": "garde_contre", "move": "C"},
    ]
    assert show(state, E)["asks"]["kind"] == "wait"
    assert [(seat["seat"], seat["name"], seat["deals"], seat["is_turn"]) for seat in shown["seats"]] == [
        ("S", "Chloé", False, True),
        ("E", "Basile", False, False),
        ("N", "Alice", True, False),
        ("W", "Denis", False, False),
    ]


def test_ecart_asks_for_six_cards_without_roi_bout_or_needless_trump():
    state = bid_all(start_auction(deal_at_random(random.Random(1), 4), dealer=N), None, Contract.GARDE, None, None)
    shown = show(state)
    assert (shown["asks"]["kind"], shown["asks"]["count"], shown["asks"]["trumps"]) == ("ecart", 6, 0)
    assert shown["asks"]["chelem"] is True
    assert len(shown["hand"]) == 24
    assert set(shown["chien"]) <= set(shown["hand"])
    assert all(card < PETIT and card % 14 != 13 for card in shown["asks"]["cards"])
    assert show(state, N)["asks"]["kind"] == "wait"
    assert show(state, N)["chien"] == shown["chien"]


def test_chelem_is_asked_alone_if_the_others_wait_for_it():
    state = start_imposed(deal_strong(), E, S, Contract.GARDE_SANS)
    shown = describe_table(view(state, S), names=NAMES, etui=1, of=1, length=4, asks_chelem=True)
    assert (shown["asks"]["kind"], shown["asks"]["chelem"], shown["turn"]) == ("chelem", True, "N")


def deal_strong(trumps: str = "21 20 19 18 17 16 15 14 13 12 * ♠R ♠D ♠C ♠V ♥R ♦R ♣R") -> Deal:
    """Return a deal in which South has these cards."""
    south = cards_of(mask(trumps))
    rest = [card for card in range(CARDS) if card not in south]
    return Deal([rest[:18], rest[18:36], south, rest[36:54]], rest[54:])


def test_forced_trumps_of_an_ecart_are_counted_and_shown_to_all():
    strong = "21 20 19 18 17 16 15 14 13 12 11 10 9 * ♠R ♥R ♦R ♣R"
    south = cards_of(mask(strong))
    rest = [card for card in range(CARDS) if card not in south]
    chien = cards_of(mask("8 7 6 5 ♠2 ♠3"))
    rest = [card for card in rest if card not in chien]
    state = start_imposed(Deal([rest[:18], rest[18:36], south, rest[36:]], chien), N, S)
    asked = show(state)["asks"]
    assert (asked["count"], asked["trumps"]) == (6, 4)
    trumps = cards_of(mask("8 7 6 5"))
    state = state.discard(S, [*cards_of(mask("♠2 ♠3")), *trumps])
    assert show(state, N)["ecart_trumps"] == sorted(trumps, reverse=True)
    assert show(state, N)["ecart"] == []
    assert set(show(state)["ecart"]) == {*trumps, *cards_of(mask("♠2 ♠3"))}


def test_taker_who_leads_is_offered_chelem_and_poignees_once():
    state = start_imposed(deal_strong(), E, S, Contract.GARDE_SANS)
    assert state.seat == N
    state = start_imposed(deal_strong(), W, S, Contract.GARDE_SANS)
    assert state.seat == S
    asked = show(state)["asks"]
    assert asked["kind"] == "card"
    assert asked["cards"] == show(state)["hand"]
    assert asked["chelem"] is True
    assert [(offer["size"], offer["count"]) for offer in asked["poignees"]] == [("simple", 10)]
    proposed = asked["poignees"][0]["proposed"]
    assert EXCUSE not in proposed
    state = state.announce_chelem(S).show_poignee(S, proposed)
    asked = show(state)["asks"]
    assert (asked["chelem"], asked["poignees"]) == (False, [])
    assert show(state, N)["chelem"] == "S"
    assert show(state, N)["poignees"] == [{"seat": "S", "size": "simple", "cards": proposed}]


@pytest.mark.parametrize(
    ("trumps", "sizes"),
    [
        ("21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 * ♥R ♦R", ["triple", "double", "simple"]),
        ("21 20 19 18 17 16 15 14 13 * ♠R ♠D ♠C ♠V ♥R ♦R ♣R ♣D", ["simple"]),
        ("21 20 19 18 17 16 15 14 13 ♠1 ♠R ♠D ♠C ♠V ♥R ♦R ♣R ♣D", []),
    ],
)
def test_each_offered_poignee_is_accepted_by_the_referee(trumps, sizes):
    state = start_imposed(deal_strong(trumps), W, S, Contract.GARDE_SANS)
    offers = show(state)["asks"]["poignees"]
    assert [offer["size"] for offer in offers] == sizes
    for offer in offers:
        assert set(offer["proposed"]) <= set(offer["cards"])
        assert state.show_poignee(S, offer["proposed"]).terms.poignees


def test_tricks_points_and_result_are_those_of_the_referee():
    state = play_bots(2, BotLevel.POLICY)
    taker = state.terms.taker
    assert taker is not None
    shown = show(state)
    assert (shown["phase"], shown["asks"]["kind"], shown["turn"]) == ("over", "over", "")
    assert state.result is not None
    aside = count_aside(state.terms)
    assert shown["won"]["attack"] == state.result.half_points - aside.attack
    assert shown["won"]["attack"] + shown["won"]["defence"] + aside.attack + aside.defence == 182
    assert sum(seat["tricks"] for seat in shown["seats"]) == 18
    assert shown["last_trick"] is not None
    assert shown["last_trick"]["number"] == 18
    assert shown["last_trick"]["winner"] == seat_of(state.tricks[-1].winner, 4)
    result = shown["result"]
    assert result is not None
    assert sum(line["amount"] for line in result["lines"]) == result["base_score"]
    assert sum(result["marks"].values()) == 0
    assert result["marks"][seat_of(taker, 4)] == 3 * result["base_score"]


def test_trick_on_the_table_has_the_seat_of_each_card():
    state = play_bots(1, BotLevel.POLICY, moves=8)
    assert state.phase == DealPhase.PLAY
    shown = show(state)
    assert [card["card"] for card in shown["trick"]["cards"]] == list(state.cards)
    first = shown["trick"]["cards"][0]["seat"] if state.cards else shown["turn"]
    assert first == seat_of(state.leader, 4)


def test_deal_that_everybody_passed_scores_nothing():
    state = bid_all(start_auction(deal_at_random(random.Random(1), 4), dealer=N), None, None, None, None)
    result = show(state)["result"]
    assert result is not None
    assert (result["kind"], result["base_score"], set(result["marks"].values())) == ("passed", 0, {0})


def test_every_asked_move_is_one_that_the_referee_takes():
    """Play deals in which South makes the first move offered, and the bots make theirs."""
    for etui in range(1, 6):
        state = play_bots(etui, BotLevel.POLICY, free=True, moves=0)
        while state.phase != DealPhase.OVER:
            seat = state.seat
            asked = show(state, seat)["asks"]
            if seat == S and asked["kind"] == "card":
                assert asked["cards"] == sort_hand(state.legal_cards)
                state = state.play(asked["cards"][0])
                continue
            move = choose_move(view(state, seat), BotLevel.POLICY, SEED)
            assert move is not None
            state = move.make(state, seat)
        assert show(state)["asks"]["kind"] == "over"
