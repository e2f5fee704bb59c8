"""The 78 cards as integers, with their order, their signs and their points, and the sizes of hands and chien.

The spades (As, 2 … 10, Valet, Cavalier, Dame, Roi) are 0–13. Likewise ♥ are 14–27, ♦ 28–41 and ♣ 42–55. The trumps 1–21
are 56–76, and the Excuse is 77. So within a suit, and among the trumps, the higher number is the higher card. This
module knows only the signs of the cards, not their names in a language.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import cache

CARDS = 78
PETIT, TRUMP_21, EXCUSE = 56, 76, 77
BOUTS = frozenset({PETIT, TRUMP_21, EXCUSE})
HONOURS = "VCDR"
HAND = {3: 24, 4: 18, 5: 15}
CHIEN = {3: 6, 4: 6, 5: 3}


class Suit(StrEnum):
    """The four suits and the trumps, each with the sign that a page shows. The Excuse counts as a trump."""

    SPADES = "♠"
    HEARTS = "♥"
    DIAMONDS = "♦"
    CLUBS = "♣"
    TRUMPS = "★"


_SUITS = tuple(Suit)


class Seat(StrEnum):
    """The places at a table, clockwise, in the order in which the dealing algorithm TDG-1 fills them.

    Three players sit N, E, S. The fifth player is F (fifth) and sits between West and North.
    """

    N = "N"
    E = "E"
    S = "S"
    W = "W"
    F = "F"


@cache
def seats(players: int) -> tuple[Seat, ...]:
    """Return the seats of a table of 3, 4 or 5 players, in the order of dealing."""
    return tuple(Seat)[:players]


LINES = seats(4)  # the seats of a tournament's table


def suit(card: int) -> Suit:
    """Return the card's suit, which is TRUMPS for the Excuse too."""
    return _SUITS[min(card // 14, 4)]


def rank(card: int) -> int:
    """Return the card's rank: 1 to 14 in a suit (11 Valet … 14 Roi), 1 to 21 for a trump, 0 for the Excuse."""
    if card == EXCUSE:
        return 0
    return card - PETIT + 1 if card >= PETIT else card % 14 + 1


def is_trump(card: int) -> bool:
    """Return whether the card is one of the 21 trumps. The Excuse is not."""
    return PETIT <= card <= TRUMP_21


def is_bout(card: int) -> bool:
    """Return whether the card is the Petit, the 21 or the Excuse."""
    return card in BOUTS


def half_points(card: int) -> int:
    """Return the value of the card in half points. All 78 cards have 182 (FFT 2012)."""
    if card in BOUTS:
        return 9
    return 1 if card >= PETIT else max(1, 2 * (rank(card) - 10) + 1)


def show_card(card: int) -> str:
    """Return the card as a page shows it: `♠R`, `♥10`, `17`, `*` for the Excuse."""
    if card == EXCUSE:
        return "*"
    number = rank(card)
    return str(number) if card >= PETIT else suit(card) + (HONOURS[number - 11] if number > 10 else str(number))


def by_suit(cards: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Return the cards in five groups, ♠ ♥ ♦ ♣ trumps, each from high to low. The Excuse comes after the last trump."""
    groups: list[list[int]] = [[], [], [], [], []]
    for card in sorted(cards, reverse=True):
        groups[min(card // 14, 4)].append(card)
    trumps = groups[4]
    if trumps and trumps[0] == EXCUSE:
        trumps.append(trumps.pop(0))
    return tuple(map(tuple, groups))


def order_for_display(cards: Iterable[int]) -> tuple[int, ...]:
    """Return the cards as people read them: suit by suit, high to low, then the trumps, then the Excuse."""
    return tuple(card for group in by_suit(cards) for card in group)
