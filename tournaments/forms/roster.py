"""A pasted list of players: how each of its lines is read, told before anything is kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.roster import RosterError, RosterLine, read_line
from tournaments.messages import say

MAX_TEXT = 50_000


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A line of the text: its number from 1, how it is read or what is wrong, the club's player where it knows one."""

    number: int
    text: str
    line: RosterLine | None
    error: str
    player: int | None


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
        return sum(row.line is not None and row.player is None for row in self.rows)

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
    find = finder(club)
    seen: dict[object, int] = {}
    rows = []
    for number, raw in enumerate(text.splitlines(), start=1):
        if not raw.strip():
            continue
        try:
            line = read_line(raw, number)
            if (first := seen.setdefault(line.licence or names_of(line), number)) != number:
                name = f"{line.first_name} {line.last_name}".strip()
                raise RosterError("roster_twice", line=number, first=first, name=name)
        except RosterError as error:
            rows.append(RosterRow(number, raw.strip(), None, say(error), None))
        else:
            rows.append(RosterRow(number, raw.strip(), line, "", find(line)))
    return rows


def names_of(line: RosterLine) -> tuple[str, str]:
    return line.last_name.lower(), line.first_name.lower()


def finder(club: Club) -> Callable[[RosterLine], int | None]:
    """Whom adding a line would find on the club's list, as `clubs.services.add_players` does; one query for all."""
    licensed, bare, anyone = {}, {}, {}
    for pk, licence, last, first in club.players.values_list("pk", "licence", "last_name", "first_name"):
        names = last.lower(), first.lower()
        anyone[names] = pk
        if licence:
            licensed[licence] = pk
        else:
            bare[names] = pk

    def find(line: RosterLine) -> int | None:
        if line.licence:
            return licensed.get(line.licence) or bare.get(names_of(line))
        return anyone.get(names_of(line))

    return find
