"""A list of players line by line: what was understood, who it is, and what a reader has answered."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.answers import Question
from clubs.matching import NEW, OUT, SAME, WHOLE, Candidate, Known, Row, State, Why, name_key, read_list
from clubs.models import Club, Player
from clubs.players import known_of
from clubs.roster import Doubt, Order, RosterLine
from tournaments.words.messages import say

ON_TOP = (
    State.PROBABLE,
    State.DOUBTFUL,
    State.WRONG,
    State.NO_NAME,
    State.TWICE,
    State.NEW,
    State.SURE,
)


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
    def why(self) -> str:
        """Why the line itself is asked about; "" where it is not."""
        row = self.row
        return {
            None: "",
            Doubt.STRAY: _("Perhaps no player at all: leave it out?"),
            Doubt.SIGNATURE: _("Perhaps who sent the list: leave it out?"),
            Doubt.COUPLE: _("The line names several people."),
            Doubt.NOTE: _("A remark beside the name, “%(note)s”, is left out of it.") % {"note": row.note},
            Doubt.SAME: _("One person or two?"),
        }[row.doubt]

    @property
    def left_out(self) -> str:
        """What of a line that is not asked about was not taken."""
        if self.row.doubt or not self.row.note:
            return ""
        return _("“%(note)s” is no category of players here: it is not taken") % {"note": self.row.note}

    @property
    def listed_as(self) -> str:
        """Under which name the club's list has whom the line surely means, where that is another one."""
        line, found = self.row.line, self.row.candidates[:1]
        if self.row.state != State.SURE or line is None or not found or name_key(found[0].who) == name_key(line):
            return ""
        return write(found[0].who)

    @property
    def category(self) -> str:
        """The category and the series that a file tells, as pages call them."""
        line = self.row.line
        if line is None:
            return ""
        told = [Player.Category(line.category).label] if line.category else []
        told += [Player.Series(line.series).label] if line.series else []
        return " · ".join(map(str, told))

    @property
    def choices(self) -> list[Choice]:
        row, values = self.row, self.values
        found = []
        if row.first is not None:
            found.append(Choice(SAME, _("the person of line %(line)s: counted once") % {"line": row.first.number}))
        found += [Choice(str(each.who.id), write(each.who), describe(each, row)) for each in row.candidates]
        text = _("another person: %(name)s") if row.first else _("somebody new: %(name)s")
        if row.line is not None and NEW in values:
            found.append(Choice(NEW, text % {"name": write(row.line)}))
        if row.whole is not None and WHOLE in values:
            found.append(Choice(WHOLE, _("somebody new: %(name)s") % {"name": write(row.whole)}))
        out = _("leave this person out") if row.doubt == Doubt.COUPLE else _("leave this line out")
        return [*found, Choice(OUT, out)]


def ask_about(text: str, club: Club, order: Order, answers: Mapping[str, str]) -> list[Asked]:
    """Every line that is not empty, in the text's order, with what `answers` has by the names of the fields."""
    rows = read_list(text, known_of(club), order)
    return [Asked(row, answers.get(f"who-{row.key}", "")) for row in rows]


def put_doubts_first(questions: list[Asked]) -> list[Asked]:
    """What has to be answered, what is most probable, what is wrong; then whom nothing need be asked of."""

    def place(question: Asked) -> tuple[bool, int, bool, int]:
        row = question.row
        return not (question.asks and not row.likely), ON_TOP.index(row.state), bool(row.likely), row.number

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
