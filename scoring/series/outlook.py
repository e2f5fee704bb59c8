"""The chances of a player in a series: what the next event must bring for a place, and what is still possible."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scoring import tournament
from scoring.series.standings import HeldEvent, SeriesRules, make_rounds
from scoring.tournament import (
    CountedFigures,
    Result,
    ResultCounting,
    Round,
    TournamentRules,
    rank_tournament,
    weigh,
    weigh_player,
)

Key = tuple[bool, Fraction]


class SeriesOutlook(NamedTuple):
    """The chances of a player for a place. `needed` is the least value that the next event must bring, or None.

    `reached` is True if the place is the player's already, whatever the player does in the next event.
    """

    needed: Fraction | None
    reached: bool


def look_ahead(
    events: Sequence[HeldEvent], rules: SeriesRules, player: Any, *, place: int, most: Fraction
) -> SeriesOutlook:
    """Return what the next event must bring the player for a rank of at most `place`, if nobody else plays it.

    `most` is the highest value of an event, for example 100 %. The next event has coefficient 1. The answer is exact
    to a thousandth: the search halves the values from 0 to `most`.
    """
    return Outlook(make_rounds(events, rules), rules.tournament, player).find_needed(place, most)


class Outlook:
    """The chances of one player after these rounds. The rules have no criteria for ties."""

    def __init__(self, rounds: Sequence[Round], rules: TournamentRules, player: Any) -> None:
        self.rounds, self.rules, self.player = list(rounds), rules, player
        self.rank = next((each.rank for each in rank_tournament(rounds, rules) if each.player == player), None)
        after = weigh([*rounds, Round({})], rules)
        least = min(rules.least, len(self.rounds) + 1)
        self.least = least
        self.others = [key_of(each, rules) for other, each in after.items() if other != player and each.played >= least]

    def has_place(self, value: Fraction, place: int) -> bool:
        """Return whether the player has a rank of at most `place` if the next event brings this value."""
        mine = weigh_player(self.player, [*self.rounds, Round({self.player: Result(value)})], self.rules)
        if mine.played < self.least:
            return False
        own = key_of(mine, self.rules)
        return sum(key < own for key in self.others) < place

    def find_needed(self, place: int, most: Fraction) -> SeriesOutlook:
        """Return what the next event must bring for a rank of at most `place`, to a thousandth."""
        if self.rank is not None and self.rank <= place and self.has_place(Fraction(), place):
            return SeriesOutlook(Fraction(), reached=True)
        if not self.has_place(most, place):
            return SeriesOutlook(None, reached=False)
        low, high = 0, int(1000 * most)
        while low < high:
            middle = (low + high) // 2
            if self.has_place(Fraction(middle, 1000), place):
                high = middle
            else:
                low = middle + 1
        return SeriesOutlook(Fraction(low, 1000), reached=False)

    def find_highest_total(self, more: Sequence[Round], most: Fraction) -> Fraction:
        """Return the highest total that the player can still have if each further event brings at most `most`.

        `more` are the further events, without results. Where means count, it can help to stay away.
        """
        best = [Round({self.player: Result(most)}, each.coefficient, each.stage) for each in more]
        figures = weigh_player(self.player, [*self.rounds, *best], self.rules)
        return tournament.total(figures.counted, self.rules.counting) if figures.counted else Fraction()


def key_of(figures: CountedFigures, rules: TournamentRules) -> Key:
    """Return the key by which players are ranked, lower keys first: those of the final, then by total."""
    return not figures.in_final, -tournament.total(figures.counted, ResultCounting(rules.counting))


def read_rounds(values: Sequence[Mapping[Any, Fraction]], weights: Sequence[Round]) -> list[Round]:
    """Return the rounds with these values by player. `weights` has the coefficient and the stage of each round."""
    return [
        Round({player: Result(value) for player, value in found.items()}, each.coefficient, each.stage)
        for found, each in zip(values, weights, strict=True)
    ]
