"""The scores in a published étui: how often each one was made, who made the best one, and why the scores differ.

The scores are counted in fields. A field is a group of plays that are compared with each other. If an étui was altered
during the session, the plays before and after that are two fields. In a free auction each seat is a field, because
players are compared by their own marks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from deals.domain.cards import LINES
from rankings.publication.report import ShownPlay
from rankings.ranking import RankedRow
from scoring.contract import DealResult
from scoring.notation import result_from_data
from scoring.plays import SEATS
from tournaments.rules.difference import ComparedPlay, ScoreDifference, explain
from tournaments.rules.entry import seat_marks
from tournaments.rules.etuis import AFTER


@dataclass(frozen=True, slots=True)
class Frequency:
    """A score, how often it was made, and the notes that it has.

    `note` is the note of the taker, or of the seat in a free auction. `defence` is the note of the defenders. A note is
    None if the arbiter has fixed it for all of these plays. Only in a session are the `plays` known.
    """

    score: int
    count: int
    note: Fraction | None
    defence: Fraction | None
    plays: Sequence[ShownPlay] = ()


@dataclass(frozen=True, slots=True)
class ScoreField:
    """The plays that are compared with each other, in groups of equal scores, the best score first.

    In a free auction, `line` is the seat whose marks are compared; otherwise it is empty. `part` tells whether the
    plays were made before or after the étui was altered. In a simultaneous, `club` is the club that altered the étui
    before these plays, or "".
    """

    line: str
    part: int
    frequencies: Sequence[Frequency]
    club: str = ""

    @property
    def count(self) -> int:
        return sum(each.count for each in self.frequencies)

    @property
    def is_after(self) -> bool:
        """True if the plays were made after the étui was altered."""
        return self.part == AFTER

    @property
    def is_compared(self) -> bool:
        """True if there are at least two different scores."""
        return len(self.frequencies) > 1

    def attackers(self) -> list[RankedRow]:
        """Return the takers who made the highest score. A taker whose note the arbiter fixed is left out."""
        return [player for play in self.frequencies[0].plays for player in find_seated_players(play, [play.taker])]

    def defenders(self) -> list[RankedRow]:
        """Return the defenders against whom the taker made the lowest score.

        A defender with a fixed note is left out.
        """
        worst = self.frequencies[-1].plays
        return [
            player
            for play in worst
            for player in find_seated_players(play, [line for line in LINES if line != play.taker])
        ]

    def sitters(self) -> list[tuple[ShownPlay, RankedRow]]:
        """Return the plays with the highest mark at this seat of a free auction, each with the player who made it."""
        return [
            (play, player) for play in self.frequencies[0].plays for player in find_seated_players(play, [self.line])
        ]


@dataclass(frozen=True, slots=True)
class ExplainedDifference:
    """A field, with the explanation why its best and worst scores differ."""

    field: ScoreField
    difference: ScoreDifference


def find_seated_players(play: ShownPlay, lines: Iterable[str | None]) -> list[RankedRow]:
    """Return the players of the play on these lines, except those whose note the arbiter fixed. A team comes once."""
    seated = [play.players[line] for line in lines if line and line not in play.fixed]
    return list({player.id: player for player in seated}.values())


def is_compared(play: ShownPlay) -> bool:
    """Return whether the play has a score that is compared with other scores."""
    return play.base_score is not None and bool(play.compared)


def fields_of(plays: Sequence[ShownPlay], *, weighted: bool) -> list[ScoreField]:
    """Return the fields of an étui's plays, first those of the plays before it was altered.

    With an imposed contract (`weighted`), the plays of each part are one field. In a free auction each seat has its own
    field.
    """
    counted = sorted((play for play in plays if is_compared(play)), key=lambda play: play.part)
    found = []
    for part, group in groupby(counted, key=lambda play: play.part):
        topped = list(group)
        seats = [""] if weighted else [seat for seat in SEATS if seat in topped[0].players]
        found += [ScoreField(line, part, list(count(topped, line))) for line in seats]
    return found


def count(plays: Sequence[ShownPlay], line: str) -> Iterator[Frequency]:
    """Yield the groups of plays with the same score, the best score first.

    `line` is the seat in a free auction, else empty.
    """

    def score(play: ShownPlay) -> int:
        assert play.marks is not None  # the plays of a field have scores
        assert play.base_score is not None
        return play.marks[line] if line else play.base_score

    for value, group in groupby(sorted(plays, key=score, reverse=True), key=score):
        alike = list(group)
        if line:
            yield Frequency(value, len(alike), first_note(alike, [line]), None, alike)
        else:
            takers = {play.taker for play in alike if play.taker}
            others = [each for each in LINES if each not in takers]
            yield Frequency(value, len(alike), first_note(alike, takers), first_note(alike, others), alike)


def first_note(plays: Sequence[ShownPlay], lines: Iterable[str]) -> Fraction | None:
    """Return the note that belongs to these plays' score, or None if all notes on these lines are fixed.

    All notes that are not fixed are equal here, so the first one found is returned.
    """
    wanted = list(lines)
    notes = (play.notes.get(line) for play in plays if play.notes for line in wanted if line not in play.fixed)
    return next((note for note in notes if note is not None), None)


def explain_field(fields: Sequence[ScoreField]) -> ExplainedDifference | None:
    """Return the explanation for the field with the most plays, or None if no difference can be explained.

    If several fields have equally many plays (the seats of a free auction), the one with the widest difference is
    explained.
    """
    results: dict[str, DealResult] = {}
    most = max((field.count for field in fields), default=0)
    found = []
    for field in fields:
        if field.count == most and (difference := explain(list(played_in(field, results)))):
            found.append(ExplainedDifference(field, difference))
    return max(found, key=lambda each: each.difference.best - each.difference.worst, default=None)


def played_in(field: ScoreField, results: dict[str, DealResult]) -> Iterator[ComparedPlay]:
    """Yield the plays of the field in the form that `explain` compares.

    A play is left out if it has neither a taker nor a reported result, for example because the arbiter decided it.
    """
    for frequency in field.frequencies:
        for play in frequency.plays:
            taker = play.taker or None
            if taker is None and play.state != "scored":
                continue
            unit = find_unit(play, field.line) if field.line else 1
            yield ComparedPlay(frequency.score, unit, taker, read_facts(play.facts, results), play.partner)


def find_unit(play: ShownPlay, seat: str) -> int:
    """Return by what the base score of a play is multiplied for this seat, such as 3 for a taker among four."""
    return seat_marks(play.taker, 1, play.players, play.partner or None)[seat] or -1


def read_facts(facts: Mapping[str, Any] | None, results: dict[str, DealResult]) -> DealResult | None:
    """Return the result that a table reported, or None.

    Many reports are equal. `results` caches each result by its text, so that equal ones are built only once.
    """
    if facts is None:
        return None
    key = repr(facts)
    if key not in results:
        results[key] = result_from_data({name: value for name, value in facts.items() if name != "made"})
    return results[key]
