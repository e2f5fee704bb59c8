"""What is right and what is still wrong in hands that somebody is typing: all of it, where a reader stops at once.

Knows the counts and the 78 cards; how letters are read is `reading.py`'s business.
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
    """A hand that is being typed cannot be read at the `column`, from 1 in its own line."""

    messages: ClassVar[Texts] = {
        "suits": _("Column %(column)s: %(found)s instead of 5 parts (♠.♥.♦.♣.trumps)."),
        "rank": _("Column %(column)s: %(found)s is no card of a suit (R D C V 10 9 … 2 1)."),
        "trump": _("Column %(column)s: %(found)s is no trump from 1 to 21."),
    }


@dataclass(frozen=True, slots=True)
class TypedHand:
    """One hand or the chien as far as it is typed: its cards, or what cannot be read in it."""

    place: str
    expected: int
    cards: tuple[int, ...]
    error: TypedError | None = None

    @property
    def lacking(self) -> int:
        """How many cards it still wants; negative where it has too many."""
        return self.expected - len(self.cards)


@dataclass(frozen=True, slots=True)
class TypedDeal:
    """`repeated`: cards typed more than once, with the hands they stand in; `missing`: cards that no hand has."""

    hands: tuple[TypedHand, ...]
    repeated: tuple[tuple[int, tuple[str, ...]], ...]
    missing: tuple[int, ...]

    @property
    def deal(self) -> Deal | None:
        """The deal, once all is right."""
        if self.repeated or self.missing or any(hand.error or hand.lacking for hand in self.hands):
            return None
        *hands, chien = (hand.cards for hand in self.hands)
        return Deal(hands, chien)


def check_typed(texts: Mapping[str, str], players: int) -> TypedDeal:
    """Reads the text of each place ("N" … "chien") by itself, then compares the hands with each other."""
    hands = tuple(_read(texts.get(place, ""), place, players) for place in places(players))
    holders: dict[int, list[str]] = {}
    for hand in hands:
        for card in hand.cards:
            holders.setdefault(card, []).append(hand.place)
    repeated = tuple((card, tuple(holders[card])) for card in order_for_display(holders) if len(holders[card]) > 1)
    return TypedDeal(hands, repeated, order_for_display(card for card in range(CARDS) if card not in holders))


def _read(text: str, place: str, players: int) -> TypedHand:
    expected = expect_size(players, place)
    if not text.strip():
        return TypedHand(place, expected, ())
    try:
        return TypedHand(place, expected, tuple(card for card, _ in read_hand(text, place, TextPlace(1, 1))))
    except ExchangeError as error:
        told = TypedError(error.code, column=error.params["place"].column, found=error.params["found"])
        return TypedHand(place, expected, (), told)
