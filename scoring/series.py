"""The counting of series, such as a club's championship: points for ranks, the ranking over all events, the chances.

Players who share a rank share the points of their places: each gets the mean. All points are exact.

An event brings the percentage of its ranking, or points for its rank. The series is then ranked as a tournament is
(`scoring.tournament`): sum or mean, the best results only, coefficients, a final with a carry-over.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from scoring import tournament
from scoring.formats import Unit
from scoring.tournament import (
    CountedFigures,
    Result,
    ResultCounting,
    Round,
    RoundStage,
    TournamentRules,
    TournamentStanding,
    rank_tournament,
    weigh,
    weigh_player,
)

ALONE = Fraction(50)  # from 100 to 0, the points of the only player of an event (a house rule)


class PointScale(StrEnum):
    """The ways in which a rank gives points.

    TABLE: the club's own numbers. PLACES: with n ranked players, the first gets n and the last 1. HUNDRED: the first
    gets 100 and the last 0.
    """

    TABLE = "table"
    PLACES = "places"
    HUNDRED = "hundred"


@dataclass(frozen=True, slots=True)
class PointRules:
    """The rules that turn ranks into points.

    `table` has the points of rank 1, 2, 3 …; a rank that it does not have gets 0. `presence` is added for everybody who
    played, with or without a rank. Raise `ValueError` for negative points, or if a table is missing or not used.
    """

    scale: PointScale
    table: Sequence[Fraction] = ()
    presence: Fraction = Fraction()

    def __post_init__(self) -> None:
        if (self.scale is PointScale.TABLE) != bool(self.table):
            raise ValueError("a table of points is given exactly if the points come from a table")
        if self.presence < 0 or any(points < 0 for points in self.table):
            raise ValueError("points are not negative")


def give_points(ranks: Mapping[Any, int | None], rules: PointRules) -> dict[Any, Fraction]:
    """Return the points of each player of an event. `ranks` has None for a player without a rank.

    Ranks count the players above: after two players of rank 1 comes rank 3. Raise `ValueError` for other ranks.
    """
    shared = Counter(rank for rank in ranks.values() if rank is not None)
    ranked = sum(shared.values())
    expected = 1
    for rank in sorted(shared):
        if rank != expected:
            raise ValueError(f"rank {rank} follows {expected - 1} players")
        expected += shared[rank]
    by_rank = {
        rank: sum((score_place(place, ranked, rules) for place in range(rank, rank + many)), Fraction()) / many
        for rank, many in shared.items()
    }
    return {player: rules.presence + (Fraction() if rank is None else by_rank[rank]) for player, rank in ranks.items()}


def score_typed_ranks(ranks: Mapping[Any, int], rules: PointRules) -> dict[Any, Fraction]:
    """Return the points of some players of an event by their ranks, without the points for presence.

    Players of one rank share the points of their places. Raise `ValueError` if the points do not come from a table:
    other scales need the number of players of the event.
    """
    if rules.scale is not PointScale.TABLE:
        raise ValueError("only a table gives points to a rank without the number of players")
    shared = Counter(ranks.values())
    by_rank = {
        rank: sum((score_place(place, 0, rules) for place in range(rank, rank + many)), Fraction()) / many
        for rank, many in shared.items()
    }
    return {player: by_rank[rank] for player, rank in ranks.items()}


def score_place(place: int, ranked: int, rules: PointRules) -> Fraction:
    """Return the points of a place, counted from 1, among so many ranked players."""
    if rules.scale is PointScale.TABLE:
        return Fraction(rules.table[place - 1]) if place <= len(rules.table) else Fraction()
    if rules.scale is PointScale.PLACES:
        return Fraction(ranked - place + 1)
    return Fraction(100 * (ranked - place), ranked - 1) if ranked > 1 else ALONE


def find_unscored(ranked: int, rules: PointRules) -> range:
    """Return the ranks of an event with so many players that the club's table does not have: they get 0."""
    return range(len(rules.table) + 1, ranked + 1) if rules.scale is PointScale.TABLE else range(0)


class EventResult(NamedTuple):
    """The result of a player in an event's ranking: the percentage or the marks, and the rank or None."""

    overall: Fraction | None
    rank: int | None


@dataclass(frozen=True, slots=True)
class HeldEvent:
    """An event of a series: a session, a whole tournament or a typed list.

    `typed` has points that somebody typed, instead of results. They count as they are.
    """

    day: dt.date
    results: Mapping[Any, EventResult] = field(default_factory=dict)
    typed: Mapping[Any, Fraction] | None = None
    coefficient: Fraction = Fraction(1)
    stage: RoundStage = RoundStage.ALIKE


@dataclass(frozen=True, slots=True)
class SeriesRules:
    """The rules of a series.

    `points`: how ranks give points; None if percentages or marks count. `tournament`: how the events are combined.
    `best_of_day`: of several events on one day, only the best result of a player counts, by value × coefficient.
    `unit`: the unit of results. Typed figures beside marks are marks too.
    """

    points: PointRules | None = None
    tournament: TournamentRules = field(default_factory=TournamentRules)
    best_of_day: bool = False
    unit: Unit = Unit.PER_CENT


def rank_series(events: Sequence[HeldEvent], rules: SeriesRules) -> tuple[TournamentStanding, ...]:
    """Return the standings of a series. `events` are in the order in which they were held.

    Raise `ValueError` if typed points stand beside percentages: they cannot be added up.
    """
    return rank_tournament(make_rounds(events, rules), rules.tournament)


def make_rounds(events: Sequence[HeldEvent], rules: SeriesRules) -> list[Round]:
    """Return the events of a series as rounds of a tournament, with the value of each player's result."""
    values = [value_event(event, rules) for event in events]
    if rules.best_of_day:
        values = keep_best_of_day(events, values)
    return [
        Round({player: Result(value) for player, value in result.items()}, event.coefficient, event.stage)
        for event, result in zip(events, values, strict=True)
    ]


def value_event(event: HeldEvent, rules: SeriesRules) -> dict[Any, Fraction]:
    """Return the percentage or the points that the event brings each player, without players whom it brings nothing."""
    if event.typed is not None:
        if rules.points is None and rules.unit is Unit.PER_CENT:
            raise ValueError("typed points cannot be added to percentages")
        presence = rules.points.presence if rules.points else Fraction()
        return {player: presence + points for player, points in event.typed.items()}
    if rules.points is not None:
        return give_points({player: result.rank for player, result in event.results.items()}, rules.points)
    return {
        player: result.overall
        for player, result in event.results.items()
        if result.overall is not None and result.rank is not None
    }


def keep_best_of_day(
    events: Sequence[HeldEvent], values: Sequence[Mapping[Any, Fraction]]
) -> list[dict[Any, Fraction]]:
    """Return the values, keeping only the best one of each player on each day. Of equal ones, keep the earliest.

    A final is always kept.
    """
    best: defaultdict[tuple[dt.date, Any], list[tuple[Fraction, int]]] = defaultdict(list)
    for place, (event, result) in enumerate(zip(events, values, strict=True)):
        for player, value in result.items():
            if event.stage is not RoundStage.FINAL:
                best[event.day, player].append((-value * event.coefficient, place))
    return [
        {
            player: value
            for player, value in result.items()
            if event.stage is RoundStage.FINAL or min(best[event.day, player])[1] == place
        }
        for place, (event, result) in enumerate(zip(events, values, strict=True))
    ]


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
        Round({player: Result(value) for player, value in result.items()}, each.coefficient, each.stage)
        for result, each in zip(values, weights, strict=True)
    ]
