"""The classement général of a tournament of several sessions, computed from the percentages of each session.

All figures are exact. By FFT 2012 pp. 13-26 a total is the sum of the sessions' percentages, each multiplied by the
session's coefficient. Everything else here is a house rule, stated in docs/scoring.md.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.ties import TieBreak, share_ranks, tell_apart

# the criteria for several sessions; the other ones compare notes of one session
OVER_SESSIONS = (TieBreak.ATTACK, TieBreak.DEFENCE, TieBreak.DRAW)


class ResultCounting(StrEnum):
    """The ways in which the results of the sessions are combined."""

    SUM = "sum"
    MEAN = "mean"


class RoundStage(StrEnum):
    """The stage of a session in its tournament. If there is a final, its players are ranked before all others."""

    ALIKE = ""
    QUALIFYING = "qualifying"
    FINAL = "final"


class Result(NamedTuple):
    """The result of a player in one session, in which the player has a rank."""

    overall: Fraction
    attack: Fraction | None = None
    defence: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A session that has been played, with all its sections. Players who missed it are not in `results`.

    `level` is 0 where everybody may play, 1 after the first cut, 2 after the second.
    """

    results: Mapping[Any, Result]
    coefficient: Fraction = Fraction(1)
    stage: RoundStage = RoundStage.ALIKE
    level: int = 0


@dataclass(frozen=True, slots=True)
class TournamentRules:
    """The rules that combine rounds into one ranking.

    - `best_of`: the number of rounds before the final, and before any cut, that count for a player. The player's best
      rounds count; None for all.
    - `least`: the fewest results of a ranked player. A player who has a result in every round so far is ranked in any
      case.
    - `carry_over`: the part of the earlier rounds that counts in the final, from 0 to 1. Their coefficients are
      multiplied by it. Between levels it is the part of the total so far that a player takes along at each cut.
    - `ties`: the criteria that separate equal players, in order, all from OVER_SESSIONS. Without them they share a
      rank.
    - `draw`: the players in the order in which lots were drawn.
    - `places`: instead of `draw`, the place of each player among equal ones, as a file gives it; lower ones come first.
    - `missed_is_zero`: whether a round that a player missed is a result of 0, which can be one of the best. Marks can
      be below 0, percentages cannot.
    """

    counting: ResultCounting = ResultCounting.SUM
    best_of: int | None = None
    least: int = 1
    carry_over: Fraction = Fraction(1)
    ties: Sequence[TieBreak] = ()
    draw: Sequence[Hashable] = ()
    places: Mapping[Any, int] = field(default_factory=dict)
    missed_is_zero: bool = False


class WeighedResult(NamedTuple):
    """A result and the number by which it is multiplied. `place` is the index of its round."""

    place: int
    weight: Fraction
    result: Result


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """The total and the rank of a player in a tournament.

    `counted`: the indexes of the rounds whose results make the total. `before`: the rank before the last round, or
    None. `told`: the last criterion that separated the player from an equal one, or None.
    """

    player: Hashable
    total: Fraction
    played: int
    counted: tuple[int, ...]
    in_final: bool
    rank: int | None
    before: int | None
    told: TieBreak | None


def rank_tournament(rounds: Sequence[Round], rules: TournamentRules | None = None) -> tuple[TournamentStanding, ...]:
    """Return the standings of all players with a result, by rank, unranked players last.

    `rounds` are in the order in which they were played. Players who share a rank (1, 1, 3) are in the order of their
    first appearance. Raise ValueError unless all coefficients are above 0 and the carry-over is from 0 to 1.
    """
    rules = rules or TournamentRules()
    if any(played.coefficient <= 0 for played in rounds) or not 0 <= rules.carry_over <= 1:
        raise ValueError("a coefficient is above 0, and what is carried over from 0 to 1")
    before = ranks(weigh(rounds[:-1], rules), rules, held=len(rounds) - 1)[0]
    weighed = weigh(rounds, rules)
    now, separated = ranks(weighed, rules, held=len(rounds))
    last = len(weighed) + 1
    standings = [
        TournamentStanding(
            player=player,
            total=total(figures.counted, rules.counting),
            played=figures.played,
            counted=tuple(sorted(each.place for each in figures.counted)),
            in_final=figures.in_final,
            rank=now.get(player),
            before=before.get(player),
            told=separated.get(player),
        )
        for player, figures in weighed.items()
    ]
    standings.sort(key=lambda standing: standing.rank or last)
    return tuple(standings)


