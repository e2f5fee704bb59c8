"""The name of each card for readers who cannot see it."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from deals.domain.cards import EXCUSE, is_trump, rank

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


def name_card(card: int) -> str:
    """Return the name of a card in the active language: "Roi of spades", "17 of trumps", "Excuse"."""
    if card == EXCUSE:
        return _("Excuse")
    number = rank(card)
    if is_trump(card):
        return _("%(number)s of trumps") % {"number": number}
    return _("%(rank)s of %(suit)s") % {
        "rank": RANK_NAMES.get(number, number),
        "suit": SUIT_NAMES[SUITS[card // 14]],
    }
