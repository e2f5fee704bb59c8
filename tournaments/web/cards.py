"""How a card is drawn and named on a page. Knows faces and words; not who may see a card."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from deals.domain.cards import EXCUSE, HONOURS, is_trump, order_for_display, rank

SUITS = ("spades", "hearts", "diamonds", "clubs")
SUIT_NAMES: dict[str, str | Promise] = {
    "spades": gettext_lazy("spades"),
    "hearts": gettext_lazy("hearts"),
    "diamonds": gettext_lazy("diamonds"),
    "clubs": gettext_lazy("clubs"),
}
RANK_NAMES: dict[int, str | Promise] = {
    1: gettext_lazy("Ace"),
    11: gettext_lazy("Valet"),
    12: gettext_lazy("Cavalier"),
    13: gettext_lazy("Dame"),
    14: gettext_lazy("Roi"),
}


@dataclass(frozen=True, slots=True)
class CardFace:
    """What a drawn card shows, and its name for whoever cannot see it. `index` is empty on the Excuse, a star."""

    index: str
    suit: str
    name: str


def faces(cards: Iterable[int]) -> list[CardFace]:
    """The cards as a hand is read: suit by suit, high to low, the trumps last and the Excuse after them."""
    return [face(card) for card in order_for_display(cards)]


def face(card: int) -> CardFace:
    if card == EXCUSE:
        return CardFace("", "excuse", _("Excuse"))
    number = rank(card)
    if is_trump(card):
        return CardFace(str(number), "trumps", _("%(number)s of trumps") % {"number": number})
    drawn = SUITS[card // 14]
    index = HONOURS[number - 11] if number > 10 else str(number)
    name = _("%(rank)s of %(suit)s") % {"rank": RANK_NAMES.get(number, number), "suit": SUIT_NAMES[drawn]}
    return CardFace(index, drawn, name)
