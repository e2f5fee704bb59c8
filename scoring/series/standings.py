"""The ranking of a series, from what each event brings a player. It also says what is still possible.

An event brings the percentage of its ranking, or points for its rank. The series is then ranked as a tournament is
(`scoring.tournament`): sum or mean, the best results only, coefficients, a final with a carry-over.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.series.points import PointRules, give_points
from scoring.tournament import (
    Result,
    Round,
    RoundStage,
    TournamentRules,
    TournamentStanding,
    rank_tournament,
)


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

    `points`: how ranks give points; None if percentages or marks count. `in_marks`: whether marks count, so that typed
    figures are marks too. `tournament`: how the events are combined. `best_of_day`: of several events on one day, only
    the best result of a player counts, by value × coefficient.
    """

    points: PointRules | None = None
    tournament: TournamentRules = field(default_factory=TournamentRules)
    best_of_day: bool = False
    in_marks: bool = False


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
        Round({player: Result(value) for player, value in found.items()}, event.coefficient, event.stage)
        for event, found in zip(events, values, strict=True)
    ]


def value_event(event: HeldEvent, rules: SeriesRules) -> dict[Any, Fraction]:
    """Return the percentage or the points that the event brings each player, without players whom it brings nothing."""
    if event.typed is not None:
        if rules.points is None and not rules.in_marks:
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
    for place, (event, found) in enumerate(zip(events, values, strict=True)):
        for player, value in found.items():
            if event.stage is not RoundStage.FINAL:
                best[event.day, player].append((-value * event.coefficient, place))
    return [
        {
            player: value
            for player, value in found.items()
            if event.stage is RoundStage.FINAL or min(best[event.day, player])[1] == place
        }
        for place, (event, found) in enumerate(zip(events, values, strict=True))
    ]
