"""The form for a list of players, pasted or in a file. It shows how each line is read before anything is saved."""

from collections import Counter
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext_lazy

from clubs.answers import MatchedLine, take_settled
from clubs.lists.reading import PastedList, read_pasted
from clubs.matching import LineState
from clubs.models import Club
from clubs.roster import NameOrder, RosterError
from clubs.uploads.sheets import OtherSheet
from tournaments.web.roster_rows import RowGroup, RowsToAsk, ask_about_rows, put_doubts_first, say_column
from tournaments.web.uploads import read_names
from tournaments.words.messages import say

MAX_TEXT = 1_000_000  # the export of a ticket office has thirty columns


STATES = {
    LineState.PROBABLE: npgettext_lazy("lines of a list", "probably known", "probably known", "count"),
    LineState.DOUBTFUL: npgettext_lazy("lines of a list", "read as shown", "read as shown", "count"),
    LineState.WRONG: npgettext_lazy("lines of a list", "cannot be read", "cannot be read", "count"),
    LineState.NO_NAME: npgettext_lazy("lines of a list", "without a name", "without a name", "count"),
    LineState.TWICE: npgettext_lazy("lines of a list", "twice", "twice", "count"),
    LineState.NEW: npgettext_lazy("lines of a list", "new", "new", "count"),
    LineState.SURE: npgettext_lazy("lines of a list", "known", "known", "count"),
}


class RosterForm(forms.Form):
    """A form for a list of players.

    `questions` has one entry for each line, doubts first. `settled` is true if no question is left.
    """

    text = forms.CharField(
        label=_("Players, one on each line"),
        help_text=_(
            "Any form works, from an e-mail or a spreadsheet: “DUPONT Marie”, “Marie Dupont”, “Dupont; Marie; 123456”."
        ),
        max_length=MAX_TEXT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false", "data-find": ""}),
    )

    file = forms.FileField(
        label=_("Or a file (XLSX, ODS, CSV or text)"),
        required=False,
        max_length=200,
        help_text=_(
            "One player on each line: family name; first name; licence. A first line may name the columns; club, "
            "category, series and ladies can be among them."
        ),
    )
    order = forms.ChoiceField(
        label=_("Names are written"),
        choices=[
            (NameOrder.SEEN, _("as capitals and commas show")),
            (NameOrder.FAMILY_FIRST, _("family name first")),
            (NameOrder.FIRST_NAME_FIRST, _("first name first")),
        ],
        required=False,
        initial=NameOrder.SEEN,
        widget=forms.RadioSelect,
    )
    field_order = ("text", "file", "order")

    def __init__(self, club: Club, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        """Build the form.

        The content of an uploaded file replaces the text, so that the page shows it, and its cells can be corrected.
        """
        self.file_error = ""
        self.sheets: list[OtherSheet] = []
        upload = files.get("file") if files else None
        if upload is not None:
            data = data.copy() if data else QueryDict(mutable=True)
            try:
                data["text"], self.sheets = read_names(upload)
            except forms.ValidationError as error:
                self.file_error = " ".join(error.messages)
        super().__init__(data, files, **kwargs)
        self.club = club
        self.pasted = PastedList([], [], [])
        self.questions: list[RowsToAsk] = []
        self.taken: list[MatchedLine] = []

    @property
    def settled(self) -> bool:
        return all(question.settled for question in self.questions)

    @property
    def groups(self) -> list[RowGroup]:
        """The rows as the preview shows them."""
        return [RowGroup(self.questions)]

    @property
    def waiting(self) -> int:
        """The number of lines that still need a choice."""
        return sum(question.asks and not question.checked for question in self.questions)

    @property
    def proposed(self) -> int:
        """The number of lines with a preselected answer that nobody has confirmed yet."""
        return sum(question.asks and bool(question.checked) and not question.answer for question in self.questions)

    @property
    def new(self) -> int:
        """The number of new players, if the preselected answers are right."""
        return sum(question.is_new for question in self.questions)

    @property
    def told(self) -> list[tuple[str, int]]:
        """Each kind of line as text, with the number of lines of that kind: ("new", 3). Empty kinds are left out."""
        states = Counter(question.row.state for question in self.questions)
        return [(STATES[state] % {"count": states[state]}, states[state]) for state in STATES if states[state]]

    @property
    def written(self) -> NameOrder:
        """The chosen order of the names, or `NameOrder.SEEN` if the choice is unknown."""
        asked = self.data.get("order", "")
        return NameOrder(asked) if asked in list(NameOrder) else NameOrder.SEEN

    @property
    def read(self) -> list[str]:
        """The columns that are read, each with what it is read as."""
        return [say_column(column) for column in self.pasted.columns if column.kind]

    @property
    def unread(self) -> list[str]:
        """The headings of the columns that are not read. A column without a heading has its place, from 1."""
        return [each.heading or f"n° {each.place + 1}" for each in self.pasted.columns if not each.kind]

    def clean_file(self) -> None:
        if self.file_error:
            raise forms.ValidationError(self.file_error)

    def clean_text(self) -> str:
        """Return the text with uniform line ends, and set `questions` and `taken` from its lines."""
        text = "\n".join(self.cleaned_data["text"].splitlines())
        if self.fields["text"].required and not text.strip():
            raise forms.ValidationError(self.fields["text"].error_messages["required"])
        try:
            self.read_text(text)
        except RosterError as error:
            raise forms.ValidationError(say(error)) from error
        return text

    def read_text(self, text: str) -> None:
        """Set `pasted`, `questions` and `taken`. Raise RosterError if the text has too many lines."""
        self.pasted = read_pasted(text)
        questions = ask_about_rows(self.pasted, self.club, self.written, self.data)
        self.taken = take_settled(questions)
        self.questions = put_doubts_first(questions)
