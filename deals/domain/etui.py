"""The rules that give each étui number its taker, dealer and leader, before any card is dealt; ranges of étui numbers.

The taker is that of four players with an imposed taker; a free auction uses the dealer alone. This module knows no
cards.

Seen from above, North sits at the top and faces South, so West is at North's right hand, South at West's, East at
South's: N → W → S → E is both the counter-clockwise order of play and the order "to the right of". The player at the
dealer's right leads, whoever takes (FFT 2012).
"""

import re
from typing import ClassVar

from deals.domain.cards import Seat, seats
from deals.domain.deal import DealError
from deals.domain.dealing import MAX_ETUI, DealingError
from wording import Texts
from wording import gettext_noop as _


class EtuiError(DealError):
    """A wrong étui number, or a text that should name étuis and does not."""

    messages: ClassVar[Texts] = {
        "board": DealingError.messages["board"],
        "range": _("“%(found)s”: write the étuis as numbers and ranges in rising order, such as 1-36 or 1-4,9."),
    }


def to_the_right(seat: Seat, steps: int = 1, players: int = 4) -> Seat:
    """Return the seat `steps` places to the right of `seat`. The game is played in this direction."""
    table = seats(players)
    return table[(table.index(seat) - steps) % players]


def leader(dealer: Seat, players: int = 4) -> Seat:
    """Return the seat that bids first and leads: the one at the dealer's right. If North deals, West leads."""
    return to_the_right(dealer, players=players)


def taker_and_dealer(number: int) -> tuple[Seat, Seat]:
    """Return the taker and the dealer printed on étui `number`, from 1.

    The deal passes to the right from étui to étui: N, W, S, E. The taker sits one place to the dealer's right on étuis
    1–4, two places on 5–8, three on 9–12, and is the dealer on 13–16; then it begins again. So each group of four étuis
    has every taker and every dealer once and is equally hard for all four lines, and sixteen étuis have every pair of
    taker and dealer once.
    """
    if not 1 <= number <= MAX_ETUI:
        raise EtuiError("board", found=number)
    group, place = divmod(number - 1, 4)
    dealer = to_the_right(Seat.N, place)
    return to_the_right(dealer, group % 4 + 1), dealer


def name_seats(number: int, players: int = 4) -> tuple[Seat | None, Seat]:
    """Return the taker and the dealer of an étui. The taker is None for three or five players.

    With three or five players the deal passes to the right from étui to étui.
    """
    if players == 4:
        return taker_and_dealer(number)
    return None, to_the_right(Seat.N, number - 1, players)


def etui_ranges(text: str) -> tuple[range, ...]:
    """Return the étuis that a text such as `1-36`, `7` or `1-4,9` names, in the order of the text.

    They are ranges and are never expanded: a range may name millions of étuis.
    """
    ranges = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9]{1,10})\s*(?:-\s*([0-9]{1,10})\s*)?", part)
        if not found:
            raise EtuiError("range", found=part)
        first, last = int(found[1]), int(found[2] or found[1])
        for number in (first, last):
            if not 1 <= number <= MAX_ETUI:
                raise EtuiError("board", found=number)
        if last < first:
            raise EtuiError("range", found=part)
        ranges.append(range(first, last + 1))
    return tuple(ranges)
