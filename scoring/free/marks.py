"""The marks that each seat of a play wins or loses, from the base score, a game's sheet or the arbiter."""

from collections.abc import Sequence
from fractions import Fraction

from scoring.contract import marks
from scoring.plays import SEATS, ScoringPlay, SeatNotes


def count_marks(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
    """Return the marks of each play, as they are: nothing is compared."""
    return [tuple(None if mark is None else Fraction(mark) for mark in find_marks(play)) for play in plays]


def find_marks(play: ScoringPlay) -> tuple[int | None, ...]:
    """Return the marks of each seat of a scored play, None for a seat without any.

    They sum to 0, except those that the arbiter assigned.
    """
    return play.marks or tuple(share_marks(play))


def share_marks(play: ScoringPlay) -> list[int | None]:
    """Return the mark of each seat of a play with a base score, None where nobody plays.

    At five players the partner has the base score, and the taker twice as much (FFT 2012 p. 12).
    """
    players = len(play.seats) - play.seats.count(None)
    called = play.partner not in (None, play.taker) if players == len(SEATS) else None
    mark = marks(read_base_score(play), players, called)
    if called is not True:
        return [
            None if who is None else mark.taker if seat == play.taker else mark.defender
            for seat, who in zip(SEATS, play.seats, strict=False)
        ]
    by_part = {play.taker: mark.taker, play.partner: mark.partner}
    return [by_part.get(seat, mark.defender) for seat in SEATS]


def read_base_score(play: ScoringPlay) -> int:
    """Return the base score of a play that has one."""
    assert play.base_score is not None  # only plays with a base score are compared
    return play.base_score
