"""One deal: the holder of each of the 78 cards.

A `Deal` is always complete and legal. If cards do not make a deal, `DealError` says why. This module does not make or
write deals. The `repr` of a deal shows no card, so no log can show one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from deals.domain.cards import CARDS, CHIEN, EXCUSE, HAND, PETIT, Seat, seats, show_card
from wording import CodedText, Texts
from wording import gettext_noop as _


class DealError(CodedText, ValueError):
    """The error for cards that do not make a deal. Pages and the API translate the message of its `code`.

    `params` are the figures of the message.
    """

    messages: ClassVar[Texts] = {
        "players": _("A deal is for 3, 4 or 5 players, not %(found)s."),
        "size": _("%(hand)s: %(found)s cards instead of %(expected)s."),
        "unknown_card": _("%(hand)s: “%(found)s” is not a card."),
        "duplicate_card": _("%(hand)s: %(card)s is already there (%(other)s)."),
    }

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = params
        super().__init__(code, params)


def places(players: int) -> tuple[str, ...]:
    """Return the names of the hands in the order of dealing, the chien last: ("N", "E", "S", "W", "chien").

    Raise DealError if the number of players is not 3, 4 or 5.
    """
    if players not in HAND:
        raise DealError("players", found=players)
    return (*seats(players), "chien")


def expect_size(players: int, place: str) -> int:
    """Return how many cards this hand, or the chien, must have."""
    return CHIEN[players] if place == "chien" else HAND[players]


@dataclass(frozen=True, init=False, repr=False)
class Deal:
    """The hands of 3, 4 or 5 players and the chien. Two deals are equal if every hand has the same cards.

    A deal is kept as 78 bytes: for each card, the index of the seat that holds it. The chien is the index after the
    last seat.
    """

    holders: bytes

    def __init__(self, hands: Iterable[Iterable[int]], chien: Iterable[int]) -> None:
        piles = (*map(tuple, hands), tuple(chien))
        players = len(piles) - 1
        holders: dict[int, int] = {}
        names = places(players)
        for number, (name, pile) in enumerate(zip(names, piles, strict=True)):
            for card in pile:
                if not isinstance(card, int) or not 0 <= card < CARDS:
                    raise DealError("unknown_card", hand=name, found=card)
                if card in holders:
                    raise DealError("duplicate_card", hand=name, card=show_card(card), other=names[holders[card]])
                holders[card] = number
            if len(pile) != (expected := expect_size(players, name)):
                raise DealError("size", hand=name, expected=expected, found=len(pile))
        object.__setattr__(self, "holders", bytes(holders[card] for card in range(CARDS)))

    @classmethod
    def from_holders(cls, holders: bytes) -> "Deal":
        """Return the deal with these holders of the 78 cards, without any check.

        It is for callers that make thousands of deals, all of them legal.
        """
        deal = cls.__new__(cls)
        object.__setattr__(deal, "holders", holders)
        return deal

    def __repr__(self) -> str:
        return f"<Deal for {self.players}>"

    @property
    def players(self) -> int:
        """The number of players: 3, 4 or 5."""
        # The chien is the highest index of all, so it equals the number of players. `in` is fast, as it runs in C.
        return next(number for number in (5, 4, 3) if number in self.holders)

    @cached_property
    def piles(self) -> tuple[tuple[int, ...], ...]:
        """The hands in the order of dealing, then the chien. Each is a tuple of cards in rising order."""
        piles: list[list[int]] = [[] for _ in range(self.players + 1)]
        for card, holder in enumerate(self.holders):
            piles[holder].append(card)
        return tuple(map(tuple, piles))

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The hands in the order of dealing (N, E, S, W), each a tuple of cards in rising order.

        `cards.by_suit` sorts a hand as a page shows it.
        """
        return self.piles[:-1]

    @property
    def chien(self) -> tuple[int, ...]:
        """The chien, a tuple of cards in rising order."""
        return self.piles[-1]

    def hand(self, seat: Seat) -> tuple[int, ...]:
        """Return the hand of one seat."""
        return self.hands[seats(self.players).index(seat)]


def has_petit_sec(deal: Deal) -> bool:
    """Return whether a hand has the Petit without another trump and without the Excuse.

    Such a deal is void (FFT 2012).
    """
    holder = deal.holders[PETIT]
    return holder not in deal.holders[PETIT + 1 : EXCUSE + 1] and holder != deal.players
