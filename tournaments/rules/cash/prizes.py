"""The division of a pot among the ranks: equal ranks share the sum of their places, in whole euros."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from tournaments.rules.cash.prize_list import Prize

EURO = 100


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
        cents = int(shared / len(equals)) // EURO * EURO
        if cents:
            won += [WonPrize(each.person, category, place, len(equals), cents) for each in equals]
        place += len(equals)
    return won
