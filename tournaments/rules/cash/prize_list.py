"""The list of prizes as a director types it: one prize on each line.

A line has a rank, a colon, and an amount or a share of the pot. Two ranks stand for all ranks between them. Examples
are `1: 40 %`, `1er : 40 %`, `2: 15`, `4-8: 5` and `4 à 8 : 5`. In front of the rank may stand a category, such as
`junior 1: 10`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from clubs.names import simplify_name
from tournaments.rules.cash.amounts import AmountError, read_amount
from wording.figures import FigureError, read_figure

RANK = r"(\d{1,4})(?:ers?|[èe]re|re|[èe]?mes?|es?|nde?|st|rd|th)?"
# Of a line whose blanks are single spaces.
LINE = re.compile(
    rf"(?:(\D[^:]*?) )??(?:(?:du|de|from) )?{RANK}(?: ?(?:[-–]|à|au|to) ?{RANK})? ?: ?(.+)", re.IGNORECASE
)
MOST_PRIZES = 200


class PrizeListError(ValueError):
    """An error: the line with this number cannot be read. `line` is 0 if the whole list is wrong."""

    def __init__(self, line: int, text: str, reason: str) -> None:
        self.line, self.text, self.reason = line, text, reason


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize for a place of a category. "" is the category of everybody.

    It is an amount in cents or a share of the pot, between 0 and 1. The other one is None.
    """

    category: str
    place: int
    cents: int | None = None
    share: Fraction | None = None

    def count_cents(self, pot: int) -> Fraction:
        """Return the amount of the prize in cents, which may have a fraction, for a pot of so many cents."""
        return Fraction(self.cents or 0) if self.share is None else self.share * pot


def read_prizes(text: str, categories: Mapping[str, str]) -> list[Prize]:
    """Return the prizes of a typed list, in its order. Empty lines are skipped.

    `categories` has the categories by the words with which lines may name them, without accents and capitals. A word
    may be in the singular or the plural. Raise `PrizeListError` for a line that cannot be read, a prize that is there
    twice, or shares of more than the whole pot.
    """
    prizes: list[Prize] = []
    for number, raw in enumerate(text.splitlines(), 1):
        if line := " ".join(raw.split()):
            prizes += read_line_of_prizes(line, number, categories)
            if len({(each.category, each.place) for each in prizes}) < len(prizes):
                raise PrizeListError(number, line, "twice")
            if len(prizes) > MOST_PRIZES:
                raise PrizeListError(number, line, "many")
    if sum((each.share or Fraction(0)) for each in prizes) > 1:
        raise PrizeListError(0, "", "shares")
    return prizes


def read_line_of_prizes(line: str, number: int, categories: Mapping[str, str]) -> list[Prize]:
    """Return the prizes of one line. Raise `PrizeListError` if it cannot be read."""
    found = LINE.fullmatch(line)
    if found is None:
        raise PrizeListError(number, line, "line")
    word = " ".join(simplify_name(found[1] or "").split())
    category = next((categories[each] for each in (word, f"{word}s", word.rstrip("s")) if each in categories), "")
    if word and not category:
        raise PrizeListError(number, line, "category")
    first, last = int(found[2]), int(found[3] or found[2])
    if not 1 <= first <= last < first + MOST_PRIZES:
        raise PrizeListError(number, line, "places")
    cents, share = read_worth(found[4], number, line)
    return [Prize(category, place, cents, share) for place in range(first, last + 1)]


def read_worth(text: str, number: int, line: str) -> tuple[int | None, Fraction | None]:
    """Return the amount in cents and None, or None and the share of the pot."""
    try:
        if text.endswith("%"):
            part = Fraction(read_figure(text.removesuffix("%"))) / 100
            if not 0 <= part <= 1:
                raise PrizeListError(number, line, "shares")
            return None, part
        return read_amount(text), None
    except (AmountError, FigureError) as error:
        raise PrizeListError(number, line, "amount") from error
