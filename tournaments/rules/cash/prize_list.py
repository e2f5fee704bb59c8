"""The list of prizes as a director types it: one prize on each line.

A line has a rank, a colon, and an amount or a share of the pot. Two ranks stand for all ranks between them. Examples
are `1: 40 %`, `2: 15` and `4-8: 5`. In front of the rank may stand a category, such as `junior 1: 10`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tournaments.rules.cash.amounts import AmountError, read_amount

LINE = re.compile(r"(?:(\D[^:]*?)\s+)?(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?\s*:\s*(.+)")
SHARE = re.compile(r"(\d{1,3})(?:[.,](\d{1,2}))?\s*%")
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

    `categories` has the categories by the words with which lines may name them, in lower case. Raise `PrizeListError`
    for a line that cannot be read, a prize that is there twice, or shares of more than the whole pot.
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
    word = (found[1] or "").casefold()
    if word and word not in categories:
        raise PrizeListError(number, line, "category")
    first, last = int(found[2]), int(found[3] or found[2])
    if not 1 <= first <= last < first + MOST_PRIZES:
        raise PrizeListError(number, line, "places")
    cents, share = read_worth(found[4], number, line)
    category = categories[word] if word else ""
    return [Prize(category, place, cents, share) for place in range(first, last + 1)]


def read_worth(text: str, number: int, line: str) -> tuple[int | None, Fraction | None]:
    """Return the amount in cents and None, or None and the share of the pot."""
    if (share := SHARE.fullmatch(text)) is not None:
        part = Fraction(int(share[1] + (share[2] or "").ljust(2, "0")), 10_000)
        if part > 1:
            raise PrizeListError(number, line, "shares")
        return None, part
    try:
        return read_amount(text), None
    except AmountError as error:
        raise PrizeListError(number, line, "amount") from error
