"""The answers of a reader to the question whom each line of a list means. Unsure lines need an answer. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from clubs.matching import NEW, OUT, SAME, WHOLE, KnownPlayer, LineState, MatchRow, read_list
from clubs.roster import NameOrder, RosterError, RosterLine


class MatchedLine(NamedTuple):
    """A line of a list, and the number of the player on the club's list whom it means. None for a new player."""

    line: RosterLine
    player: int | None = None


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """A row of a list and its answer, "" if there is none yet.

    An answer is a player's number, NEW, WHOLE, SAME, or OUT to skip the row.
    """

    row: MatchRow
    given: str

    @property
    def values(self) -> list[str]:
        """The answers that are possible."""
        found = [SAME] if self.row.first else []
        found += [str(candidate.who.id) for candidate in self.row.candidates]
        found += [NEW] if self.row.may_be_new else []
        return [*found, *([WHOLE] if self.row.may_be_whole else []), OUT]

    @property
    def answer(self) -> str:
        """The answer that was given if it is possible, else ""."""
        return self.given if self.given in self.values else ""

    @property
    def checked(self) -> str:
        """The answer that is proposed: the one given, else the likely one."""
        return self.answer or (self.row.likely if self.row.likely in self.values else "")

    @property
    def asks(self) -> bool:
        """True if somebody has to choose, perhaps again because the chosen player is gone."""
        stale = bool(self.given) and not self.answer and not self.passed_over
        return stale or self.row.state in (LineState.PROBABLE, LineState.DOUBTFUL, LineState.WRONG)

    @property
    def passed_over(self) -> bool:
        """True if the row has nobody to choose."""
        return self.row.state in (LineState.NO_NAME, LineState.TWICE)

    @property
    def settled(self) -> bool:
        """True if it is known whom the row means, or that it means nobody. An unsure row needs a given answer."""
        if self.passed_over:
            return self.given == OUT
        return bool(self.answer) or not self.asks

    @property
    def counts(self) -> bool:
        """True if the row is a person, and not the person of another row."""
        return self.row.line is not None and not self.passed_over and self.checked not in (OUT, SAME)

    @property
    def is_new(self) -> bool:
        """True if the row is a new player, as far as it is known."""
        told = self.checked in (NEW, WHOLE) or (not self.asks and self.row.suggested is None)
        return self.counts and self.means is None and told

    @property
    def means(self) -> int | None:
        """The number of the player whom the row means, as far as it is known, else None."""
        return int(self.checked) if self.counts and self.checked.isdigit() else None

    @property
    def taken(self) -> MatchedLine | None:
        """The line with the player whom it means, or None if the row is skipped or not settled."""
        if self.row.line is None or not self.settled or not self.counts:
            return None
        if self.answer == WHOLE and self.row.whole is not None:
            return MatchedLine(self.row.whole)
        chosen = int(self.answer) if self.answer.isdigit() else None
        return MatchedLine(self.row.line, chosen if self.answer else self.row.suggested)


def take_settled(questions: Sequence[RowQuestion]) -> list[MatchedLine]:
    """Return the lines of the settled rows with their players.

    A row that is the person of an earlier row adds the fields that the earlier one lacks.
    """
    found = {each.row.key: each.taken for each in questions}
    for each in questions:
        key = each.row.first.key if each.row.first else ""
        first = found.get(key)
        if first and each.answer == SAME and each.row.line:
            found[key] = first._replace(line=complete(first.line, each.row.line))
    return [taken for taken in found.values() if taken is not None]


def complete(line: RosterLine, other: RosterLine) -> RosterLine:
    """Return the line with its empty fields filled from the other one."""
    return replace(
        line,
        licence=line.licence or other.licence,
        category=line.category or other.category,
        origin=line.origin or other.origin,
        series=line.series or other.series,
        ladies=line.ladies or other.ladies,
    )


def match_answered_lines(
    text: str, known: Iterable[KnownPlayer], answers: Mapping[str, str], order: NameOrder = NameOrder.SEEN
) -> list[MatchedLine]:
    """Return the lines of a text with their players. `answers` are by the rows' keys.

    Raise `RosterError` for the first line that is not settled: its own error, `roster_unclear` or `roster_doubt`.
    """
    questions = [RowQuestion(row, answers.get(row.key, "")) for row in read_list(text, known, order)]
    for row in (question.row for question in questions if not question.settled):
        if row.error:
            raise row.error
        if row.doubt:
            raise RosterError("roster_unclear", line=row.number, text=row.text, key=row.key)
        raise RosterError("roster_doubt", line=row.number, text=row.text, key=row.key)
    return take_settled(questions)
