"""The time of a deal played with random legal cards: in place, by immutable states, and by the plain second referee.

    python -m bench.referee [--deals 200] [--rounds 9] [--playout 0.4] [--states 0.667]

The ways take turns on the same deals, and only processor time counts. The median of each way counts, beside that of the
plain referee, which the tests have (`tests/referee/plain.py`). A missed goal is marked, and the exit code is then 1.
"""

import argparse
import random
import sys
from collections.abc import Callable
from statistics import median
from time import process_time

from deals.domain.cards import HAND
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from referee.cards import cards_of
from referee.games import NAMES
from referee.state import GameState, Playout, start_imposed
from scoring.values import Contract
from tests.referee.plain import find_legal_cards, find_winning_card

SEED = bytes(range(32))
PLAYERS = 4


def play_plainly(state: GameState, rng: random.Random) -> list[int]:
    """Play lists of names, and return the winners of the tricks."""
    hands = [[NAMES[card] for card in cards_of(hand)] for hand in state.hands]
    leader, winners = state.turn, []
    for _ in range(HAND[PLAYERS]):
        trick: list[str] = []
        for step in range(PLAYERS):
            hand = hands[(leader + step) % PLAYERS]
            card = rng.choice(find_legal_cards(hand, trick))
            hand.remove(card)
            trick.append(card)
        leader = (leader + trick.index(find_winning_card(trick))) % PLAYERS
        winners.append(leader)
    return winners


def play_in_place(state: GameState, rng: random.Random) -> list[int]:
    """Play with a `Playout`, and return the winners of the tricks."""
    playout = Playout(state)
    while not playout.is_over:
        playout.play(rng.choice(playout.list_legal_cards()))
    return [trick.winner for trick in playout.tricks]


def play_by_states(state: GameState, rng: random.Random) -> list[int]:
    """Play with a `GameState` for each card, and return the winners of the tricks."""
    while any(state.hands):
        state = state.play(rng.choice(state.legal_cards))
    return [trick.winner for trick in state.tricks]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--playout", type=float, default=0.4)
    parser.add_argument("--states", type=float, default=0.667)
    args = parser.parse_args()
    states = [start_deal(number) for number in range(1, args.deals + 1)]
    ways: dict[str, Callable[[GameState, random.Random], list[int]]] = {
        "plain": play_plainly,
        "Playout": play_in_place,
        "GameState": play_by_states,
    }
    goals = {"Playout": args.playout, "GameState": args.states}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _round in range(args.rounds):
        for name, play in ways.items():
            start = process_time()
            for number, state in enumerate(states):
                play(state, random.Random(number))
            times[name].append((process_time() - start) / args.deals)
    missed = 0
    for name, taken in times.items():
        ratio = median(taken) / median(times["plain"])
        goal = goals.get(name)
        miss = goal is not None and ratio > goal
        missed += miss
        told = "" if goal is None else f"   goal ≤ {goal:g}{' missed' if miss else ''}"
        sys.stdout.write(f"{name:12}{1000 * median(taken):8.3f} ms a deal   ratio {ratio:5.2f}{told}\n")
    return int(missed > 0)


def start_deal(number: int) -> GameState:
    """Return a garde sans, so that the play begins with the hands as they were dealt."""
    taker, dealer = taker_and_dealer(number)
    return start_imposed(deal_etui(SEED, number).deal, dealer, taker, Contract.GARDE_SANS)


if __name__ == "__main__":
    sys.exit(main())
