"""The form for a list of players, pasted or in a file. It shows how each line is read before anything is saved."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from clubs.answers import take_likely, take_settled
from clubs.lists import read_pasted
from clubs.matching import MatchedLine
from clubs.models import Club, Player
from clubs.players import foresee_list
from clubs.roster import NameOrder, RosterError
from pages.acting import refusals_in
from pages.roster_rows import ListPreview, ask_about_rows, say_gains
from pages.uploads import FileInTextForm, read_names
from tournaments.words.messages import say
from wording import Refusal

MAX_TEXT = 1_000_000  # the export of a ticket office has thirty columns


class RosterForm(ListPreview, FileInTextForm):
    """A form for a list of players. `meant` are the players whom its lines mean, with the likely answers."""

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
    field_order: tuple[str, ...] = ("text", "file", "order")

    def __init__(self, club: Club, data: Any = None, files: Any = None, **kwargs: Any) -> None:
        super().__init__(data, files, **kwargs)
        if self.unreadable:
            self.fields["text"].required = False  # the file is what was given
        self.club = club
        self.meant: list[Player] = []

    @property
    def written(self) -> NameOrder:
        """The chosen order of the names, or `NameOrder.SEEN` if the choice is unknown."""
        asked = self.data.get("order", "")
        return NameOrder(asked) if asked in list(NameOrder) else NameOrder.SEEN

    def read_file(self, upload: Any) -> str:
        text, self.sheets = read_names(upload)
        return text

    def clean_text(self) -> str:
        """Return the text with uniform line ends, and set `questions` from its lines."""
        text = "\n".join(self.cleaned_data["text"].splitlines())
        if self.fields["text"].required and not text.strip():
            raise forms.ValidationError(self.fields["text"].error_messages["required"])
        try:
            self.read_text(text)
            self.foresee()
        except (RosterError, Refusal) as error:
            raise forms.ValidationError(say(error)) from error
        return text

    def read_text(self, text: str) -> None:
        """Set `pasted` and `questions`. Raise RosterError or Refusal if the text cannot be read."""
        self.pasted = read_pasted(text)
        self.questions = ask_about_rows(self.pasted, self.club, self.written, self.data)

    @property
    def taken(self) -> list[MatchedLine]:
        """The lines without an open question."""
        return [*take_settled(self.questions).values()]

    def foresee(self) -> None:
        """Set what would be written: `meant`, `counts`, and the gains of the rows."""
        likely = take_likely(self.questions)
        self.meant, self.counts, gains = foresee_list(self.club, [*likely.values()])
        players = dict(zip(likely, self.meant, strict=True))
        texts = {key: say_gains(player, gains.get(player.pk or 0, [])) for key, player in players.items()}
        self.questions = [replace(each, gains=texts.get(each.row.key, "")) for each in self.questions]

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or self.cleaned_data
        shown = repr((self.list_shown(), self.counts))
        self.digest = "" if self.errors else sha256(shown.encode()).hexdigest()
        return told

    def list_shown(self) -> list[object]:
        """Return what the preview shows of each row, as values for the digest."""
        rows = [(question.row, question.figure) for question in self.questions]
        return [(row.key, row.state, row.line, row.candidates, figure) for row, figure in rows]


def answer_list(request: HttpRequest, form: RosterForm, write: Callable[[], HttpResponse]) -> HttpResponse | None:
    """Return the answer to a posted list, or None if the page has to show the form.

    If the page that was sent has shown what the form shows, call `write`, which returns the redirect. If that is
    refused, read the list again, and add the refusal to the form. A request of htmx gets the preview alone.
    """
    valid = form.is_valid()
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "lists/preview.html", {"form": form})
    if not valid or not form.confirmed:
        return None
    with refusals_in(form):
        try:
            return write()
        except (Refusal, RosterError):
            form.full_clean()
            raise
    return None
