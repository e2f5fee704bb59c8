"""Knows how the percentages of several sessions become one classement général; not where they come from.

Everything is exact. FFT 2012 pp. 13-26 has the sum of the sessions' percentages, each times the session's coefficient;
whatever else is here is a house rule, stated in docs/scoring.md.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.ties import TieBreak, share_ranks, tell_apart

OVER_SESSIONS = (TieBreak.ATTACK, TieBreak.DEFENCE, TieBreak.DRAW)  # the others compare notes, each in its own session


class Counting(StrEnum):
    """How what the sessions gave is taken together."""

    SUM = "sum"
    MEAN = "mean"


class Stage(StrEnum):
    """What a session is for: where one is a final, those who play it are ranked before everybody else."""

    ALIKE = ""
    QUALIFYING = "qualifying"
    FINAL = "final"


class Result(NamedTuple):
    """What a player brings from a session that ranks him."""

    overall: Fraction
    attack: Fraction | None = None
    defence: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A session that has been played, or the sections of one. Who is not in `results` has missed it."""

    results: Mapping[Any, Result]
    coefficient: Fraction = Fraction(1)
    stage: Stage = Stage.ALIKE


@dataclass(frozen=True, slots=True)
class TournamentRules:
    """How rounds become one ranking.

    `best_of`: as many rounds before the final count as a player's best ones; None: all. `least`: who has fewer results,
    or fewer than rounds have been played, is unranked. `carry_over`: what part of the earlier rounds is taken into the
    final, by multiplying their coefficients. `ties`: criteria that tell equals apart, in order, of OVER_SESSIONS alone;
    none: they share. `draw`: who was drawn, the first first; or `places` among equals, lower ones first, as a file says
    what told them apart.
    """

    counting: Counting = Counting.SUM
    best_of: int | None = None
    least: int = 1
    carry_over: Fraction = Fraction(1)
    ties: Sequence[TieBreak] = ()
    draw: Sequence[Hashable] = ()
    places: Mapping[Any, int] = field(default_factory=dict)


class Weighed(NamedTuple):
    """A result and what it weighs; `place` is that of its round."""

    place: int
    weight: Fraction
    result: Result


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """A player in a tournament. `counted`: the places of the rounds whose results make the total. `before`: the rank
    that he had before the last round, None where he had none. `told`: by what he was told from an equal, if he was."""

    player: Hashable
    total: Fraction
    played: int
    counted: tuple[int, ...]
    in_final: bool
    rank: int | None
    before: int | None
    told: TieBreak | None


def rank_tournament(rounds: Sequence[Round], rules: TournamentRules | None = None) -> tuple[TournamentStanding, ...]:
    """The rounds played so far, in their order → everybody who has a result, by rank, the unranked last.

    Equals share a rank, 1, 1, 3, and stand in the order in which they first appear. Raises ValueError on a coefficient
    that is not above 0, and on a carry-over beyond 0 and 1.
    """
    rules = rules or TournamentRules()
    if any(played.coefficient <= 0 for played in rounds) or not 0 <= rules.carry_over <= 1:
        raise ValueError("a coefficient is above 0, and what is carried over from 0 to 1")
    before = ranks(weigh(rounds[:-1], rules), rules, held=len(rounds) - 1)[0] if len(rounds) > 1 else {}
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


class Figures(NamedTuple):
    """What counts for a player, with what it weighs, and in how many rounds he has a result."""

    counted: list[Weighed]
    played: int
    in_final: bool


def weigh(rounds: Sequence[Round], rules: TournamentRules) -> dict[Any, Figures]:
    """By player, in the order of their first appearance."""
    players = dict.fromkeys(player for played in rounds for player in played.results)
    return {player: weigh_player(player, rounds, rules) for player in players}


def weigh_player(player: Hashable, rounds: Sequence[Round], rules: TournamentRules) -> Figures:
    """What counts of what he has brought."""
    finals: list[Weighed] = []
    others: list[Weighed] = []
    for place, played in enumerate(rounds):
        result = played.results.get(player)
        if result is not None:
            mine = finals if played.stage is Stage.FINAL else others
            mine.append(Weighed(place, played.coefficient, result))
    if rules.best_of is not None:
        # The best are those that bring most: to a sum by their coefficient too. Of equals the earlier one counts.
        by_sum = rules.counting is Counting.SUM
        others.sort(key=lambda each: each.result.overall * (each.weight if by_sum else 1), reverse=True)
        del others[rules.best_of :]
    times = sum(player in each.results for each in rounds)
    if finals:
        others = [each._replace(weight=each.weight * rules.carry_over) for each in others if rules.carry_over]
    return Figures(finals + others, times, bool(finals))


def total(counted: Sequence[Weighed], counting: Counting) -> Fraction:
    """What they are ranked by: percentage points where they are summed, a percentage where the mean counts."""
    summed = sum((each.weight * each.result.overall for each in counted), Fraction())
    return summed if counting is Counting.SUM else summed / sum(each.weight for each in counted)


def mean_of(counted: Sequence[Weighed], figure: str) -> Fraction | None:
    """Of a percentage over the rounds that have it, by their weights."""
    found = [(each.weight, value) for each in counted if (value := getattr(each.result, figure)) is not None]
    return sum((weight * value for weight, value in found), Fraction()) / sum(w for w, _ in found) if found else None


def ranks(
    weighed: Mapping[Any, Figures], rules: TournamentRules, *, held: int
) -> tuple[dict[Any, int], dict[Any, TieBreak]]:
    """Of who has results enough: those of the final before the others; and by what equals were told apart."""
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
