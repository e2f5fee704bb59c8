"""One deal: who holds each of the 78 cards. Complete and legal by construction, or a `DealError` says why not.

Knows neither how a deal is made or written, nor who may see it; its `repr` shows no card, so that no log can.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from deals.domain.cards import CARDS, CHIEN, EXCUSE, HAND, PETIT, Seat, seats, sign
from wording import Coded, Texts
from wording import gettext_noop as _


class DealError(Coded, ValueError):
    """What should be a deal is not one: a `code` and the `params` of its message, for the edge to translate."""

    messages: ClassVar[Texts] = {
        "players": _("A deal is for 3, 4 or 5 players, not %(found)s."),
        "size": _("%(hand)s: %(found)s instead of %(expected)s cards."),
        "unknown_card": _("%(hand)s: “%(found)s” is no card."),
        "duplicate_card": _("%(hand)s: %(card)s is already with %(other)s."),
    }

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = params
        super().__init__(code, params)


def places(players: int) -> tuple[str, ...]:
    """The names of the hands in dealing order, `chien` last: ("N", "E", "S", "W", "chien")."""
    if players not in HAND:
        raise DealError("players", found=players)
    return (*seats(players), "chien")


def expect_size(players: int, place: str) -> int:
    """How many cards the named hand, or the chien, must have."""
    return CHIEN[players] if place == "chien" else HAND[players]


@dataclass(frozen=True, init=False, repr=False)
class Deal:
    """The hands of 3, 4 or 5 players and the chien; two deals are equal when everybody holds the same cards.

    Kept as 78 bytes, for each card the number of the seat that has it, the chien counting as the seat after the last.
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
                    raise DealError("duplicate_card", hand=name, card=sign(card), other=names[holders[card]])
                holders[card] = number
            if len(pile) != (expected := expect_size(players, name)):
                raise DealError("size", hand=name, expected=expected, found=len(pile))
        object.__setattr__(self, "holders", bytes(holders[card] for card in range(CARDS)))

    @classmethod
    def from_holders(cls, holders: bytes) -> "Deal":
        """The deal of these holders, unchecked: for who makes them right by construction, thousands at a time."""
        deal = cls.__new__(cls)
        object.__setattr__(deal, "holders", holders)
        return deal

    def __repr__(self) -> str:
        return f"<Deal for {self.players}>"

    @property
    def players(self) -> int:
        """3, 4 or 5."""
        # The chien's number is the highest there is; `in` scans the bytes in C.
        return next(number for number in (5, 4, 3) if number in self.holders)

    @cached_property
    def piles(self) -> tuple[tuple[int, ...], ...]:
        """Every hand in dealing order, then the chien, each a rising tuple of cards."""
        piles: list[list[int]] = [[] for _ in range(self.players + 1)]
        for card, holder in enumerate(self.holders):
            piles[holder].append(card)
        return tuple(map(tuple, piles))

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The hands in dealing order (N, E, S, W), each a rising tuple; `cards.by_suit` sorts one for a page."""
        return self.piles[:-1]

    @property
    def chien(self) -> tuple[int, ...]:
        """The chien, a rising tuple of cards."""
        return self.piles[-1]

    def hand(self, seat: Seat) -> tuple[int, ...]:
        """The hand of one seat."""
        return self.hands[seats(self.players).index(seat)]


def has_petit_sec(deal: Deal) -> bool:
    """Whether a hand has the Petit, no other trump and no Excuse, which voids the deal (FFT 2012)."""
    holder = deal.holders[PETIT]
    return holder not in deal.holders[PETIT + 1 : EXCUSE + 1] and holder != deal.players
