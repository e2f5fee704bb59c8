"""The taker, dealer and leader of each étui, which follow from its number; the ranges of étui numbers.

The taker is for four players with an imposed taker; a free auction uses only the dealer. Seen from above, North sits at
the top and faces South. So West is at North's right hand, South at West's, East at South's. The direction of play is
counter-clockwise: N → W → S → E. The player at the dealer's right leads, whoever takes (FFT 2012).
"""

import re
from typing import ClassVar

from deals.domain.cards import Seat, seats
from deals.domain.deal import DealError
from deals.domain.dealing import MAX_ETUI, DealingError
from wording import Texts
from wording import gettext_noop as _


class EtuiError(DealError):
    """The error for a wrong étui number, or for a text that does not name étuis."""

    messages: ClassVar[Texts] = {
        "board": DealingError.messages["board"],
        "range": _("“%(found)s”: write the étuis as numbers and ranges in rising order, such as 1-36 or 1-4,9."),
    }


def to_the_right(seat: Seat, steps: int = 1, players: int = 4) -> Seat:
    """Return the seat `steps` places to the right of `seat`, in the direction of play."""
    table = seats(players)
    return table[(table.index(seat) - steps) % players]


def leader(dealer: Seat, players: int = 4) -> Seat:
    """Return the seat that bids first and leads: the seat at the dealer's right. If North deals, West leads."""
    return to_the_right(dealer, players=players)


def taker_and_dealer(number: int) -> tuple[Seat, Seat]:
    """Return the taker and the dealer printed on étui `number`, counted from 1, for four players.

    From étui to étui the dealer moves one place to the right: N, W, S, E. The taker sits one place to the dealer's
    right on étuis 1–4, two places on 5–8, and three places on 9–12. On étuis 13–16 the taker is the dealer. Étui 17 is
    like étui 1. So in each group of four étuis every line takes once and deals once. Sixteen étuis have every pair of
    taker and dealer once.
    """
    if not 1 <= number <= MAX_ETUI:
        raise EtuiError("board", found=number)
    group, place = divmod(number - 1, 4)
    dealer = to_the_right(Seat.N, place)
    return to_the_right(dealer, group % 4 + 1), dealer


def name_seats(number: int, players: int = 4) -> tuple[Seat | None, Seat]:
    """Return the taker and the dealer of an étui. The taker is None if three or five play."""
    if players == 4:
        return taker_and_dealer(number)
    return None, to_the_right(Seat.N, number - 1, players)


def etui_ranges(text: str) -> tuple[range, ...]:
    """Return the étuis that a text such as `1-36`, `7` or `1-4,9` names, as ranges in the order of the text.

    A range may name millions of étuis. Raise EtuiError on a text that cannot be read.
    """
    ranges = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,10})\s*(?:-\s*([0-9]{1,10})\s*)?", part)
        if not match:
            raise EtuiError("range", found=part)
        first, last = int(match[1]), int(match[2] or match[1])
        for number in (first, last):
            if not 1 <= number <= MAX_ETUI:
                raise EtuiError("board", found=number)
        if last < first:
            raise EtuiError("range", found=part)
        ranges.append(range(first, last + 1))
    return tuple(ranges)
