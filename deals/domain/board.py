"""What a board's number says before any card is dealt: who takes, who deals, who leads; and ranges of board numbers.

Four players and an imposed taker; a free auction uses the dealer alone. Knows no cards.

Seen from above North sits at the top and faces South, so West is at his right hand, South at West's, East at South's:
N → W → S → E is both the counter-clockwise order of play and the order "to the right of". Whoever sits at the
dealer's right leads, whoever takes (FFT 2012).
"""

import re
from typing import ClassVar

from deals.domain.cards import Seat, seats
from deals.domain.deal import DealError
from deals.domain.dealing import MAX_BOARD, DealingError
from wording import Texts
from wording import gettext_noop as _


class BoardError(DealError):
    """A board number, or a text that should name several, is wrong."""

    messages: ClassVar[Texts] = {
        "board": DealingError.messages["board"],
        "range": _("“%(found)s”: write the étuis as numbers and rising ranges, such as 1-36 or 1-4,9."),
    }


def to_the_right(seat: Seat, steps: int = 1, players: int = 4) -> Seat:
    """The player `steps` places to the right of a seat, which is the direction in which the game is played."""
    table = seats(players)
    return table[(table.index(seat) - steps) % players]


def leader(dealer: Seat, players: int = 4) -> Seat:
    """Who speaks first and leads: the player at the dealer's right. North deals, West leads."""
    return to_the_right(dealer, players=players)


def taker_and_dealer(number: int) -> tuple[Seat, Seat]:
    """The taker and the dealer printed on board `number`, from 1.

    The deal passes to the right from board to board: N, W, S, E. The taker sits one place to the dealer's right on
    boards 1–4, two on 5–8, three on 9–12, and is the dealer himself on 13–16; then again. So each group of four boards
    has every taker and every dealer once and puts all four lines before the same task, and sixteen boards have every
    pair once.
    """
    if not 1 <= number <= MAX_BOARD:
        raise BoardError("board", found=number)
    group, place = divmod(number - 1, 4)
    dealer = to_the_right(Seat.N, place)
    return to_the_right(dealer, group % 4 + 1), dealer


def name_seats(number: int, players: int = 4) -> tuple[Seat | None, Seat]:
    """Taker and dealer of a board; for three or five players the dealer alone, the deal passing to the right."""
    if players == 4:
        return taker_and_dealer(number)
    return None, to_the_right(Seat.N, number - 1, players)


def board_ranges(text: str) -> tuple[range, ...]:
    """The boards that a text such as `1-36`, `7` or `1-4,9` names, in its order, as ranges that are never expanded."""
    ranges = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9]{1,10})\s*(?:-\s*([0-9]{1,10})\s*)?", part)
        if not found:
            raise BoardError("range", found=part)
        first, last = int(found[1]), int(found[2] or found[1])
        for number in (first, last):
            if not 1 <= number <= MAX_BOARD:
                raise BoardError("board", found=number)
        if last < first:
            raise BoardError("range", found=part)
        ranges.append(range(first, last + 1))
    return tuple(ranges)
