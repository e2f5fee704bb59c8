"""The text of a deal in TDG-1. `dumps` writes it and `loads` reads it. Each deal has exactly one text.

A hand is `♠.♥.♦.♣.trumps`, each from high to low: T8732.R8.9.T96.17-10-8-7-5-4*. Honours are R D C V, a ten is T, and
`-` is a suit without cards. Trumps are joined by `-`, and `*` at the end is the Excuse. If there is neither, nothing
follows the last dot: `RD.-.T.98.`. A deal is its hands in the order of dealing and the chien, separated by one space.
Reading is strict here; `reading.py` reads what people type.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import ClassVar, TypeVar

from deals.domain.cards import EXCUSE, HAND, PETIT, Suit, by_suit, rank, show_card
from deals.domain.deal import Deal, DealError, expect_size, places
from wording import Texts
from wording import gettext_noop as _

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