class CountedFigures(NamedTuple):
    """The results that count for a player, the number of rounds with a result, and whether one is of the final.

    `step` is the highest step that the player reached, as in `find_steps`.
    """

    counted: list[WeighedResult]
    played: int
    in_final: bool
    step: int


def weigh(rounds: Sequence[Round], rules: TournamentRules) -> dict[Any, CountedFigures]:
    """Return the results that count for each player. Players are in the order of their first appearance."""
    players = dict.fromkeys(player for played in rounds for player in played.results)
    return {player: weigh_player(player, rounds, rules) for player in players}


def find_steps(rounds: Sequence[Round]) -> list[int]:
    """Return the step of each round: its level. A final is one step above all other rounds."""
    below = max((each.level for each in rounds if each.stage is not RoundStage.FINAL), default=0)
    return [max(each.level, below + 1) if each.stage is RoundStage.FINAL else each.level for each in rounds]


def weigh_player(player: Hashable, rounds: Sequence[Round], rules: TournamentRules) -> CountedFigures:
    """Return the results that count for this player."""
    steps = find_steps(rounds)
    later: list[WeighedResult] = []
    others: list[WeighedResult] = []
    for place, played in enumerate(rounds):
        result = played.results.get(player)
        if result is not None:
            mine = later if steps[place] else others
            mine.append(WeighedResult(place, played.coefficient, result))
    if rules.best_of is not None:
        # For a sum, the best results have the highest product of percentage and coefficient. Of equal results the
        # earlier one counts.
        by_sum = rules.counting is ResultCounting.SUM
        others.sort(key=lambda each: each.result.overall * (each.weight if by_sum else 1), reverse=True)
        missed = steps.count(0) - len(others) if rules.missed_is_zero else 0
        del others[rules.best_of :]
        while missed and others and others[-1].result.overall < 0 and len(others) + missed > rules.best_of:
            others.pop()
    reached = max((steps[each.place] for each in later), default=0)
    counted = [
        each._replace(weight=each.weight * rules.carry_over ** (reached - steps[each.place]))
        for each in later + others
        if rules.carry_over or steps[each.place] == reached
    ]
    return CountedFigures(
        counted,
        played=sum(player in each.results for each in rounds),
        in_final=any(rounds[each.place].stage is RoundStage.FINAL for each in later),
        step=reached,
    )


def total(counted: Sequence[WeighedResult], counting: ResultCounting) -> Fraction:
    """Return a player's total: percentage points if results are added, a percentage if their mean is taken."""
    summed = sum((each.weight * each.result.overall for each in counted), Fraction())
    return summed if counting is ResultCounting.SUM else summed / sum(each.weight for each in counted)


def mean_of(counted: Sequence[WeighedResult], figure: str) -> Fraction | None:
    """Return the weighted mean of `figure` ("attack", "defence") over the results that have it, or None if none has."""
    weighed_values = [(each.weight, value) for each in counted if (value := getattr(each.result, figure)) is not None]
    return (
        sum((weight * value for weight, value in weighed_values), Fraction()) / sum(w for w, _ in weighed_values)
        if weighed_values
        else None
    )


def ranks(
    weighed: Mapping[Any, CountedFigures], rules: TournamentRules, *, held: int
) -> tuple[dict[Any, int], dict[Any, TieBreak]]:
    """Return the ranks of players with enough results, and the last criterion that separated each from an equal one.

    `held`: the number of rounds so far. Players of the final come before the others, and so do all who came farther.
    """
    least = min(rules.least, held)
    keys = {
        player: (-figures.step, -total(figures.counted, rules.counting))
        for player, figures in weighed.items()
        if figures.played >= least
    }

    def measure(criterion: TieBreak, players: Sequence[Any]) -> Mapping[Any, Fraction | int | None]:
        if criterion is TieBreak.DRAW:
            drawn = {player: place for place, player in enumerate(rules.draw)}
            return {player: -place for player, place in (drawn | dict(rules.places)).items()}
        return {player: mean_of(weighed[player].counted, criterion) for player in players}

    criteria = [criterion for criterion in rules.ties if criterion in OVER_SESSIONS]
    return tell_apart(share_ranks(keys), criteria, measure)
