"""The pure arithmetic of money: the reading of amounts and of lists of prizes, and the division of a pot.

All amounts are whole numbers of cents.

A line has a rank, a colon, and an amount or a share of the pot. Two ranks stand for all ranks between them. Examples
are `1: 40 %`, `1er : 40 %`, `2: 15`, `4-8: 5` and `4 à 8 : 5`. Before or after the rank may stand a category, such
as `junior 1: 10` or `1er junior : 10`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from clubs.names import simplify_name
from wording.figures import FigureError, read_figure

MOST_CENTS = 9_999_999
EURO = re.compile(r"€|euros?|eur", re.IGNORECASE)


class AmountError(ValueError):
    """An error: a text is no amount of money of 0 to 99 999,99 euros."""


def read_amount(text: str) -> int:
    """Return the cents in a typed amount, such as "12,50", "12.5 €" or "€ 12".

    Raise `AmountError` for any other text, such as a negative amount or one with tenths of a cent.
    """
    try:
        cents = read_figure(EURO.sub("", text, count=1)) * 100
    except FigureError as error:
        raise AmountError(text) from error
    if "+" in text or cents % 1 or not 0 <= cents <= MOST_CENTS:
        raise AmountError(text)
    return int(cents)


ORDINAL = r"(?:ers?|[èe]re|re|[èe]?mes?|es?|nde?|st|rd|th)?"
RANKS = rf"(?:(?:du|de|from) )?(?P<first>\d{{1,4}}){ORDINAL}(?: ?(?:[-–]|à|au|to) ?(?P<last>\d{{1,4}}){ORDINAL})?"
WORTH = " ?: ?(?P<worth>.+)"
# The two forms of a line whose blanks are single spaces: the category before the ranks, or after them.
LINES = (
    re.compile(rf"\A(?:(?P<category>\D[^:]*?) )??{RANKS}{WORTH}", re.IGNORECASE),
    re.compile(rf"{RANKS} (?P<category>\D[^:]*?){WORTH}", re.IGNORECASE),
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
    match = next(filter(None, (form.fullmatch(line) for form in LINES)), None)
    if match is None:
        raise PrizeListError(number, line, "line")
    word = " ".join(simplify_name(match["category"] or "").split())
    category = next((categories[each] for each in (word, f"{word}s", word.rstrip("s")) if each in categories), "")
    if word and not category:
        raise PrizeListError(number, line, "category")
    first, last = int(match["first"]), int(match["last"] or match["first"])
    if not 1 <= first <= last < first + MOST_PRIZES:
        raise PrizeListError(number, line, "places")
    cents, share = read_worth(match["worth"], number, line)
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


CENTS_OF_EURO = 100


@dataclass(frozen=True, slots=True)
class RankedPerson:
    """A row of a ranking: the number of the player, the rank, and the categories in which the player counts."""

    person: int
    rank: int
    categories: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class WonPrize:
    """A prize of a person in a category: the first of the shared places, how many share them, and the cents."""

    person: int
    category: str
    place: int
    sharers: int
    cents: int


@dataclass(frozen=True, slots=True)
class Division:
    """The prizes that were won, and what of the stated prizes is left because of whole euros, or of missing people.

    `due` has the sum of each person in cents.
    """

    won: Sequence[WonPrize] = ()
    rest: Fraction = Fraction(0)
    due: dict[int, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.due.values())


def divide_pot(ranked: Sequence[RankedPerson], prizes: Sequence[Prize], *, pot: int, one_each: bool) -> Division:
    """Return who wins what. The categories come in the order of the list of prizes, everybody's first.

    People of equal rank share the sum of the places that they take. Each gets whole euros, and the rest stays in the
    box. With `one_each`, a person who has won a prize takes no place in the categories that follow.
    """
    worth = {(each.category, each.place): each.count_cents(pot) for each in prizes}
    categories = sorted(dict.fromkeys(each.category for each in prizes), key=bool)
    won: list[WonPrize] = []
    for category in categories:
        winners = {each.person for each in won} if one_each else set()
        field_of = [each for each in ranked if not category or category in each.categories]
        field_of = sorted((each for each in field_of if each.person not in winners), key=lambda each: each.rank)
        won += divide_places(field_of, category, worth)
    due: dict[int, int] = {}
    for each in won:
        due[each.person] = due.get(each.person, 0) + each.cents
    return Division(won, sum(worth.values(), Fraction(0)) - sum(due.values()), due)


def divide_places(
    ranked: Sequence[RankedPerson], category: str, worth: dict[tuple[str, int], Fraction]
) -> list[WonPrize]:
    """Return the prizes of one category, for people sorted by rank."""
    won, place = [], 1
    for _rank, group in groupby(ranked, key=lambda each: each.rank):
        equals = list(group)
        shared = sum((worth.get((category, place + each), Fraction(0)) for each in range(len(equals))), Fraction(0))
        cents = int(shared / len(equals)) // CENTS_OF_EURO * CENTS_OF_EURO
        if cents:
            won += [WonPrize(each.person, category, place, len(equals), cents) for each in equals]
        place += len(equals)
    return won
