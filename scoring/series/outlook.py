"""The chances of a player in a series: what the next event must bring for a place, and what is still possible."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scoring import tournament
from scoring.tournament import (
    CountedFigures,
    Result,
    ResultCounting,
    Round,
    RoundStage,
    TournamentRules,
    rank_tournament,
    weigh,
    weigh_player,
)

Key = tuple[int, Fraction]
ALIKE = Round({})  # an event to come with coefficient 1, which is no final


class SeriesOutlook(NamedTuple):
    """The chances of a player for a place. `needed` is the least value that the next event must bring, or None.

    `reached` is True if the place is the player's already, whatever the next event brings the player.
    """

    needed: Fraction | None
    reached: bool


class Outlook:
    """The chances of one player after these rounds. The rules have no criteria for ties.

    If the next event is the first final, all other players are taken as finalists, with what they carry over. Nobody
    knows yet who will play it. After a final, the finalists are known.
    """

    def __init__(self, rounds: Sequence[Round], rules: TournamentRules, player: Any) -> None:
        self.rounds, self.rules, self.player = list(rounds), rules, player
        self.rank = next((each.rank for each in rank_tournament(rounds, rules) if each.player == player), None)
        self.has_finalists = any(each.stage is RoundStage.FINAL and each.results for each in rounds)
        self.figures = {other: each for other, each in weigh(rounds, rules).items() if other != player}

    def find_least(self, more: int) -> int:
        """Return the least number of results of a ranked player after so many further events."""
        return min(self.rules.least, len(self.rounds) + more)

    def list_others(self, more: Sequence[Round]) -> list[Key]:
        """Return the keys of the other players after further events that bring them nothing."""
        least = self.find_least(len(more))
        final = not self.has_finalists and any(each.stage is RoundStage.FINAL for each in more)
        figures = (carry_over(each, self.rules) if final else each for each in self.figures.values())
        return [key_of(each, self.rules) for each in figures if each.played >= least]

    def find_own(self, values: Sequence[Fraction], more: Sequence[Round]) -> Key | None:
        """Return the player's key if further events bring these values, or None without a rank."""
        played = [
            Round({self.player: Result(value)}, each.coefficient, each.stage)
            for value, each in zip(values, more, strict=True)
        ]
        mine = weigh_player(self.player, [*self.rounds, *played], self.rules)
        return key_of(mine, self.rules) if mine.counted and mine.played >= self.find_least(len(more)) else None

    def find_rank(self, values: Sequence[Fraction], more: Sequence[Round]) -> int | None:
        """Return the player's rank if further events bring the player these values, and nobody else anything."""
        own = self.find_own(values, more)
        return None if own is None else 1 + sum(key < own for key in self.list_others(more))

    def has_place(self, value: Fraction, place: int, coming: Round = ALIKE) -> bool:
        """Return whether the player has a rank of at most `place` if the next event brings this value."""
        rank = self.find_rank([value], [coming])
        return rank is not None and rank <= place

    def find_needed(self, place: int, most: Fraction, coming: Round = ALIKE) -> SeriesOutlook:
        """Return what the next event must bring for a rank of at most `place`, to a thousandth."""
        if self.rank is not None and self.rank <= place and self.has_place(Fraction(), place, coming):
            return SeriesOutlook(Fraction(), reached=True)
        if not self.has_place(most, place, coming):
            return SeriesOutlook(None, reached=False)
        low, high = 0, -(-1000 * most.numerator // most.denominator)
        while low < high:
            middle = (low + high) // 2
            if self.has_place(Fraction(middle, 1000), place, coming):
                high = middle
            else:
                low = middle + 1
        return SeriesOutlook(Fraction(low, 1000), reached=False)

    def find_highest_total(self, more: Sequence[Round], most: Fraction) -> Fraction:
        """Return the highest total that the player can still have if each further event brings at most `most`."""
        best = [Round({self.player: Result(most)}, each.coefficient, each.stage) for each in more]
        figures = weigh_player(self.player, [*self.rounds, *best], self.rules)
        return tournament.total(figures.counted, self.rules.counting) if figures.counted else Fraction()

    def find_best_rank(self, more: Sequence[Round], most: Fraction) -> int | None:
        """Return the best rank that is still possible: further events bring the player the most, and nobody else."""
        return self.find_rank([most] * len(more), more)


def carry_over(figures: CountedFigures, rules: TournamentRules) -> CountedFigures:
    """Return the figures of a player who has just come into the final, which has brought nothing yet."""
    counted = [each._replace(weight=each.weight * rules.carry_over) for each in figures.counted if rules.carry_over]
    return CountedFigures(counted, figures.played, in_final=True, step=1)


def key_of(figures: CountedFigures, rules: TournamentRules) -> Key:
    """Return the key by which players are ranked, lower keys first: those of the final, then by total."""
    total = tournament.total(figures.counted, ResultCounting(rules.counting)) if figures.counted else Fraction()
    return -figures.step, -total


def read_rounds(values: Sequence[Mapping[Any, Fraction]], weights: Sequence[Round]) -> list[Round]:
    """Return the rounds with these values by player. `weights` has the coefficient and the stage of each round."""
    return [
        Round({player: Result(value) for player, value in found.items()}, each.coefficient, each.stage)
        for found, each in zip(values, weights, strict=True)
    ]
