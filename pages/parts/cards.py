"""The cards and hands of a deal as pages draw and name them. This module does not decide who may see a card."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext_lazy

from deals.domain.cards import EXCUSE, HONOURS, PETIT, TRUMP_21, is_trump, order_for_display, rank, seats
from deals.domain.deal import loads
from tournaments.words.figures import SUITS, name_card


@dataclass(frozen=True, slots=True)
class CardFace:
    """The face of a drawn card, and its name for readers who cannot see it.

    `index` is empty on the Excuse, which shows a star.
    """

    index: str
    suit: str
    name: str


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one line, or of the chien, for which `line` is empty.

    `worth` lists trumps, bouts and honours in words.
    """

    line: str
    cards: list[CardFace]
    worth: str


def hands_of(text: str) -> tuple[list[Hand], Hand | None]:
    """Return the hands and the chien of a deal's text, ready to draw.

    Return ([], None) if the cards are not known.
    """
    if not text:
        return [], None
    deal = loads(text)
    there = zip(seats(deal.players), deal.hands, strict=True)
    hands = [Hand(line, faces(cards), worth(cards)) for line, cards in there]
    return hands, Hand("", faces(deal.chien), worth(deal.chien))


def worth(cards: Iterable[int]) -> str:
    """Return the worth of cards in words: "9 trumps · 21, Petit · 2 Rois, 1 Dame".

    The number of trumps comes first, then the bouts, then the honours.
    """
    held = list(cards)
    trumps = sum(map(is_trump, held))
    bouts = [str(name) for card, name in BOUT_NAMES.items() if card in held]
    ranks = Counter(rank(card) for card in held if card < PETIT)
    honours = [str(text % {"count": ranks[number]}) for number, text in HONOURS_COUNTED.items() if ranks[number]]
    told = [ngettext("%(count)s trump", "%(count)s trumps", trumps) % {"count": trumps}] if trumps else []
    return " · ".join([*told, *([", ".join(bouts)] if bouts else []), *([", ".join(honours)] if honours else [])])


BOUT_NAMES: dict[int, str | Promise] = {
    TRUMP_21: "21",
    PETIT: pgettext_lazy("the bout", "Petit"),
    EXCUSE: gettext_lazy("Excuse"),
}
HONOURS_COUNTED = {
    14: ngettext_lazy("%(count)s Roi", "%(count)s Rois", "count"),
    13: ngettext_lazy("%(count)s Dame", "%(count)s Dames", "count"),
    12: ngettext_lazy("%(count)s Cavalier", "%(count)s Cavaliers", "count"),
    11: ngettext_lazy("%(count)s Valet", "%(count)s Valets", "count"),
}


def faces(cards: Iterable[int]) -> list[CardFace]:
    """Return the faces in the order of a hand: suit by suit, high to low, then the trumps, then the Excuse."""
    return [face(card) for card in order_for_display(cards)]


def face(card: int) -> CardFace:
    name = name_card(card)
    if card == EXCUSE:
        return CardFace("", "excuse", name)
    number = rank(card)
    if is_trump(card):
        return CardFace(str(number), "trumps", name)
    index = HONOURS[number - 11] if number > 10 else str(number)
    return CardFace(index, SUITS[card // 14], name)
