"""A faster play of a deal, for programs that play thousands of deals. Legal cards and winners are as in `state`.

A `Playout` changes with each card. Nothing is checked: the caller must play legal cards only.
"""

from referee.cards import BEATING, BUT_EXCUSE, FOLLOWING, cards_of, find_legal, find_opening_leads
from referee.counting import count_result
from referee.state import GameState
from referee.terms import Trick, find_winner
from scoring.values import DealResult


class Playout:
    """A deal that is being played. It begins as a `GameState` in the phase of play, and each card changes it."""

    __slots__ = ("beating", "best", "cards", "hands", "leader", "led", "left", "players", "terms", "tricks", "turn")

    def __init__(self, state: GameState) -> None:
        self.terms = state.terms
        self.hands = list(state.hands)
        self.players = len(self.hands)
        self.turn, self.leader, self.best = state.turn, state.leader, state.best
        self.led, self.beating = state.led, state.beating
        self.cards, self.tricks = list(state.cards), list(state.tricks)
        self.left = max(hand.bit_count() for hand in self.hands)  # the number of tricks to come, with the present one

    def find_legal_mask(self) -> int:
        """Return the set of the cards that the player whose turn it is may play."""
        hand = self.hands[self.turn]
        if self.led:
            return find_legal(hand, self.led, self.beating)
        if not self.tricks and not self.cards:
            return find_opening_leads(hand, self.terms.called)
        return hand

    def list_legal_cards(self) -> list[int]:
        """Return the cards that the player whose turn it is may play, in rising order."""
        return cards_of(self.find_legal_mask())

    def play(self, card: int) -> None:
        """Play a legal card."""
        turn, bit = self.turn, 1 << card
        self.hands[turn] ^= bit
        self.cards.append(card)
        if self.beating & bit:
            self.best, self.beating = turn, BEATING[card]
            if not self.led:
                self.led = FOLLOWING[card]
        if len(self.cards) < self.players:
            turn += 1
            self.turn = turn if turn < self.players else 0
            return
        self.left -= 1
        cards, winner = tuple(self.cards), self.best
        if not self.left:
            winner = find_winner(self.terms, self.tricks, cards, self.leader, winner)
        self.tricks.append(Trick(self.leader, cards, winner))
        self.turn = self.leader = self.best = winner
        self.led, self.beating = 0, BUT_EXCUSE
        self.cards.clear()

    @property
    def is_over(self) -> bool:
        """True if every card is played."""
        return not self.left

    @property
    def result(self) -> DealResult | None:
        """The result after the last card, None before it."""
        return None if self.left else count_result(self.terms, self.tricks)
