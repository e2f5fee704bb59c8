"""A list of players, pasted or in a file: how each of its lines is read, told before anything is kept."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.roster import Order, RosterLine
from clubs.roster_file import lines_of
from tournaments.web.roster_rows import RosterRow, read_rows
from tournaments.web.uploads import read_upload

MAX_TEXT = 50_000


class RosterForm(forms.Form):
    """Valid when every line is a player; `rows` tells of each line, the wrong ones too."""

    text = forms.CharField(
        label=_("Players, one a line"),
        help_text=_("“DUPONT Marie”, “Dupont, Marie” or “Dupont; Marie; 123456”: the number is the licence."),
        max_length=MAX_TEXT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    file = forms.FileField(
        label=_("Or a file (CSV or text)"),
        required=False,
        max_length=200,
        help_text=_("One player a line: family name; first name; licence. A first line may name the columns."),
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
                # Else the Western European bytes of a spreadsheet on Windows.
                data["text"] = lines_of(read_upload(upload, most=MAX_TEXT, otherwise="cp1252"))
            except forms.ValidationError:
                self.file_error = gettext("This file is no list of names: save it as CSV or text, and choose it again.")
        super().__init__(data, files, **kwargs)
        self.club = club
        self.rows: list[RosterRow] = []

    @property
    def lines(self) -> list[RosterLine]:
        return [row.line for row in self.rows if row.line is not None]

    @property
    def new(self) -> int:
        return sum(row.line is not None and row.player is None for row in self.rows)

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
        self.rows = read_rows(text, self.club, self.written)
        errors = [row.error for row in self.rows if row.error]
        if errors:
            raise forms.ValidationError(errors)
        return text
