"""The forms of teams that sign up: one for a captain on the public page, and one for a director at check-in."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Player, validate_name
from clubs.roster import MAX_NAME, RosterError
from pages.form_fields import ShortTextField
from pages.registration.forms import RegisterForm, read_person, write_option
from registration.people.applicants import NewApplicant
from registration.people.teams import PresentPlayer
from tournaments.models import Registration


def make_team_name_field() -> forms.CharField:
    return ShortTextField(gettext_lazy("Name of the team (may stay empty)"), 60, required=False)


def make_name_field(label: str, *, most: int = MAX_NAME, **attributes: str) -> forms.CharField:
    """Return a field for a name that somebody else types: browsers fill in nothing."""
    widget = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", **attributes})
    return forms.CharField(label=label, max_length=most, required=False, validators=[validate_name], widget=widget)


class NamedPlayerForm(forms.Form):
    """The form by which a captain names one more player."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["last_name"] = make_name_field(_("Family name"), list="members")
        self.fields["first_name"] = make_name_field(_("First name"))
        self.fields["last_name"].required = True

    @property
    def asked(self) -> NewApplicant:
        return read_named(self.cleaned_data["last_name"], self.cleaned_data["first_name"])


class TeamRegisterForm(RegisterForm):
    """The form by which a captain signs up a team: the captain's own name, then the names of the other players."""

    team_name = make_team_name_field()

    def __init__(self, registration: Registration, *args: Any, players: int, **kwargs: Any) -> None:
        super().__init__(registration, *args, **kwargs)
        self.fields["last_name"].label = _("Your family name")
        self.fields["first_name"].label = _("Your first name")
        self.places = range(2, players + 1)
        for place in self.places:
            told = {"place": place}
            self.fields[f"last_name_{place}"] = make_name_field(
                _("Player %(place)s: family name") % told, list="members"
            )
            self.fields[f"first_name_{place}"] = make_name_field(_("Player %(place)s: first name") % told)
        named = [name for place in self.places for name in (f"last_name_{place}", f"first_name_{place}")]
        self.order_fields(["last_name", "first_name", "licence", "contact", *named, "team_name", "password"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for place in self.places:
            if data.get(f"first_name_{place}") and not data.get(f"last_name_{place}"):
                self.add_error(f"last_name_{place}", _("Write the family name too, or leave both empty."))
        return data

    @property
    def named(self) -> list[NewApplicant]:
        """The players whom the captain names. The form must be valid."""
        data = self.cleaned_data
        typed = [(data[f"last_name_{place}"], data[f"first_name_{place}"]) for place in self.places]
        return [read_named(last, first) for last, first in typed if last]


def read_named(last: str, first: str) -> NewApplicant:
    """Return the name. A family name like "Petit, Marie", chosen from the list of members, has both parts."""
    if not first and "," in last:
        last, first = (part.strip() for part in last.split(",", 1))
    return NewApplicant(last, first)


class TeamWalkInForm(forms.Form):
    """The form for a team that comes without signing up: one field for each player, as in `WalkInForm`."""

    def __init__(self, *args: Any, players: Sequence[Player] = (), count: int = 3, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = {write_option(player): player for player in players}
        self.names = [f"player_{place}" for place in range(1, count + 1)]
        for place, name in enumerate(self.names, 1):
            label = _("Player %(place)s") % {"place": place}
            self.fields[name] = make_name_field(label, most=400, list="club-names", **{"data-find": ""})
        self.fields["team_name"] = make_team_name_field()
        self.people: list[PresentPlayer] = []

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name in self.names:
            if typed := data.get(name, "").strip():
                try:
                    self.people.append(read_person(typed, self.players))
                except RosterError:
                    self.add_error(name, _("Write the family name and the first name."))
        if not self.errors and not self.people:
            self.add_error(self.names[0], _("Choose somebody on the club’s list, or write the family name."))
        return data
