"""The terms of a deal: everything that is known of it except the cards played, from the cards dealt to the poignées."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from deals.domain.cards import EXCUSE
from referee.cards import TAKES_CHIEN
from referee.rules import STANDARD, Bid, PlayRules, first_to_play
from scoring.values import Contract


class DealPhase(StrEnum):
    """The phases of a deal, in their order. A deal without a call, or without an écart, has no such phase."""

    AUCTION = "auction"
    CALL = "call"
    ECART = "ecart"
    PLAY = "play"
    OVER = "over"


class Trick(NamedTuple):
    """A complete trick: the player who led, the cards in the order in which they were played, and the winner."""

    leader: int
    cards: tuple[int, ...]
    winner: int


@dataclass(frozen=True)
class DealTerms:
    """The cards dealt, the dealer, the bids, and what the taker and the others announced. Sets of cards are integers.

    `dealt` has the hand of each player, before the chien. `contract` is None until the auction ends, and stays None if
    everybody passed. `called`: the card that a taker of five called. `ecart` is None until the taker discards, and
    always in a garde sans or contre. `chelem`: the player who announced a chelem. `poignees`: the cards of each player
    who showed a poignée. `is_void`: a hand has a petit sec, so the deal is not played.
    """

    dealt: tuple[int, ...]
    chien: int
    dealer: int
    rules: PlayRules = STANDARD
    bids: tuple[Bid, ...] = ()
    taker: int | None = None
    contract: Contract | None = None
    called: int | None = None
    ecart: int | None = None
    chelem: int | None = None
    poignees: tuple[tuple[int, int], ...] = ()
    is_void: bool = False

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.dealt)

    @cached_property
    def phase(self) -> DealPhase:
        """The phase in which the deal is. It stays PLAY when every card is played."""
        if self.is_void:
            return DealPhase.OVER
        if self.contract is None:
            return DealPhase.OVER if len(self.bids) == self.players else DealPhase.AUCTION
        if self.players == 5 and self.called is None:
            return DealPhase.CALL
        return DealPhase.ECART if self.ecart is None and self.contract in TAKES_CHIEN else DealPhase.PLAY

    @cached_property
    def partner(self) -> int | None:
        """The player whom the called card makes the taker's partner. None at 3 and 4, and if the taker plays alone."""
        if self.called is None:
            return None
        holder = next((player for player, hand in enumerate(self.dealt) if hand >> self.called & 1), None)
        return None if holder == self.taker else holder

    @cached_property
    def attackers(self) -> tuple[bool, ...]:
        """True for each player of the attack, False for each defender."""
        return tuple(player in (self.taker, self.partner) for player in range(self.players))

    @cached_property
    def hands(self) -> tuple[int, ...]:
        """The hands before the first card.

        The taker's hand includes the chien and, once the taker has discarded, not the écart.
        """
        if self.contract not in TAKES_CHIEN or self.phase == DealPhase.CALL:
            return self.dealt
        assert self.taker is not None
        taken = (self.dealt[self.taker] | self.chien) & ~(self.ecart or 0)
        return (*self.dealt[: self.taker], taken, *self.dealt[self.taker + 1 :])

    @cached_property
    def first_leader(self) -> int:
        """The player who leads first: the one who announced a chelem, otherwise the one on the dealer's right."""
        return first_to_play(self.dealer, self.players) if self.chelem is None else self.chelem

    @property
    def aside(self) -> int:
        """The cards that count without being played: the écart, or a chien that nobody took. 0 if they are unknown."""
        if self.ecart is not None:
            return self.ecart
        return 0 if self.contract in TAKES_CHIEN else self.chien

    def change(self, **values: object) -> "DealTerms":
        """Return the terms with other values."""
        return replace(self, **values)  # type: ignore[arg-type]


def find_winner(terms: DealTerms, tricks: Sequence[Trick], cards: tuple[int, ...], leader: int, best: int) -> int:
    """Return the winner of the last trick. `best`: the player of the best card, by the order of the cards.

    The player of the Excuse wins the last trick if that player's side has won every trick before.
    """
    if EXCUSE not in cards:
        return best
    owner = (leader + cards.index(EXCUSE)) % terms.players
    attack = terms.attackers
    may_win = attack[owner] or terms.rules.defence_excuse_wins
    if may_win and all(attack[trick.winner] == attack[owner] for trick in tricks):
        return owner
    return best
