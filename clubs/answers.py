"""What a reader answers to who the lines of a list are; without his word nobody is taken who is not sure. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from clubs.matching import Known, Row, State, read_list
from clubs.roster import Order, RosterError, RosterLine

NEW, OUT = "new", "out"


class Taken(NamedTuple):
    """A line of a list, and whom on the club's list it means, by his number; None for somebody new."""

    line: RosterLine
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A line, and what was answered: a player's number, NEW, or OUT where it is passed over; "" where nothing was."""

    row: Row
    given: str

    @property
    def values(self) -> list[str]:
        """What may be answered."""
        found = [str(candidate.who.id) for candidate in self.row.candidates]
        return [*found, *([NEW] if self.row.may_be_new else []), OUT]

    @property
    def answer(self) -> str:
        """What was answered, where it may be."""
        return self.given if self.given in self.values else ""

    @property
    def checked(self) -> str:
        """The answer that is proposed: the one given, else the most probable."""
        return self.answer or (str(self.row.suggested) if self.row.suggested else "")

    @property
    def asks(self) -> bool:
        """Whether somebody has to choose, perhaps again, since whom he chose is gone."""
        stale = bool(self.given) and not self.answer and not self.passed_over
        return stale or self.row.state in (State.PROBABLE, State.WRONG)

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
        """Whether it is somebody."""
        return self.row.line is not None and not self.passed_over and self.given != OUT

    @property
    def means(self) -> int | None:
        """The number of whom it means, as far as that can be told."""
        return int(self.checked) if self.counts and self.checked.isdigit() else None

    @property
    def taken(self) -> Taken | None:
        """The line and whom it means; None where it is passed over, or not settled."""
        if self.row.line is None or not self.settled or not self.counts:
            return None
        chosen = int(self.answer) if self.answer.isdigit() else None
        return Taken(self.row.line, chosen if self.answer else self.row.suggested)


def settle(text: str, known: Iterable[Known], answers: Mapping[str, str], order: Order = Order.SEEN) -> list[Taken]:
    """Whom the lines of a text mean, with the answers by their keys.

    Raises `RosterError` for the first line that wants one: what is wrong with it, or `roster_doubt`.
    """
    found = []
    for row in read_list(text, known, order):
        question = Question(row, answers.get(row.key, ""))
        if not question.settled:
            raise row.error or RosterError("roster_doubt", line=row.number, text=row.text, key=row.key)
        if question.taken is not None:
            found.append(question.taken)
    return found
