"""What a word on a player weighs, as people read it."""

from decimal import Decimal
from fractions import Fraction
from typing import Protocol

from tournaments.words.desk_sentences import WEIGHTS
from tournaments.words.figures import decimal


class Weighing(Protocol):
    @property
    def kind(self) -> str: ...

    @property
    def points(self) -> Decimal: ...


def say_weight(word: Weighing) -> str:
    """ "−2.50 on the percentage", of a penalty, bonus or warning; one of a club's list names no position."""
    once, for_position = WEIGHTS[word.kind]
    position = getattr(word, "position", None)
    told = {"points": decimal(Fraction(word.points), 2), "position": position}
    return str(for_position if position else once) % told
