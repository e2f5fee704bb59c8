"""The lines of a pasted list of players: how the site reads each line, whom it means, what the user answered."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from clubs.answers import MatchedLine, RowQuestion, take_settled
from clubs.licences.offering import offer_licences
from clubs.lists.columns import Column, ColumnKind
from clubs.lists.reading import PastedList, read_pasted
from clubs.matching import (
    LICENSED,
    NEW,
    OUT,
    SAME,
    WHOLE,
    Candidate,
    KnownPlayer,
    Likeness,
    LineState,
    MatchRow,
    match_rows,
    name_key,
)
from clubs.models import Club, Player
from clubs.players import have_same_words, known_of
from clubs.roster import Doubt, NameOrder, RosterError, RosterLine
from tournaments.words.messages import say

ON_TOP = (
    LineState.PROBABLE,
    LineState.DOUBTFUL,
    LineState.WRONG,
    LineState.NO_NAME,
    LineState.TWICE,
    LineState.NEW,
    LineState.SURE,
)


KINDS = {
    ColumnKind.LAST: pgettext_lazy("column of a list", "family name"),
    ColumnKind.FIRST: pgettext_lazy("column of a list", "first name"),
    ColumnKind.NAME: pgettext_lazy("column of a list", "name"),
    ColumnKind.LICENCE: pgettext_lazy("column of a list", "licence"),
    ColumnKind.ORIGIN: pgettext_lazy("column of a list", "club"),
    ColumnKind.CATEGORY: pgettext_lazy("column of a list", "category"),
    ColumnKind.SERIES: pgettext_lazy("column of a list", "series"),
    ColumnKind.LADIES: pgettext_lazy("column of a list", "ladies"),
    ColumnKind.STATUS: pgettext_lazy("column of a list", "status"),
    ColumnKind.UNTIL: pgettext_lazy("column of a list", "last day"),
    ColumnKind.SEASON: pgettext_lazy("column of a list", "season"),
}


class RowChoice(NamedTuple):
    value: str
    label: str
    note: str = ""


class RowsToAsk(RowQuestion):
    """A line of the list with the question that the form asks about it.

    `figure` is the number at the end of the line as the form reads it, or "" in a list of names.
    """

    figure = ""

    @property
    def name(self) -> str:
        """The name of the field that answers the question."""
        return f"who-{self.row.key}"

    @property
    def error(self) -> str:
        return say(self.row.error) if self.row.error else ""

    @property
    def why(self) -> str:
        """The reason why the line itself is doubtful, or "" if it is not."""
        row = self.row
        first, line = row.first, row.first.line if row.first else None
        if first and line and row.line and line.licence and not have_same_words(line, row.line):
            told = {"line": first.number, "licence": line.licence}
            return _("Line %(line)s has the licence %(licence)s too: one person or two?") % told
        return {
            None: _("The federation’s list has one person of this name.") if row.licensed else "",
            Doubt.STRAY: _("Perhaps not a player: leave it out?"),
            Doubt.SIGNATURE: _("Perhaps the person who sent the list: leave it out?"),
            Doubt.COUPLE: _("The line names several people."),
            Doubt.NOTE: _("A remark beside the name, “%(note)s”, is left out.") % {"note": row.note},
            Doubt.SAME: _("One person or two?"),
            Doubt.GONE: _("The registration says “%(note)s”: leave it out?") % {"note": row.note},
            Doubt.NUMBER: _("“%(note)s” is not a licence number: the player is taken without it.") % {"note": row.note},
        }[row.doubt]

    @property
    def left_out(self) -> str:
        """A sentence about ignored words beside the name, or "" if there are none or if the line has a question."""
        if self.row.doubt or not self.row.note:
            return ""
        return _("“%(note)s” is not a category of players here: it is ignored") % {"note": self.row.note}

    @property
    def listed_as(self) -> str:
        """The player's name in the club's list if it differs from the line. It is "" if the player is not certain."""
        line, found = self.row.line, self.row.candidates[:1]
        if self.row.state != LineState.SURE or line is None or not found or name_key(found[0].who) == name_key(line):
            return ""
        return write(found[0].who)

    @property
    def category(self) -> str:
        """The category, series and ladies' ranking that the line gives, as text, or ""."""
        return " · ".join(list_facts(self.row.line)) if self.row.line else ""

    @property
    def choices(self) -> list[RowChoice]:
        row, values = self.row, self.values
        found = []
        if row.first is not None:
            found.append(
                RowChoice(SAME, _("the same person as line %(line)s: counted once") % {"line": row.first.number})
            )
        found += [RowChoice(str(each.who.id), write(each.who), describe(each, row)) for each in row.candidates]
        if line := row.licensed:
            told = " · ".join(filter(None, [*list_facts(line), line.origin]))
            found.append(RowChoice(LICENSED, _("somebody new: %(name)s") % {"name": write(line)}, told))
        text = _("another person: %(name)s") if row.first else _("somebody new: %(name)s")
        if row.line is not None and NEW in values:
            found.append(RowChoice(NEW, text % {"name": write(row.line)}, _("without licence") if row.licensed else ""))
        if row.whole is not None and WHOLE in values:
            found.append(RowChoice(WHOLE, _("somebody new: %(name)s") % {"name": write(row.whole)}))
        out = _("leave this person out") if row.doubt == Doubt.COUPLE else _("leave this line out")
        return [*found, RowChoice(OUT, out)]


