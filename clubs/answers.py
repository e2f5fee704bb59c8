"""What a reader answers to who the lines of a list are; without his word nobody is taken who is not sure. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from clubs.matching import NEW, OUT, SAME, WHOLE, Known, Row, State, read_list
from clubs.roster import Order, RosterError, RosterLine


class Taken(NamedTuple):
    """A line of a list, and whom on the club's list it means, by his number; None for somebody new."""

    line: RosterLine
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A row of a list, and what was answered: a player's number, NEW, WHOLE, SAME, or OUT where it is passed over; ""
    where nothing was."""

    row: Row
    given: str

    @property
    def values(self) -> list[str]:
        """What may be answered."""
        found = [SAME] if self.row.first else []
        found += [str(candidate.who.id) for candidate in self.row.candidates]
        found += [NEW] if self.row.may_be_new else []
        return [*found, *([WHOLE] if self.row.may_be_whole else []), OUT]

    @property
    def answer(self) -> str:
        """What was answered, where it may be."""
        return self.given if self.given in self.values else ""

    @property
    def checked(self) -> str:
        """The answer that is proposed: the one given, else the likely one."""
        return self.answer or (self.row.likely if self.row.likely in self.values else "")

    @property
    def asks(self) -> bool:
        """Whether somebody has to choose, perhaps again, since whom he chose is gone."""
        stale = bool(self.given) and not self.answer and not self.passed_over
        return stale or self.row.state in (State.PROBABLE, State.DOUBTFUL, State.WRONG)

    @property
    def passed_over(self) -> bool:
        """Whether there is nobody in it to be chosen."""
        return self.row.state in (State.NO_NAME, State.TWICE)

    @property
    def settled(self) -> bool:
        """Whether it is known who it is, or that it is nobody: what is not sure wants an answer that was seen."""
        if self.passed_over:
            return self.given == OUT
        return bool(self.answer) or not self.asks

    @property
    def counts(self) -> bool:
        """Return whether the row is somebody, and not the person of another row."""
        return self.row.line is not None and not self.passed_over and self.checked not in (OUT, SAME)

    @property
    def is_new(self) -> bool:
        """Return whether the row is somebody new, as far as that can be told."""
        told = self.checked in (NEW, WHOLE) or (not self.asks and self.row.suggested is None)
        return self.counts and self.means is None and told

    @property
    def means(self) -> int | None:
        """The number of whom it means, as far as that can be told."""
        return int(self.checked) if self.counts and self.checked.isdigit() else None

    @property
    def taken(self) -> Taken | None:
        """The line and whom it means; None where it is passed over, or not settled."""
        if self.row.line is None or not self.settled or not self.counts:
            return None
        if self.answer == WHOLE and self.row.whole is not None:
            return Taken(self.row.whole)
        chosen = int(self.answer) if self.answer.isdigit() else None
        return Taken(self.row.line, chosen if self.answer else self.row.suggested)


def take_settled(questions: Sequence[Question]) -> list[Taken]:
    """Return whom the settled rows mean. A row that is the person of an earlier one gives that what it lacks."""
    found = {each.row.key: each.taken for each in questions}
    for each in questions:
        key = each.row.first.key if each.row.first else ""
        first = found.get(key)
        if first and each.answer == SAME and each.row.line:
            found[key] = first._replace(line=complete(first.line, each.row.line))
    return [taken for taken in found.values() if taken is not None]


def complete(line: RosterLine, other: RosterLine) -> RosterLine:
    """Return the line with what it lacks and the other one has."""
    return replace(
        line,
        licence=line.licence or other.licence,
        category=line.category or other.category,
        origin=line.origin or other.origin,
        series=line.series or other.series,
    )


def settle(text: str, known: Iterable[Known], answers: Mapping[str, str], order: Order = Order.SEEN) -> list[Taken]:
    """Whom the lines of a text mean, with the answers by their keys.

    Raises `RosterError` for the first line that wants one: what is wrong with it, or `roster_doubt`.
    """
    questions = [Question(row, answers.get(row.key, "")) for row in read_list(text, known, order)]
    for row in (question.row for question in questions if not question.settled):
        if row.error:
            raise row.error
        if row.doubt:
            raise RosterError("roster_unclear", line=row.number, text=row.text, key=row.key)
        raise RosterError("roster_doubt", line=row.number, text=row.text, key=row.key)
    return take_settled(questions)
