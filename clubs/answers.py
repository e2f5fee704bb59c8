"""The answers to the question which player each line of a pasted list means.

A line without a sure match needs an answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clubs.matching import OUT, SAME, LineState, MatchedLine, MatchRow
from clubs.roster import FACTS, RosterError, RosterLine


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """A row of a list and the answer to it, "" if there is none yet.

    An answer is the number of a player, or one of five words. NEW means a new player. WHOLE means a new player whose
    name includes the remarks. LICENSED means a new player with the licence of the federation's list. SAME means the
    person of an earlier row. OUT skips the row.
    """

    row: MatchRow
    given: str

    @property
    def answer(self) -> str:
        """The given answer if it is possible, else ""."""
        return self.given if self.given in self.row.answers else ""

    @property
    def checked(self) -> str:
        """The answer that the form shows as chosen: the given one, or the most likely one."""
        return self.answer or (self.row.likely if self.row.likely in self.row.answers else "")

    @property
    def asks(self) -> bool:
        """True if somebody has to choose, perhaps again because the chosen player no longer exists."""
        stale = bool(self.given) and not self.answer and not self.passed_over
        return stale or self.row.state in (LineState.PROBABLE, LineState.DOUBTFUL, LineState.WRONG)

    @property
    def passed_over(self) -> bool:
        """True if the row is skipped without an answer: it has no name, or it surely repeats an earlier row."""
        return self.row.state in (LineState.NO_NAME, LineState.TWICE)

    @property
    def settled(self) -> bool:
        """True if no answer is missing. A row without a sure match needs a given answer."""
        if self.passed_over:
            return self.given == OUT
        return bool(self.answer) or not self.asks

    @property
    def counts(self) -> bool:
        """True if the row is a person, and not the same person as an earlier row."""
        return self.row.line is not None and not self.passed_over and self.checked not in (OUT, SAME)

    @property
    def means(self) -> int | None:
        """The number of the player whom the row means, as far as is known, else None."""
        return int(self.checked) if self.counts and self.checked.isdigit() else None

    @property
    def taken(self) -> MatchedLine | None:
        """The line with the player that it means. None if the row is skipped, or if an answer is missing."""
        if self.row.line is None or not self.settled or not self.counts:
            return None
        return self.row.answers[self.answer] if self.answer else MatchedLine(self.row.line, self.row.suggested)


def take_likely(questions: Sequence[RowQuestion]) -> dict[str, MatchedLine]:
    """Return what `take_settled` takes if all proposed answers are right."""
    return take_settled([replace(each, given=each.checked or each.given) for each in questions])


def take_settled(questions: Sequence[RowQuestion]) -> dict[str, MatchedLine]:
    """Return the lines, with their players, of all rows for which no answer is missing, by the keys of the rows.

    If a row is the same person as an earlier row, it only fills the empty fields of the earlier one.
    """
    takings = {each.row.key: each.taken for each in questions}
    for each in questions:
        key = each.row.first.key if each.row.first else ""
        first = takings.get(key)
        if first and each.answer == SAME and each.row.line:
            takings[key] = first._replace(line=complete(first.line, each.row.line))
    return {key: taken for key, taken in takings.items() if taken is not None}


def complete(line: RosterLine, other: RosterLine) -> RosterLine:
    """Return the line with its empty fields filled from the other line."""
    filled = {name: getattr(line, name) or getattr(other, name) for name in ("licence", *FACTS)}
    return replace(line, **filled)


def require_settled(questions: Iterable[RowQuestion]) -> None:
    """Raise RosterError for the first row for which an answer is missing."""
    for row in (question.row for question in questions if not question.settled):
        code = "roster_unclear" if row.doubt else "roster_doubt"
        raise row.error or RosterError(code, line=row.number, text=row.text, key=row.key)
