"""The games of the vectors, and deals played card by card with random legal cards."""

import gzip
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from deals.domain.cards import CHIEN, HAND
from deals.domain.deal import Deal, has_petit_sec
from referee.cards import ALL_TRUMPS, TRUMPS, cards_of, count_forced_trumps, find_discardable
from referee.rules import STANDARD, PlayRules, find_callable, order_of_play, player_at, seat_of
from referee.state import GameState, start_imposed
from referee.terms import DealPhase
from scoring.values import Contract

GOLDEN = Path(__file__).parents[1] / "golden" / "games.jsonl.gz"


@cache
def read_vectors() -> list[dict[str, Any]]:
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def copy_vector(place: int = 0) -> dict[str, Any]:
    """Return one game of the vectors, which the caller may change."""
    copied: dict[str, Any] = json.loads(json.dumps(read_vectors()[place]))
    return copied


def deal_at_random(rng: random.Random, players: int) -> Deal:
    """Return a deal without a petit sec."""
    cards, hand = list(range(78)), HAND[players]
    while True:
        rng.shuffle(cards)
        hands = [cards[hand * player : hand * player + hand] for player in range(players)]
        if not has_petit_sec(deal := Deal(hands, cards[hand * players :])):
            return deal


def choose_ecart(rng: random.Random, hand: int, players: int) -> list[int]:
    """Return a legal écart of a hand that has taken the chien."""
    legal = find_discardable(hand, players)
    forced = count_forced_trumps(hand, players)
    suits, trumps = cards_of(legal & ~TRUMPS), cards_of(legal & TRUMPS)
    return rng.sample(suits, CHIEN[players] - forced) + rng.sample(trumps, forced)


def start_at_random(rng: random.Random, players: int, rules: PlayRules = STANDARD) -> GameState:
    """Return a random deal before its first card, with any dealer, taker and contract."""
    seats = order_of_play(players)
    deal, dealer, taker = deal_at_random(rng, players), rng.choice(seats), rng.choice(seats)
    state = start_imposed(deal, dealer, taker, rng.choice(list(Contract)), rules)
    if state.phase == DealPhase.CALL:
        state = state.call(taker, rng.choice(cards_of(find_callable(state.hands[player_at(taker, players)]))))
    if state.phase == DealPhase.ECART:
        state = state.discard(taker, choose_ecart(rng, state.hands[state.turn], players))
    return state


def show_at_random(rng: random.Random, state: GameState) -> GameState:
    """Return the state after each player has shown a poignée if the hand has one, and sometimes a chelem before."""
    players = state.terms.players
    if rng.random() < 0.2:
        assert state.terms.taker is not None
        state = state.announce_chelem(seat_of(state.terms.taker, players))
    for player, hand in enumerate(state.hands):
        trumps = cards_of(hand & ALL_TRUMPS)
        sizes = [size for size in state.terms.rules.scoring.poignee_trumps[players].values() if size <= len(trumps)]
        if sizes:
            shown = trumps if len(trumps) in sizes else rng.sample(cards_of(hand & TRUMPS), sizes[0])
            state = state.show_poignee(seat_of(player, players), shown)
    return state


def play_at_random(rng: random.Random, state: GameState, cards: int = 78) -> GameState:
    """Return the state after so many random legal cards, or after the last one."""
    for _ in range(cards):
        if state.phase == DealPhase.OVER:
            break
        state = state.play(rng.choice(state.legal_cards))
    return state
