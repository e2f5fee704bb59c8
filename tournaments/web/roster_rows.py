"""A list of players line by line: what was understood, who it is, and what a reader has answered."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.answers import NEW, OUT, Question
from clubs.matching import Candidate, Known, Row, State, Why, read_list
from clubs.models import Club
from clubs.players import known_of
from clubs.roster import Order, RosterLine
from tournaments.words.messages import say

ON_TOP = (State.PROBABLE, State.WRONG, State.NO_NAME, State.TWICE, State.NEW, State.SURE)


class Choice(NamedTuple):
    value: str
    label: str
    note: str = ""


class Asked(Question):
    """A question as a form puts it."""

    @property
    def name(self) -> str:
        """Of the field that answers it."""
        return f"who-{self.row.key}"

    @property
    def error(self) -> str:
        return say(self.row.error) if self.row.error else ""

    @property
    def choices(self) -> list[Choice]:
        found = [Choice(str(each.who.id), write(each.who), describe(each, self.row)) for each in self.row.candidates]
        if self.row.line is not None and NEW in self.values:
            found.append(Choice(NEW, _("somebody new: %(name)s") % {"name": write(self.row.line)}))
        return [*found, Choice(OUT, _("leave this line out"))]


def ask_about(text: str, club: Club, order: Order, answers: Mapping[str, str]) -> list[Asked]:
    """Every line that is not empty, in the text's order, with what `answers` has by the names of the fields."""
    rows = read_list(text, known_of(club), order)
    return [Asked(row, answers.get(f"who-{row.key}", "")) for row in rows]


def put_doubts_first(questions: list[Asked]) -> list[Asked]:
    """What has to be answered, what is most probable, what is wrong; then whom nothing need be asked of."""

    def place(question: Asked) -> tuple[int, bool, int]:
        row = question.row
        return ON_TOP.index(row.state), row.suggested is not None, row.number

    return sorted(questions, key=place)


def write(who: Known | RosterLine) -> str:
    name = f"{who.last_name} {who.first_name}".strip()
    return f"{name} · {who.licence}" if who.licence else name


def describe(candidate: Candidate, row: Row) -> str:
    """Why a candidate is offered."""
    if candidate.why == Why.NAME and row.suggested is None:
        return _("the same name")
    return {
        Why.LICENCE: _("the same licence"),
        Why.NAME: "",
        Why.SPELLING: _("written otherwise"),
        Why.LETTERS: _("nearly the same letters"),
        Why.PART: _("a part of the name"),
    }[candidate.why]
