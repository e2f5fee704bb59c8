"""The lines of a pasted list of players: how the site reads each line, whom it means, what the user answered."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, npgettext_lazy, pgettext, pgettext_lazy

from clubs.answers import RowQuestion, take_settled
from clubs.licences import offer_licences
from clubs.lists import Column, ColumnKind, PastedList, read_pasted
from clubs.matching import (
    LICENSED,
    NEW,
    SAME,
    Candidate,
    KnownPlayer,
    Likeness,
    LineState,
    MatchedLine,
    MatchRow,
    match_rows,
    name_key,
)
from clubs.models import Club, Player
from clubs.players import ListCounts, known_of
from clubs.roster import FACTS, Doubt, NameOrder, RosterError, RosterLine
from clubs.roster.lines import UNREAD
from clubs.uploads.spreadsheet import OtherSheet
from tournaments.words.messages import say

MOST_SHOWN = 80  # letters of a line
# The kinds of lines, those that need an answer first.
STATES = {
    LineState.PROBABLE: npgettext_lazy("lines of a list", "probably known", "probably known", "count"),
    LineState.DOUBTFUL: npgettext_lazy("lines of a list", "to check", "to check", "count"),
    LineState.WRONG: npgettext_lazy("lines of a list", "cannot be read", "cannot be read", "count"),
    LineState.NO_NAME: npgettext_lazy("lines of a list", "without a name", "without a name", "count"),
    LineState.TWICE: npgettext_lazy("lines of a list", "twice", "twice", "count"),
    LineState.NEW: npgettext_lazy("lines of a list", "new", "new", "count"),
    LineState.SURE: npgettext_lazy("lines of a list", "known", "known", "count"),
}
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


@dataclass(frozen=True)
class RowsToAsk(RowQuestion):
    """A line of the list as the preview shows it, with the question about it.

    `figure` is the number at the end of the line as the form reads it, or "" in a list of names. `gains` are the data
    that the list adds to a known player, as text.
    """

    figure: str = ""
    gains: str = ""

    @property
    def name(self) -> str:
        """The name of the field that answers the question."""
        return f"who-{self.row.key}"

    @property
    def error(self) -> str:
        return say(self.row.error) if self.row.error else ""

    @property
    def legend(self) -> str:
        told = {"number": self.row.number, "text": Truncator(self.row.text).chars(MOST_SHOWN)}
        return _("Who is line %(number)s, “%(text)s”?") % told

    @property
    def why(self) -> str:
        """The reason why the line itself is doubtful, or "" if it is not."""
        row = self.row
        first, line = row.first, row.first.line if row.first else None
        if first and line and line.licence and first.words != row.words:
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
    def written(self) -> str:
        """The words of a line without a name or with a doubt. Otherwise the words that are ignored, or ""."""
        row = self.row
        if row.line is None or row.doubt:
            return quote(row.text)
        told = {"text": row.note}
        return _(UNREAD) % told if row.note else ""

    @property
    def does(self) -> str:
        """The outcome of a line without a question, as text: who the player is, or why nobody is taken."""
        row = self.row
        if row.repeats:
            is_refused = self.figure or row.team  # of two figures, or in two teams, nobody can say which one counts
            told = _("already on line %(first)s") if is_refused else _("already on line %(first)s: counted once")
            return told % {"first": row.repeats}
        if row.error:
            return self.error if row.error.code == "roster_licence_unknown" else _("contains no name: ignored")
        found = row.candidates[:1]
        if row.line is None or not found or name_key(found[0].who) == name_key(row.line):
            return _("on the club’s list")
        return _("on the club’s list: %(name)s") % {"name": write(found[0].who)}

    @property
    def details(self) -> list[str]:
        """The data beside the name that the line gives: licence, category, series, ranking of ladies, club."""
        return list_data(self.row.line, ("licence", *FACTS)) if self.row.line else []

    @property
    def choices(self) -> list[RowChoice]:
        return [self.say_choice(*each) for each in self.row.answers.items()] if self.asks else []

    def say_choice(self, answer: str, taken: MatchedLine | None) -> RowChoice:
        """Return a possible answer in words. `taken` is the line that it takes, or None."""
        row = self.row
        if taken is None:
            first = row.first.number if row.first else 0
            same = _("the same person as line %(line)s: counted once") % {"line": first}
            out = _("leave this person out") if row.doubt == Doubt.COUPLE else _("leave this line out")
            return RowChoice(answer, same if answer == SAME else out)
        if taken.player is not None:
            candidate = next(each for each in row.candidates if each.who.id == taken.player)
            return RowChoice(answer, write(candidate.who), say_reason(candidate, row))
        told = " · ".join(list_data(taken.line, FACTS)) if answer == LICENSED else ""
        note = _("without licence") if answer == NEW and row.licensed else told
        text = _("another person: %(name)s") if row.first else _("somebody new: %(name)s")
        return RowChoice(answer, text % {"name": write(taken.line)}, note)


class RowGroup(NamedTuple):
    """The rows of a list that the preview shows together: a whole list, or a team.

    `choices` are the answers of a question about the group, and `name` is its field. `checked` is the answer shown.
    """

    rows: list[RowsToAsk]
    legend: str = ""
    text: str = ""
    error: str = ""
    name: str = ""
    choices: Sequence[RowChoice] = ()
    checked: str = ""
    why: str = ""


class ListPreview:
    """The preview of a list, before anything is written. `lists/preview.html` draws it, for every use.

    - `target`: the id of the form to which the answers belong. `action`: the value of its button.
    - `groups`: the rows. `pasted`, `sheets`: the columns, lines and sheets that are read or not.
    - `digest`: stands for the rows and the numbers shown, "" if there is nothing to write. The page sends it back.
    - `stale`: the page has sent another digest, so the list is shown again.
    """

    target = "names"
    action = "add"
    back = ""  # the address to which one goes back
    caption: Any = gettext_lazy(
        "Choose who each line is. On a keyboard, the arrows choose, and Enter goes to the next line."
    )
    opening: Any = gettext_lazy("Show how the list is read")
    saves: Any = ""  # the words of the rows that are saved, such as “make %(n)s teams”, "" for a list of players alone
    fit: Any = None  # whether the evening has tables for the players
    digest = ""
    pasted = PastedList([], [], [])
    sheets: list[OtherSheet] = []
    questions: list[RowsToAsk] = []
    counts = ListCounts()
    data: Any = {}

    @property
    def settled(self) -> bool:
        """True if no question is left."""
        return all(question.settled for question in self.questions)

    @property
    def groups(self) -> list[RowGroup]:
        """The rows as they are drawn: those to be answered, then probable lines, then wrong ones, then certain ones."""

        def place(question: RowsToAsk) -> tuple[bool, int, bool, int]:
            row = question.row
            return not (question.asks and not row.likely), [*STATES].index(row.state), bool(row.likely), row.number

        return [RowGroup(sorted(self.questions, key=place))] if self.questions else []

    @property
    def waiting(self) -> int:
        """The number of lines that still need a choice."""
        return sum(question.asks and not question.checked for question in self.questions)

    @property
    def proposed(self) -> int:
        """The number of lines with a preselected answer that nobody has confirmed yet."""
        return sum(question.asks and bool(question.checked) and not question.answer for question in self.questions)

    @property
    def told(self) -> list[tuple[str, int]]:
        """Each kind of line as text, with the number of lines of that kind: ("new", 3). Empty kinds are left out."""
        states = Counter(question.row.state for question in self.questions)
        return [(STATES[state] % {"count": states[state]}, states[state]) for state in STATES if states[state]]

    @property
    def read(self) -> list[tuple[str, str]]:
        """The titles and texts of what is read of a list with named columns, and of what is not.

        A column without a heading has its place, from 1.
        """
        columns, above = self.pasted.columns, self.pasted.above
        told: list[tuple[str, Iterable[str]]] = [
            (_("Columns read:"), [say_column(column) for column in columns if column.kind]),
            (_("Columns not read:"), [each.heading or f"n° {each.place + 1}" for each in columns if not each.kind]),
            (_("Rows not read:"), [f"{row.number} {quote(row.text)}" for row in above]),
            (_("Sheets not read:"), map(say_sheet, self.sheets)),
        ]
        return [(title, text) for title, texts in told if (text := ", ".join(texts))]

    @property
    def shown(self) -> str:
        """The digest that the page sends back. It is "" while a line needs an answer: no number is sure yet."""
        return "" if self.waiting else self.digest

    @property
    def confirmed(self) -> bool:
        """True if the page that was sent has shown these rows and these numbers, and no question is left."""
        return bool(self.shown) and self.settled and self.data.get("shown") == self.shown

    @property
    def promised(self) -> ListCounts | None:
        """The numbers that the page has told, or None if it has shown no preview."""
        return self.counts if self.data.get("shown") else None

    @property
    def stale(self) -> bool:
        return bool(self.data.get("shown")) and self.data["shown"] != self.digest

    @property
    def button(self) -> str:
        """The words of the button: “Add 3 players, complete 2 players of the club’s list”."""
        if not self.shown:
            return _("Read the list again") if self.digest else str(self.opening)
        return capfirst(", ".join(self.say_counts())) or _("Nobody to add")

    def say_counts(self) -> list[str]:
        """Return what is written, with the numbers, as parts of one sentence."""
        rows, new, completed = self.counts
        return say_numbers(
            (rows if self.saves else 0, self.saves),
            (new, ngettext("add %(n)s player to the club’s list", "add %(n)s players to the club’s list", new)),
            (completed, ngettext("complete %(n)s player of the list", "complete %(n)s players of the list", completed)),
        )


def tell_counted(request: HttpRequest, text: str, count: int) -> None:
    """Tell by a message how many rows were changed. `text` has the number as `count`.

    If there is none, the message says that nothing has changed, and is none of success.
    """
    if count:
        messages.success(request, text % {"count": count})
    else:
        messages.info(request, _("Nothing has changed."))


def done_counted(request: HttpRequest, text: str, count: int, to: str, *args: str | int) -> HttpResponse:
    """Redirect to the page `to`, which tells how many rows were changed."""
    tell_counted(request, text, count)
    return redirect(to, *args)


def say_numbers(*told: tuple[int, Any]) -> list[str]:
    """Return numbers with their words, without those that are 0."""
    return [text % {"n": number} for number, text in told if number]


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
    return TypedNames(asked, errors, [] if errors else [*take_settled(found).values()])


def say_column(column: Column) -> str:
    """Return how a column of a list is read, as text: “Nom participant → family name”."""
    kind = str(KINDS[column.kind]) if column.kind else ""
    kind = f"{kind} {column.seat}" if column.seat else kind
    return f"{column.heading} → {kind}"


def say_sheet(sheet: OtherSheet) -> str:
    """Return a sheet that is not read, as text: “Notes (3 rows, hidden)”."""
    rows = ngettext("%(n)s row", "%(n)s rows", sheet.rows) % {"n": sheet.rows}
    hidden = [pgettext("sheet of a spreadsheet", "hidden")] if sheet.hidden else []
    return f"{sheet.name} ({', '.join([rows, *hidden])})"


def quote(text: str) -> str:
    return pgettext("what somebody typed", "“%(typed)s”") % {"typed": Truncator(text).chars(MOST_SHOWN)}


def say_gains(player: Player, fields: Sequence[str]) -> str:
    """Return the data that a list adds to a known player, as text."""
    back = [_("back on the list")] if "put_away_at" in fields else []
    return ", ".join([*list_data(player, fields), *back])


def list_data(of: Player | RosterLine, fields: Iterable[str]) -> list[str]:
    """Return the values of these fields as texts, without empty ones."""
    words = {"category": Player.Category, "series": Player.SeriesClass, "ladies": Player.Ladies}
    values = [(name, getattr(of, name)) for name in fields if name != "put_away_at"]
    return [str(words[name](value).label) if name in words else value for name, value in values if value]


def write(who: KnownPlayer | RosterLine) -> str:
    name = f"{who.last_name} {who.first_name}".strip()
    return f"{name} · {who.licence}" if who.licence else name


def say_reason(candidate: Candidate, row: MatchRow) -> str:
    """Return the reason why a candidate is offered, as text. Return "" if the candidate has the line's name."""
    turned = candidate.why == Likeness.SPELLING and row.line and name_key(candidate.by) == name_key(row.line)
    why = Likeness.NAME if turned else candidate.why  # the whole list has shown the order of its names
    if why == Likeness.NAME and row.suggested is None:
        return _("the same name")
    return {
        Likeness.LICENCE: _("the same licence"),
        Likeness.NAME: "",
        Likeness.SPELLING: _("written differently"),
        Likeness.LETTERS: _("nearly the same letters"),
        Likeness.PART: _("a part of the name"),
    }[why]
