"""A pasted list of players: how each of its lines is read, told before anything is kept."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.roster import RosterError, RosterLine, read_line
from tournaments.messages import say

MAX_TEXT = 50_000


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A line of the text: its number from 1, how it is read or what is wrong, and whether the club knows the player."""

    number: int
    text: str
    line: RosterLine | None
    error: str
    known: bool


class RosterForm(forms.Form):
    """Valid when every line is a player; `rows` tells of each line, the wrong ones too."""

    text = forms.CharField(
        label=_("Players, one a line"),
        help_text=_("“DUPONT Marie”, “Dupont, Marie” or “Dupont; Marie; 123456”: the number is the licence."),
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.rows: list[RosterRow] = []

    @property
    def lines(self) -> list[RosterLine]:
        return [row.line for row in self.rows if row.line is not None]

    @property
    def new(self) -> int:
        return sum(row.line is not None and not row.known for row in self.rows)

    def clean_text(self) -> str:
        """The text with its line ends made alike, so that it can be compared with what was shown."""
        text = "\n".join(self.cleaned_data["text"].splitlines())
        self.rows = read_rows(text, self.club)
        errors = [row.error for row in self.rows if row.error]
        if errors:
            raise forms.ValidationError(errors)
        return text


def read_rows(text: str, club: Club) -> list[RosterRow]:
    """Every line that is not empty, read; unlike `read_roster` it goes on after a wrong one."""
    licences, names = set(), set()
    lowered = club.players.annotate(last=Lower("last_name"), first=Lower("first_name"))
    for licence, last, first in lowered.values_list("licence", "last", "first"):
        licences.add(licence)
        names.add((last, first))
    seen: dict[RosterLine, int] = {}
    rows = []
    for number, raw in enumerate(text.splitlines(), start=1):
        if not raw.strip():
            continue
        try:
            line = read_line(raw, number)
            if line in seen:
                name = f"{line.first_name} {line.last_name}".strip()
                raise RosterError("roster_twice", line=number, first=seen[line], name=name)
        except RosterError as error:
            rows.append(RosterRow(number, raw.strip(), None, say(error), False))
            continue
        seen[line] = number
        known = line.licence in licences if line.licence else (line.last_name.lower(), line.first_name.lower()) in names
        rows.append(RosterRow(number, raw.strip(), line, "", known))
    return rows
