"""The check of hands while somebody types them. It lists everything that is right or wrong, not only the first fault.

`reading.py` knows how letters are read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from deals.domain.cards import CARDS, order_for_display
from deals.domain.deal import Deal, DealError, expect_size, places
from deals.domain.reading import ExchangeError, TextPlace, read_hand
from wording import Texts
from wording import gettext_noop as _


class TypedError(DealError):
    """The error of a hand that is being typed and cannot be read. `column` counts from 1 in the hand's own line."""

    messages: ClassVar[Texts] = {
        "suits": _("Column %(column)s: %(found)s parts instead of 5 (♠.♥.♦.♣.trumps)."),
        "rank": _("Column %(column)s: %(found)s is not a card of a suit (R D C V 10 9 … 2 1)."),
        "trump": _("Column %(column)s: %(found)s is not a trump from 1 to 21."),
    }


@dataclass(frozen=True, slots=True)
class TypedHand:
    """One hand, or the chien, as far as it is typed: its cards, or the first error."""

    place: str
    expected: int
    cards: tuple[int, ...]
    error: TypedError | None = None

    @property
    def lacking(self) -> int:
        """The number of cards that the hand still needs. It is negative if the hand has too many."""
        return self.expected - len(self.cards)


@dataclass(frozen=True, slots=True)
class TypedDeal:
    """All hands of a deal as far as they are typed.

    `repeated`: the cards typed more than once, each with the places that have it. `missing`: the cards that no hand
    has.
    """

    hands: tuple[TypedHand, ...]
    repeated: tuple[tuple[int, tuple[str, ...]], ...]
    missing: tuple[int, ...]

    @property
    def deal(self) -> Deal | None:
        """The deal if everything is right, otherwise None."""
        if self.repeated or self.missing or any(hand.error or hand.lacking for hand in self.hands):
            return None
        *hands, chien = (hand.cards for hand in self.hands)
        return Deal(hands, chien)


def check_typed(texts: Mapping[str, str], players: int) -> TypedDeal:
    """Return the hands read from the text of each place ("N" … "chien"), with repeated and missing cards."""
    hands = tuple(_read_hand(texts.get(place, ""), place, players) for place in places(players))
    holders: dict[int, list[str]] = {}
    for hand in hands:
        for card in hand.cards:
            holders.setdefault(card, []).append(hand.place)
    repeated = tuple((card, tuple(holders[card])) for card in order_for_display(holders) if len(holders[card]) > 1)
    return TypedDeal(hands, repeated, order_for_display(card for card in range(CARDS) if card not in holders))


def _read_hand(text: str, place: str, players: int) -> TypedHand:
    expected = expect_size(players, place)
    if not text.strip():
        return TypedHand(place, expected, ())
    try:
        return TypedHand(place, expected, tuple(card for card, _ in read_hand(text, place, TextPlace(1, 1))))
    except ExchangeError as error:
        told = TypedError(error.code, column=error.params["place"].column, found=error.params["found"])
        return TypedHand(place, expected, (), told)
