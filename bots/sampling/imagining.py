"""The states of a deal that a player imagines: the hidden cards of a view are placed somewhere, and nothing is checked.

`referee.views.view` is the inverse. If the cards are placed as the view allows, the view of the imagined state is the
view from which it was made.
"""

from bots.suits import read_trick
from referee.cards import TAKES_CHIEN
from referee.state import GameState
from referee.terms import DealPhase, DealTerms
from referee.views import SeatView


class StateMaker:
    """A maker of the states that one view allows, in the phase of play."""

    __slots__ = ("beating", "best", "led", "played", "seen", "takes_chien")

    def __init__(self, seen: SeatView) -> None:
        assert seen.phase == DealPhase.PLAY
        assert seen.taker is not None
        self.seen, self.takes_chien = seen, seen.contract in TAKES_CHIEN
        played = [0] * len(seen.sizes)
        for leader, cards in (*((trick.leader, trick.cards) for trick in seen.tricks), (seen.leader, seen.cards)):
            for place, card in enumerate(cards):
                played[(leader + place) % len(played)] |= 1 << card
        self.played = tuple(played)
        self.led, self.beating, self.best = read_trick(seen)

    def find_dealt(self, hands: tuple[int, ...], aside: int) -> tuple[int, ...]:
        """Return the hands as they were dealt, if the players have these hands now and these cards lie aside."""
        dealt = [hand | played for hand, played in zip(hands, self.played, strict=True)]
        if self.takes_chien:
            assert self.seen.taker is not None
            dealt[self.seen.taker] = (dealt[self.seen.taker] | aside) & ~self.seen.chien
        return tuple(dealt)

    def make(self, hands: tuple[int, ...], aside: int) -> GameState:
        """Return the state with these hands. `aside`: the écart, or the chien of a garde sans or contre."""
        seen = self.seen
        terms = DealTerms(
            self.find_dealt(hands, aside),
            seen.chien if self.takes_chien else aside,
            seen.dealer,
            seen.rules,
            seen.bids,
            seen.taker,
            seen.contract,
            seen.called,
            aside if self.takes_chien else None,
            seen.chelem,
            seen.poignees,
        )
        return GameState(
            terms, hands, seen.turn, seen.legal, seen.leader, seen.cards, self.led, self.beating, self.best, seen.tricks
        )
