"""The scores in a published étui: how often each score is made, who did best with it, what made the difference.

They are counted over the plays that `Report.topage` reads. Plays are compared in fields: those before an étui was
altered and those after are separate, and in a free auction each seat is compared by its own marks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from deals.domain.cards import LINES
from scoring.contract import DealResult
from scoring.notation import result_from_data
from scoring.ranking import Line
from tournaments.rules.difference import ComparedPlay, ScoreDifference, explain
from tournaments.rules.split import AFTER

Play = dict[str, Any]
Player = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Frequency:
    """The plays that have the same score.

    `note`: the note of the taker, or in a free auction of the seat. `defence`: the note of the taker's opponents. A
    note is None if the arbiter has fixed it for all of these plays.
    """

    score: int
    plays: list[Play]
    note: Fraction | None
    defence: Fraction | None

    @property
    def count(self) -> int:
        return len(self.plays)


@dataclass(frozen=True, slots=True)
class ScoreField:
    """The plays that are compared with one another, best score first.

    `line`: the seat whose marks are compared in a free auction, else empty.
    """

    line: str
    part: int
    frequencies: list[Frequency]

    @property
    def count(self) -> int:
        return sum(each.count for each in self.frequencies)

    @property
    def is_after(self) -> bool:
        """True if the plays were made after the étui was altered."""
        return self.part == AFTER

    @property
    def is_compared(self) -> bool:
        """True if somebody did better than somebody else."""
        return len(self.frequencies) > 1

    def attackers(self) -> list[Player]:
        """Return the takers with the highest score, of those whose note follows from it."""
        return [player for play in self.frequencies[0].plays for player in find_seated_players(play, [play["taker"]])]

    def defenders(self) -> list[Player]:
        """Return the defenders who kept the taker to the lowest score, of those whose note follows from it."""
        worst = self.frequencies[-1].plays
        return [
            player
            for play in worst
            for player in find_seated_players(play, [line for line in LINES if line != play["taker"]])
        ]

    def sitters(self) -> list[tuple[Play, Player]]:
        """Return who has the highest mark at this seat in a free auction, each with the play."""
        return [
            (play, player) for play in self.frequencies[0].plays for player in find_seated_players(play, [self.line])
        ]


@dataclass(frozen=True, slots=True)
class ExplainedDifference:
    """An explanation of the difference in a field."""

    field: ScoreField
    difference: ScoreDifference


def find_seated_players(play: Play, lines: Iterable[str | None]) -> list[Player]:
    return [play["players"][line] for line in lines if line and line not in play["fixed"]]


def is_compared(play: Play) -> bool:
    return play["base_score"] is not None and bool(play["compared"])


def fields_of(plays: Sequence[Play], *, weighted: bool) -> list[ScoreField]:
    """Return the fields of an étui's plays, part by part: one with an imposed contract, four in a free auction."""
    counted = sorted((play for play in plays if is_compared(play)), key=lambda play: play["part"])
    found = []
    for part, group in groupby(counted, key=lambda play: play["part"]):
        topped = list(group)
        found += [ScoreField(line, part, list(count(topped, line))) for line in ([""] if weighted else LINES)]
    return found


def count(plays: Sequence[Play], line: str) -> Iterator[Frequency]:
    def score(play: Play) -> int:
        return int(play["marks"][line] if line else play["base_score"])

    for value, group in groupby(sorted(plays, key=score, reverse=True), key=score):
        alike = list(group)
        if line:
            yield Frequency(value, alike, first_note(alike, [line]), None)
        else:
            takers = {play["taker"] for play in alike}
            others = [each for each in LINES if each not in takers]
            yield Frequency(value, alike, first_note(alike, takers), first_note(alike, others))


def first_note(plays: Sequence[Play], lines: Iterable[str]) -> Fraction | None:
    """Return the note of a score: that of any line whose note is not fixed, because all of these are the same."""
    wanted = list(lines)
    notes = (play["notes"][line] for play in plays if play["notes"] for line in wanted if line not in play["fixed"])
    return next((note for note in notes if note is not None), None)


def explain_field(fields: Sequence[ScoreField]) -> ExplainedDifference | None:
    """Return the explanation for the field of most plays, or None if no difference can be explained.

    Of the four seats of a free auction, it is for the one with the widest difference.
    """
    results: dict[str, DealResult] = {}
    most = max((field.count for field in fields), default=0)
    found = []
    for field in fields:
        if field.count == most and (difference := explain(list(played_in(field, results)))):
            found.append(ExplainedDifference(field, difference))
    return max(found, key=lambda each: each.difference.best - each.difference.worst, default=None)


def played_in(field: ScoreField, results: dict[str, DealResult]) -> Iterator[ComparedPlay]:
    """Yield the plays as they are compared.

    A play that the arbiter decided and nobody reported is left out: it has neither taker nor result.
    """
    for frequency in field.frequencies:
        for play in frequency.plays:
            taker = Line(play["taker"]) if play["taker"] else None
            if taker is None and play["state"] != "scored":
                continue
            unit = 1 if not field.line else 3 if taker == field.line else -1
            yield ComparedPlay(frequency.score, unit, taker, read_facts(play["facts"], results))


def read_facts(facts: dict[str, Any] | None, results: dict[str, DealResult]) -> DealResult | None:
    """Return the result that a table reported, or None. Many are alike, and each is read only once."""
    if facts is None:
        return None
    key = repr(facts)
    if key not in results:
        results[key] = result_from_data({name: value for name, value in facts.items() if name != "made"})
    return results[key]
