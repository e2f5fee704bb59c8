"""The classement général of several sessions, computed from their percentages.

Everything is exact. FFT 2012 pp. 13-26 has the sum of the sessions' percentages, each multiplied by the session's
coefficient. Everything else here is a house rule, stated in docs/scoring.md.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.ties import TieBreak, share_ranks, tell_apart

OVER_SESSIONS = (TieBreak.ATTACK, TieBreak.DEFENCE, TieBreak.DRAW)  # the others compare notes of one session


class ResultCounting(StrEnum):
    """The ways in which the results of the sessions are combined."""

    SUM = "sum"
    MEAN = "mean"


class RoundStage(StrEnum):
    """The stage of a session in the tournament. If there is a final, its players are ranked before all others."""

    ALIKE = ""
    QUALIFYING = "qualifying"
    FINAL = "final"


class Result(NamedTuple):
    """The result of a player in a session that ranks the player."""

    overall: Fraction
    attack: Fraction | None = None
    defence: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A session that has been played, or all sections of one. A player who is not in `results` has missed it."""

    results: Mapping[Any, Result]
    coefficient: Fraction = Fraction(1)
    stage: RoundStage = RoundStage.ALIKE


@dataclass(frozen=True, slots=True)
class TournamentRules:
    """The rules that make one ranking of rounds.

    `best_of`: the number of rounds before the final that count, each player's best ones; None for all. `least`: a
    player with fewer results is unranked, but never one who has a result of every round so far. `carry_over`: the part
    of the earlier rounds that counts in the final, by which their coefficients are multiplied. `ties`: criteria of
    OVER_SESSIONS that break ties, in order; if empty, equals share their rank. `draw`: the players in the order in
    which lots were drawn. `places`, instead, are places among equals as a file gives them, lower ones first.
    """

    counting: ResultCounting = ResultCounting.SUM
    best_of: int | None = None
    least: int = 1
    carry_over: Fraction = Fraction(1)
    ties: Sequence[TieBreak] = ()
    draw: Sequence[Hashable] = ()
    places: Mapping[Any, int] = field(default_factory=dict)


class WeighedResult(NamedTuple):
    """A result and its weight. `place` is the place of its round."""

    place: int
    weight: Fraction
    result: Result


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """A player in a tournament.

    `counted`: the places of the rounds whose results make the total. `before`: the rank before the last round, None if
    there was none. `told`: the criterion that separated the player from an equal, if any.
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
    """Return the standings of all players with a result in the rounds played so far, by rank, unranked players last.

    The rounds are in their order. Equals share a rank (1, 1, 3), and are in the order of their first appearance. Raise
    ValueError on a coefficient that is not above 0, and on a carry-over outside 0 to 1.
    """
    rules = rules or TournamentRules()
    if any(played.coefficient <= 0 for played in rounds) or not 0 <= rules.carry_over <= 1:
        raise ValueError("a coefficient is above 0, and what is carried over from 0 to 1")
    before = ranks(weigh(rounds[:-1], rules), rules, held=len(rounds) - 1)[0]
    weighed = weigh(rounds, rules)
    now, told = ranks(weighed, rules, held=len(rounds))
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
            told=told.get(player),
        )
        for player, figures in weighed.items()
    ]
    standings.sort(key=lambda standing: standing.rank or last)
    return tuple(standings)


class CountedFigures(NamedTuple):
    """The weighed results that count for a player, and the number of rounds in which the player has a result."""

    counted: list[WeighedResult]
    played: int
    in_final: bool


def weigh(rounds: Sequence[Round], rules: TournamentRules) -> dict[Any, CountedFigures]:
    """Return the figures that count, by player, in the order of first appearance."""
    players = dict.fromkeys(player for played in rounds for player in played.results)
    return {player: weigh_player(player, rounds, rules) for player in players}


def weigh_player(player: Hashable, rounds: Sequence[Round], rules: TournamentRules) -> CountedFigures:
    """Return the results of this player that count."""
    finals: list[WeighedResult] = []
    others: list[WeighedResult] = []
    for place, played in enumerate(rounds):
        result = played.results.get(player)
        if result is not None:
            mine = finals if played.stage is RoundStage.FINAL else others
            mine.append(WeighedResult(place, played.coefficient, result))
    if rules.best_of is not None:
        # The best are those that add most, for a sum with their coefficient. Of equal results the earlier one counts.
        by_sum = rules.counting is ResultCounting.SUM
        others.sort(key=lambda each: each.result.overall * (each.weight if by_sum else 1), reverse=True)
        del others[rules.best_of :]
    times = sum(player in each.results for each in rounds)
    if finals:
        others = [each._replace(weight=each.weight * rules.carry_over) for each in others if rules.carry_over]
    return CountedFigures(finals + others, times, bool(finals))


def total(counted: Sequence[WeighedResult], counting: ResultCounting) -> Fraction:
    """Return the total for the ranking: percentage points for a sum, a percentage for a mean."""
    summed = sum((each.weight * each.result.overall for each in counted), Fraction())
    return summed if counting is ResultCounting.SUM else summed / sum(each.weight for each in counted)


def mean_of(counted: Sequence[WeighedResult], figure: str) -> Fraction | None:
    """Return the weighted mean of a percentage over the rounds that have it, or None if there is none."""
    found = [(each.weight, value) for each in counted if (value := getattr(each.result, figure)) is not None]
    return sum((weight * value for weight, value in found), Fraction()) / sum(w for w, _ in found) if found else None


def ranks(
    weighed: Mapping[Any, CountedFigures], rules: TournamentRules, *, held: int
) -> tuple[dict[Any, int], dict[Any, TieBreak]]:
    """Return the ranks of players with enough results, and the criterion that separated each from an equal.

    Players of the final come before the others.
    """
    least = min(rules.least, held)
    keys = {
        player: (not figures.in_final, -total(figures.counted, rules.counting))
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
