"""The forms of the plan's page: a plan from a file, and a filler for a table."""

import json
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.players import sort_by_name, write_with_licence
from clubs.roster import RosterError, RosterLine, read_line
from deals.domain.reading import ExchangeError, TextPlace
from deals.models import LINE_CHOICES
from evenings.plans.data import is_json, read_plan_text
from movements import LinePlan, PlanError, PlanFault, csv_lines, find_faults
from pages.prepare.setup_forms import MAX_TABLE
from pages.uploads import MAX_FILE, put_file_into_text
from tournaments.words.messages import say, say_faults

MOST_FAULTS = 20


class PlanFileForm(forms.Form):
    """A form for a plan as text or as a file.

    It is valid if the text is a plan without faults. The field then shows the text, also if it came from a file.
    """

    text = forms.CharField(
        label=_("The plan, as CSV or JSON"),
        required=False,
        max_length=MAX_FILE,
        strip=False,
        help_text=_(
            "CSV: one line for each table of each position, under the heading position, table, N, E, S, W, etuis."
            " Étuis are written 5-8."
        ),
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false", "wrap": "off"}),
    )
    file = forms.FileField(label=_("Or a file in one of these formats"), required=False, max_length=200)
    plan: LinePlan

    def __init__(self, data: Any = None, files: Any = None) -> None:
        data, self.unreadable = put_file_into_text(data, files)
        super().__init__(data, files)

    def clean_file(self) -> None:
        if self.unreadable:
            raise self.unreadable

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise forms.ValidationError(gettext("Paste a plan here, or choose a file."))
        try:
            self.plan = read_plan_text(text)
        except PlanError as error:
            raise forms.ValidationError(say_unread(error)) from error
        if faults := find_faults(self.plan):
            raise forms.ValidationError(describe_faults(faults, lines_of(text)))
        return text


def say_unread(error: PlanError) -> str:
    """Return the reason why a text is not a plan, with the line and column if its JSON is broken."""
    broken = error.__cause__
    if not isinstance(broken, json.JSONDecodeError):
        return say(error)
    return say(ExchangeError("json", place=TextPlace(broken.lineno, broken.colno)))


def lines_of(text: str) -> dict[tuple[str, str], int]:
    """Return the line number in a CSV text by (position, table). Return {} for a JSON text."""
    if is_json(text):
        return {}
    reader = csv_lines(text)
    names = [name.strip().lower() for name in next(reader, [])]
    position, table = names.index("position"), names.index("table")
    return {(row[position].strip(), row[table].strip()): reader.line_num for row in reader if len(row) == len(names)}


def describe_faults(faults: list[PlanFault], lines: dict[tuple[str, str], int]) -> list[str]:
    """Return each fault as a sentence, with its line number if it has one. Only the first `MOST_FAULTS` are listed."""
    found, said = say_faults(faults), []
    for fault, sentence in found[:MOST_FAULTS]:
        spot = str(fault.params.get("position", "")), str(fault.params.get("table", ""))
        told = {"line": lines.get(spot, 0), "fault": sentence}
        said.append(gettext("Line %(line)s: %(fault)s.") % told if told["line"] else f"{sentence}.")
    if len(found) > MOST_FAULTS:
        rest = len(found) - MOST_FAULTS
        said.append(ngettext("And %(count)s more fault.", "And %(count)s more faults.", rest) % {"count": rest})
    return said


class FillerForm(forms.Form):
    """A form for a filler, a person who completes a table: a player of the club's list, or a new name."""

    player = forms.TypedChoiceField(label=_("From the club’s list"), coerce=int, required=False, empty_value=None)
    name = forms.CharField(
        label=_("Or a new name"),
        required=False,
        max_length=160,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    line = forms.ChoiceField(choices=LINE_CHOICES, widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, max_value=MAX_TABLE, widget=forms.HiddenInput)

    def __init__(self, club: Club, seated: set[int], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        free = [player for player in sort_by_name(club.players.keep_listed()) if player.pk not in seated]
        choices = [("", _("choose…")), *((player.pk, write_with_licence(player)) for player in free)]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]

    def clean_name(self) -> RosterLine | None:
        name = self.cleaned_data["name"].strip()
        try:
            return read_line(name) if name else None
        except RosterError as error:
            raise forms.ValidationError(gettext("Write the family name and the first name.")) from error

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not data.get("player") and not data.get("name"):
            self.add_error("name", gettext("Choose somebody, or write a name."))
        return data