class RowGroup(NamedTuple):
    """The rows of a list that the preview shows together: a whole list, or a team.

    `choices` are the answers of a question about the group, and `name` is its field. `chosen` is the answer shown.
    """

    rows: list[RowsToAsk]
    title: str = ""
    text: str = ""
    error: str = ""
    name: str = ""
    choices: Sequence[RowChoice] = ()
    chosen: str = ""


def ask_about_rows(pasted: PastedList, club: Club, order: NameOrder, answers: Mapping[str, str]) -> list[RowsToAsk]:
    """Return a question for every row of a list, in the order of the list.

    `answers` are the values of the posted form by the names of its fields.
    """
    rows = offer_licences(club, match_rows(pasted, known_of(club), order))
    return [RowsToAsk(row, answers.get(f"who-{row.key}", "")) for row in rows]


class TypedNames(NamedTuple):
    """The people whose names are typed into a form: the questions, why nobody can be taken yet, and the lines."""

    questions: list[RowsToAsk]
    errors: list[str]
    taken: list[MatchedLine]


def read_typed_names(text: str, club: Club, answers: Mapping[str, str]) -> TypedNames:
    """Return the people that a text names, one on each line. `answers` are the values of the posted form."""
    try:
        found = ask_about_rows(read_pasted(text), club, NameOrder.SEEN, answers)
    except RosterError as error:
        return TypedNames([], [say(error)], [])
    errors = [question.error for question in found if question.error]
    if not errors and not all(question.settled for question in found):
        errors = [_("It is not clear who is meant: see what is marked below.")]
    asked = [each for each in found if each.row.state in (LineState.PROBABLE, LineState.DOUBTFUL)]
    return TypedNames(asked, errors, [] if errors else take_settled(found))


def say_column(column: Column) -> str:
    """Return how a column of a list is read, as text: “Nom participant → family name”."""
    kind = str(KINDS[column.kind]) if column.kind else ""
    kind = f"{kind} {column.seat}" if column.seat else kind
    return f"{column.heading} → {kind}"


def put_doubts_first(questions: list[RowsToAsk]) -> list[RowsToAsk]:
    """Return the questions sorted: those to be answered, then probable lines, then wrong ones, then certain ones."""

    def place(question: RowsToAsk) -> tuple[bool, int, bool, int]:
        row = question.row
        return not (question.asks and not row.likely), ON_TOP.index(row.state), bool(row.likely), row.number

    return sorted(questions, key=place)


def list_facts(line: RosterLine) -> list[str]:
    """Return the category, series and ladies' ranking that a line gives, as texts."""
    told = [Player.Category(line.category).label] if line.category else []
    told += [Player.SeriesClass(line.series).label] if line.series else []
    told += [Player.Ladies(line.ladies).label] if line.ladies else []
    return list(map(str, told))


def write(who: KnownPlayer | RosterLine) -> str:
    name = f"{who.last_name} {who.first_name}".strip()
    return f"{name} · {who.licence}" if who.licence else name


def describe(candidate: Candidate, row: MatchRow) -> str:
    """Return the reason why a candidate is offered, as text. Return "" if the candidate has the line's name."""
    if candidate.why == Likeness.NAME and row.suggested is None:
        return _("the same name")
    return {
        Likeness.LICENCE: _("the same licence"),
        Likeness.NAME: "",
        Likeness.SPELLING: _("written differently"),
        Likeness.LETTERS: _("nearly the same letters"),
        Likeness.PART: _("a part of the name"),
    }[candidate.why]
