"""One deal, the holder of each of the 78 cards, and its text in TDG-1: each deal has exactly one.

A `Deal` is always complete and legal. If cards do not make a deal, `DealError` says why. This module does not make or
write deals. The `repr` of a deal shows no card, so no log can show one.

A hand is `♠.♥.♦.♣.trumps`, each from high to low: T8732.R8.9.T96.17-10-8-7-5-4*. Honours are R D C V, a ten is T, and
`-` is a suit without cards. Trumps are joined by `-`, and `*` at the end is the Excuse. If there is neither, nothing
follows the last dot: `RD.-.T.98.`. A deal is its hands in the order of dealing and the chien, separated by one space.
Reading is strict here; `reading.py` reads what people type.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, TypeVar

from deals.domain.cards import CARDS, CHIEN, EXCUSE, HAND, PETIT, Seat, Suit, by_suit, rank, seats, show_card
from wording import CodedError, Texts
from wording import gettext_noop as _


class DealError(CodedError):
    """The error for cards that do not make a deal. Pages and the API translate the message of its `code`.

    `params` are the figures of the message.
    """

    messages: ClassVar[Texts] = {
        "players": _("A deal is for 3, 4 or 5 players, not %(found)s."),
        "size": _("%(hand)s: %(found)s cards instead of %(expected)s."),
        "unknown_card": _("%(hand)s: “%(found)s” is not a card."),
        "duplicate_card": _("%(hand)s: %(card)s is already there (%(other)s)."),
    }


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


RANKS = "123456789TVCDR"
Where = TypeVar("Where")  # the type by which a caller of `assemble` names a place in its input
TRUMP = re.compile(r"[1-9][0-9]?")


class NotationError(DealError):
    """The error for a text that is not a deal.

    `params` has the `hand` ("N" … "chien") and the `column`, counted from 1 in the whole text.
    """

    messages: ClassVar[Texts] = {
        "hands": _(
            "Column %(column)s: a deal has 4, 5 or 6 groups of cards (one for each player, then the chien), "
            "not %(found)s."
        ),
        "suits": _("%(hand)s, column %(column)s: %(found)s parts instead of 5 (♠.♥.♦.♣.trumps)."),
        "empty": _("%(hand)s, column %(column)s: nothing is written for %(suit)s. A void is “-”."),
        "rank": _("%(hand)s, column %(column)s: “%(found)s” is not one of R D C V T 9 8 7 6 5 4 3 2 1."),
        "trump": _("%(hand)s, column %(column)s: “%(found)s” is not a trump from 1 to 21."),
        "order": _(
            "%(hand)s, column %(column)s: %(found)s comes after a lower card. Write the cards from high to low."
        ),
        "duplicate_card": _("%(hand)s, column %(column)s: %(card)s is already there (%(other)s)."),
        "size": _("%(hand)s, column %(column)s: %(found)s cards instead of %(expected)s."),
    }


def hand_text(cards: Iterable[int]) -> str:
    """Return one hand, or the chien, as text."""
    *suits, trumps = by_suit(cards)
    parts = ["".join(RANKS[card % 14] for card in group) or "-" for group in suits]
    excuse = "*" if trumps and trumps[-1] == EXCUSE else ""
    numbers = "-".join(str(rank(card)) for card in trumps if card != EXCUSE)
    return ".".join((*parts, numbers + excuse))


def dumps(deal: Deal) -> str:
    """Return the deal as one line of text, without a newline."""
    return " ".join(map(hand_text, deal.piles))


def loads(text: str) -> Deal:
    """Return the deal of a text that `dumps` wrote. Raise NotationError on any other text."""
    groups = text.split(" ")
    players = len(groups) - 1
    if players not in HAND:
        raise NotationError("hands", hand="", column=1, found=len(groups))
    columns = accumulate((len(group) + 1 for group in groups), initial=1)
    names = places(players)
    hands = [(column, _hand(group, hand, column)) for column, group, hand in zip(columns, groups, names, strict=False)]
    return assemble(hands, NotationError)


def assemble(hands: Sequence[tuple[Where, Iterable[tuple[int, Where]]]], fail: Callable[..., DealError]) -> Deal:
    """Return the deal made of these hands, in the order of dealing, the chien last.

    Each hand, and each of its cards, comes with its place in the input. If a card comes twice, or a hand has a wrong
    number of cards, raise the error that `fail` returns. `fail` gets a code ("duplicate_card" or "size"), the `hand`,
    the `column` and the figures of the fault.
    """
    owners: dict[int, str] = {}
    piles: list[list[int]] = []
    for hand, (start, cards) in zip(places(len(hands) - 1), hands, strict=True):
        pile = []
        for card, column in cards:
            if card in owners:
                raise fail("duplicate_card", hand=hand, column=column, card=show_card(card), other=owners[card])
            owners[card] = hand
            pile.append(card)
        if len(pile) != (expected := expect_size(len(hands) - 1, hand)):
            raise fail("size", hand=hand, column=start, expected=expected, found=len(pile))
        piles.append(pile)
    return Deal(piles[:-1], piles[-1])


def load_hand(text: str, name: str) -> tuple[int, ...]:
    """Return the cards of one hand, of any number of cards. `name` is the hand's name in the NotationError."""
    return tuple(card for card, _column in _hand(text, name, 1))


def _hand(group: str, hand: str, column: int) -> Iterator[tuple[int, int]]:
    """Yield the cards of one hand, each with the column in which it is written."""
    parts = group.split(".")
    if len(parts) != 5:
        raise NotationError("suits", hand=hand, column=column, found=len(parts))
    for number, part in enumerate(parts):
        if number == 4:
            yield from _trumps(part, hand, column)
        elif not part:
            raise NotationError("empty", hand=hand, column=column, suit=tuple(Suit)[number])
        elif part != "-":
            yield from _suit(part, 14 * number, hand, column)
        column += len(part) + 1


def _suit(part: str, first: int, hand: str, column: int) -> Iterator[tuple[int, int]]:
    last = len(RANKS)
    for at, letter in enumerate(part, column):
        place = RANKS.find(letter)
        if place < 0:
            raise NotationError("rank", hand=hand, column=at, found=letter)
        if place > last:
            raise NotationError("order", hand=hand, column=at, found=show_card(first + place))
        yield first + place, at
        last = place


def _trumps(part: str, hand: str, column: int) -> Iterator[tuple[int, int]]:
    numbers = part.removesuffix("*")
    last = 21
    for number in numbers.split("-") if numbers else ():
        if not TRUMP.fullmatch(number) or int(number) > 21:
            raise NotationError("trump", hand=hand, column=column, found=number)
        if int(number) > last:
            raise NotationError("order", hand=hand, column=column, found=number)
        last = int(number)
        yield PETIT + last - 1, column
        column += len(number) + 1
    if part != numbers:
        yield EXCUSE, column - 1 if numbers else column
