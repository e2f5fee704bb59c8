"""What the plays of a published étui come to: how often each score, who did best with it, what made the difference.

Of the plays that `Report.topage` reads. They are compared in fields: those before an étui was altered and those after
apart; in a free auction each seat by its own marks.
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
from tournaments.rules.difference import Difference, Played, explain
from tournaments.rules.split import AFTER

Play = dict[str, Any]
Player = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Frequency:
    """The plays of one score. `note`: of the taker, in a free auction of the seat; `defence`: of his opponents. None
    where the arbiter has fixed those of all of them."""

    score: int
    plays: list[Play]
    note: Fraction | None
    defence: Fraction | None

    @property
    def count(self) -> int:
        return len(self.plays)


@dataclass(frozen=True, slots=True)
class Field:
    """Plays that are compared with one another, best score first. `line`: whose marks they are in a free auction."""

    line: str
    part: int
    frequencies: list[Frequency]

    @property
    def count(self) -> int:
        return sum(each.count for each in self.frequencies)

    @property
    def is_after(self) -> bool:
        """Whether they were played after the étui was altered."""
        return self.part == AFTER

    @property
    def is_compared(self) -> bool:
        """Whether somebody did better than somebody else."""
        return len(self.frequencies) > 1

    def attackers(self) -> list[Player]:
        """Whose score as taker is the highest, of those whose note comes of it."""
        return [player for play in self.frequencies[0].plays for player in seated(play, [play["taker"]])]

    def defenders(self) -> list[Player]:
        """Who kept the taker to the lowest score, of those whose note comes of it."""
        worst = self.frequencies[-1].plays
        return [player for play in worst for player in seated(play, [line for line in LINES if line != play["taker"]])]

    def sitters(self) -> list[tuple[Play, Player]]:
        """Free auction: whose mark is the highest at this seat, each with the play."""
        return [(play, player) for play in self.frequencies[0].plays for player in seated(play, [self.line])]


@dataclass(frozen=True, slots=True)
class Explained:
    """What made the difference, in which field."""

    field: Field
    difference: Difference


def seated(play: Play, lines: Iterable[str | None]) -> list[Player]:
    return [play["players"][line] for line in lines if line and line not in play["fixed"]]


def is_compared(play: Play) -> bool:
    return play["base_score"] is not None and bool(play["compared"])


def fields_of(plays: Sequence[Play], *, weighted: bool) -> list[Field]:
    """The fields of an étui's plays, part by part: one each with an imposed contract, four in a free auction."""
    counted = sorted((play for play in plays if is_compared(play)), key=lambda play: play["part"])
    found = []
    for part, group in groupby(counted, key=lambda play: play["part"]):
        topped = list(group)
        found += [Field(line, part, list(count(topped, line))) for line in ([""] if weighted else LINES)]
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
    """What a score is worth: the note of any whose note is not fixed, since they have the same."""
    wanted = list(lines)
    notes = (play["notes"][line] for play in plays if play["notes"] for line in wanted if line not in play["fixed"])
    return next((note for note in notes if note is not None), None)


def explain_field(fields: Sequence[Field]) -> Explained | None:
    """What made the difference in the field of most plays; of the seats of a free auction, in that of the widest
    difference."""
    results: dict[str, DealResult] = {}
    most = max((field.count for field in fields), default=0)
    found = []
    for field in fields:
        if field.count == most and (difference := explain(list(played_in(field, results)))):
            found.append(Explained(field, difference))
    return max(found, key=lambda each: each.difference.best - each.difference.worst, default=None)


def played_in(field: Field, results: dict[str, DealResult]) -> Iterator[Played]:
    """The plays as they are compared; what the arbiter decided, and nobody reported, has neither taker nor result."""
    for frequency in field.frequencies:
        for play in frequency.plays:
            taker = Line(play["taker"]) if play["taker"] else None
            if taker is None and play["state"] != "scored":
                continue
            unit = 1 if not field.line else 3 if taker == field.line else -1
            yield Played(frequency.score, unit, taker, read_facts(play["facts"], results))


def read_facts(facts: dict[str, Any] | None, results: dict[str, DealResult]) -> DealResult | None:
    """The result that a table reported; many are alike, and each is read once."""
    if facts is None:
        return None
    key = repr(facts)
    if key not in results:
        results[key] = result_from_data({name: value for name, value in facts.items() if name != "made"})
    return results[key]
