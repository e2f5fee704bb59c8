"""A list of players, pasted or in a file: how each of its lines is read, told before anything is kept."""

from collections import Counter
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext_lazy

from clubs.answers import Taken, take_settled
from clubs.matching import State
from clubs.models import Club
from clubs.roster import Order, RosterError
from tournaments.web.roster_rows import Asked, ask_about, put_doubts_first
from tournaments.web.uploads import read_names
from tournaments.words.messages import say

MAX_TEXT = 200_000


STATES = {
    State.PROBABLE: npgettext_lazy("lines of a list", "probably known", "probably known", "count"),
    State.DOUBTFUL: npgettext_lazy("lines of a list", "read as marked", "read as marked", "count"),
    State.WRONG: npgettext_lazy("lines of a list", "cannot be read", "cannot be read", "count"),
    State.NO_NAME: npgettext_lazy("lines of a list", "without a name", "without a name", "count"),
    State.TWICE: npgettext_lazy("lines of a list", "twice", "twice", "count"),
    State.NEW: npgettext_lazy("lines of a list", "new", "new", "count"),
    State.SURE: npgettext_lazy("lines of a list", "known", "known", "count"),
}


class RosterForm(forms.Form):
    """Valid when it is a list. `questions` tells of each line, doubts first; `settled`, whether none is left to ask."""

    text = forms.CharField(
        label=_("Players, one a line"),
        help_text=_(
            "As they come, from a mail or a spreadsheet: “DUPONT Marie”, “Marie Dupont”, “Dupont; Marie; 123456”."
        ),
        max_length=MAX_TEXT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    file = forms.FileField(
        label=_("Or a file (XLSX, ODS, CSV or text)"),
        required=False,
        max_length=200,
        help_text=_(
            "One player a line: family name; first name; licence. A first line may name the columns, club and category "
            "too."
        ),
    )
    order = forms.ChoiceField(
        label=_("Names are written"),
        choices=[
            (Order.SEEN, _("as capitals and commas tell")),
            (Order.FAMILY_FIRST, _("family name first")),
            (Order.FIRST_NAME_FIRST, _("first name first")),
        ],
        required=False,
        initial=Order.SEEN,
        widget=forms.RadioSelect,
    )
    field_order = ("text", "file", "order")

    def __init__(self, club: Club, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        """A file that is sent takes the place of the text, so that the page shows what it held."""
        self.file_error = ""
        upload = files.get("file") if files else None
        if upload is not None:
            data = data.copy() if data else QueryDict(mutable=True)
            try:
                data["text"] = read_names(upload)
            except forms.ValidationError as error:
                self.file_error = " ".join(error.messages)
        super().__init__(data, files, **kwargs)
        self.club = club
        self.questions: list[Asked] = []
        self.taken: list[Taken] = []

    @property
    def settled(self) -> bool:
        return all(question.settled for question in self.questions)

    @property
    def waiting(self) -> int:
        """How many lines somebody has to choose for."""
        return sum(question.asks and not question.checked for question in self.questions)

    @property
    def proposed(self) -> int:
        """How many lines have an answer marked that nobody has seen yet."""
        return sum(question.asks and bool(question.checked) and not question.answer for question in self.questions)

    @property
    def new(self) -> int:
        """How many players are new, the readings that are marked taken for granted."""
        return sum(question.is_new for question in self.questions)

    @property
    def told(self) -> list[tuple[str, int]]:
        """How many lines there are of each kind."""
        states = Counter(question.row.state for question in self.questions)
        return [(STATES[state] % {"count": states[state]}, states[state]) for state in STATES if states[state]]

    @property
    def written(self) -> Order:
        """The order of the names; one that does not exist is none."""
        asked = self.data.get("order", "")
        return Order(asked) if asked in list(Order) else Order.SEEN

    def clean_file(self) -> None:
        if self.file_error:
            raise forms.ValidationError(self.file_error)

    def clean_text(self) -> str:
        """The text with its line ends made alike."""
        text = "\n".join(self.cleaned_data["text"].splitlines())
        if self.fields["text"].required and not text.strip():
            raise forms.ValidationError(self.fields["text"].error_messages["required"])
        try:
            questions = ask_about(text, self.club, self.written, self.data)
        except RosterError as error:
            raise forms.ValidationError(say(error)) from error
        self.taken = take_settled(questions)
        self.questions = put_doubts_first(questions)
        return text
