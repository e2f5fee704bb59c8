"""The drawn hands beside the true ones: how often the taker has a card, and how far each card's chance is off.

    python -m bench.draws [--deals 80] [--draws 30]

The policy plays takeable deals. In the tricks 1, 4, 7 and 11 each player draws the hidden hands before each move. For
each kind of hidden card a line shows how often the taker really has it, and how often in the drawn hands. The error is
the sum, over the five places of a card, of the squared difference between the drawn chance and 0 or 1. Perfect draws
would have 0, and equal chances for all places about 0.7. Nothing is timed, so any machine prints the same.
"""

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass

from bots.levels import PLAYERS, BotLevel
from bots.matches import find_next_move, start_takeable
from bots.sampling.drawing import HandDrawer
from bots.sampling.imagining import StateMaker
from bots.sampling.weights import PLACES
from bots.secrets import bot_secret, decision_numbers
from bots.suits import HONOURS, find_located
from referee.cards import ALL_TRUMPS, BOUT_BITS, ROIS, WHOLE_DECK, cards_of
from referee.rules import seat_of
from referee.state import GameState
from referee.terms import DealPhase
from referee.views import view

SEED = bytes(range(32))
TRICKS = (0, 3, 6, 10)
KINDS = (("bouts", BOUT_BITS), ("trumps", ALL_TRUMPS), ("Rois", ROIS), ("honours", HONOURS), ("others", WHOLE_DECK))


@dataclass(slots=True)
class DrawErrors:
    """The sums over the hidden cards of one kind: how many, with the taker, with the drawn taker, and the error."""

    cards: int = 0
    true: int = 0
    drawn: float = 0.0
    error: float = 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=80)
    parser.add_argument("--draws", type=int, default=30)
    args = parser.parse_args()
    sums: dict[tuple[str, int, str], DrawErrors] = defaultdict(DrawErrors)
    for etui in range(1, args.deals + 1):
        state, secret = start_takeable(SEED, etui), bot_secret(SEED, etui)
        while state.phase != DealPhase.OVER:
            if state.phase == DealPhase.PLAY and len(state.tricks) in TRICKS:
                compare_hands(state, secret, args.draws, sums)
            player, move = find_next_move(state, dict.fromkeys(range(PLAYERS), BotLevel.POLICY), secret)
            state = move.make(state, seat_of(player, PLAYERS))
    for (side, trick, kind), each in sorted(sums.items()):
        shares = f"with the taker {each.true / each.cards:5.1%}   drawn {each.drawn / each.cards:5.1%}"
        sys.stdout.write(f"{side:9} trick {trick + 1:2}   {kind:8}{shares}   error {each.error / each.cards:.3f}\n")
    for side in ("attack", "defence"):
        of_side = [each for (where, _trick, _kind), each in sums.items() if where == side]
        error = sum(each.error for each in of_side) / sum(each.cards for each in of_side)
        sys.stdout.write(f"{side:9} error of all cards {error:.4f}\n")
    return 0


def compare_hands(state: GameState, secret: bytes, draws: int, sums: dict[tuple[str, int, str], DrawErrors]) -> None:
    """Add the hidden cards of the player who moves to the sums, by side, trick and kind."""
    me, taker = state.turn, state.terms.taker
    assert taker is not None
    seen = view(state, state.seat)
    drawer, chance = HandDrawer(seen, StateMaker(seen)), decision_numbers(secret, seen)
    counts: dict[int, list[int]] = defaultdict(lambda: [0] * PLACES)
    for _draw in range(draws):
        drawn = drawer.draw(chance)
        for place, cards in enumerate((*drawn.hands, drawn.aside)):
            for card in cards_of(cards):
                counts[card][place] += 1
    for card in cards_of(WHOLE_DECK & ~find_located(seen)):
        there = next((player for player in range(PLAYERS) if state.hands[player] >> card & 1), PLAYERS)
        kind = next(name for name, cards in KINDS if cards >> card & 1)
        each = sums["attack" if me == taker else "defence", len(state.tricks), kind]
        each.cards += 1
        each.true += there == taker
        each.drawn += counts[card][taker] / draws
        each.error += sum((counts[card][place] / draws - (place == there)) ** 2 for place in range(PLACES))


if __name__ == "__main__":
    sys.exit(main())
