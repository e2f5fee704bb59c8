"""The frequency of each score of an étui, and the notes that follow from it.

In a comparison of many tables, the notes of a play depend only on its taker, its base score, and how often each score
occurs. So a table of frequencies is enough to find every note again, without the plays.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

from scoring.contract import marks
from scoring.formats import Format
from scoring.plays import LINES, ScoringPlay, SeatNotes
from scoring.topage import halves_by_score, note_of


class TakenScore(NamedTuple):
    """A base score with the seat that took, or None if everybody passed."""

    taker: str | None
    base_score: int


Frequencies = Mapping[TakenScore, int]


def count_scores(plays: Iterable[ScoringPlay]) -> dict[Hashable, Counter[TakenScore]]:
    """Return how often each score occurs in the compared plays, by étui."""
    found: dict[Hashable, Counter[TakenScore]] = {}
    for play in plays:
        if play.base_score is not None and play.compared:
            taker = None if play.taker is None else str(play.taker)
            found.setdefault(play.etui, Counter())[TakenScore(taker, play.base_score)] += 1
    return found


def find_notes_by_score(frequencies: Frequencies, rules: Format) -> dict[TakenScore, SeatNotes]:
    """Return the notes of the four seats for each score of an étui, as `note_plays` gives them to its plays.

    The format is one in which everybody plays alone, and no seat is empty.
    """
    most = 2 * (sum(frequencies.values()) - 1)
    if not rules.compares_seats:
        halves = halves_by_score(_count_values({score: score.base_score for score in frequencies}, frequencies))
        return {score: _notes_of_taker(score, halves[score.base_score], most) for score in frequencies}
    marked = {score: _marks_of_seats(score) for score in frequencies}
    by_seat = [
        halves_by_score(_count_values({score: mark[place] for score, mark in marked.items()}, frequencies))
        for place, _line in enumerate(LINES)
    ]
    return {
        score: tuple(note_of(own[value], most) for own, value in zip(by_seat, mark, strict=True))
        for score, mark in marked.items()
    }


def _count_values(values: Mapping[TakenScore, int], frequencies: Frequencies) -> Counter[int]:
    """Return how often each value occurs. `values` has the value of each score."""
    counted = Counter[int]()
    for score, value in values.items():
        counted[value] += frequencies[score]
    return counted


def _notes_of_taker(score: TakenScore, halves: int, most: int) -> SeatNotes:
    return tuple(note_of(halves if line == score.taker else most - halves, most) for line in LINES)


def _marks_of_seats(score: TakenScore) -> list[int]:
    mark = marks(score.base_score, len(LINES))
    return [mark.taker if line == score.taker else mark.defender for line in LINES]
