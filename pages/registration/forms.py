"""The forms of registration. They check only the shape of the values."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from clubs.matching import KnownPlayer, LineState, read_list
from clubs.models import Player, validate_name
from clubs.roster import MAX_NAME, RosterError, read_line
from outgoing.mailing.evenings import BY_HAND, MOST_TEXT
from pages.form_fields import ShortTextField
from registration.people.applicants import NewApplicant
from registration.people.teams import PresentPlayer
from tournaments.models import EveningMail, Registration


class ApplicantForm(forms.Form):
    last_name = ShortTextField(_("Family name"), MAX_NAME, autocomplete="family-name")
    first_name = ShortTextField(_("First name"), MAX_NAME, autocomplete="given-name", required=False)
    licence = ShortTextField(_("Licence number, if you have one"), 20, required=False)

    @property
    def asked(self) -> NewApplicant:
        return NewApplicant(
            **{name: self.cleaned_data[name] for name in NewApplicant._fields if name in self.cleaned_data}
        )


class WalkInForm(ApplicantForm):
    """A form for a player who comes without signing up: a player of the club's list, or a new name.

    If the form is valid, `player` is the player of the list, or None for a new name.
    """

    listed = forms.CharField(
        label=_("Name or licence, from the club’s list"),
        max_length=400,
        required=False,
        help_text=_("Start typing, and choose. A name that is not on the list is taken as you write it."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "list": "club-names", "data-find": ""}
        ),
    )
    field_order = ("listed",)

    def __init__(self, *args: Any, players: Sequence[Player] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = {write_option(player): player for player in players}
        self.player: Player | None = None
        self.fields["licence"].label = _("Licence number")
        self.fields["last_name"].required = False
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        typed = data.get("listed", "").strip()
        if self.errors or (not typed and data.get("last_name")):
            return data
        if not typed:
            self.add_error("listed", _("Choose somebody on the club’s list, or write the family name."))
            return data
        try:
            asked, self.player = read_person(typed, self.players)
        except RosterError:
            self.add_error("listed", _("Write the family name and the first name."))
        else:
            data |= {"last_name": asked.last_name, "first_name": asked.first_name, "licence": asked.licence}
        return data


def read_person(typed: str, options: Mapping[str, Player]) -> PresentPlayer:
    """Return the name and licence in the typed text, with the player of the club's list if the match is sure.

    `options` are the offered players by their texts. Raise `RosterError` if the text is not a name.
    """
    player = options.get(typed)
    if player is None:
        known = [KnownPlayer(each.pk, each.last_name, each.first_name, each.licence) for each in options.values()]
        row = next(iter(read_list(typed, known)), None)
        if row is not None and row.state == LineState.SURE:
            player = next(each for each in options.values() if each.pk == row.suggested)
    named = player or read_line(typed)
    return PresentPlayer(NewApplicant(named.last_name, named.first_name, named.licence), player)


def write_option(player: Player) -> str:
    """Return the player as an option in the list that the browser suggests: "Dupont, Marie, 123456"."""
    return ", ".join(part for part in (player.last_name, player.first_name, player.licence) if part)


class RegisterForm(ApplicantForm):
    contact = forms.CharField(
        label=_("How the director can reach you"),
        max_length=120,
        required=False,
        validators=[validate_name],
        help_text=_("A phone number or an e-mail address, if you like; only the directors see it."),
    )
    password = forms.CharField(
        label=_("The club’s password"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, registration: Registration, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_guessed = False
        if registration.way != Registration.RegistrationWay.PASSWORD:
            del self.fields["password"]
        elif registration.code:
            self.fields["password"].help_text = _("Six letters and digits. Capitals and spaces do not matter.")
            self.fields["password"].widget.attrs |= {"autocapitalize": "characters", "class": "input-code"}

    def stop_asking(self) -> None:
        """Remove the password field, because too many wrong passwords were typed today.

        A director then accepts each applicant instead.
        """
        self.is_guessed = True
        del self.fields["password"]


class EveningMailForm(forms.Form):
    """A form for a letter to the people who signed up for a session. About a cancelled one, there is one kind only."""

    kind = forms.ChoiceField(label=_("What do you want to tell them?"), widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("Your own words"),
        required=False,
        max_length=MOST_TEXT,
        help_text=_("Plain text, for example why, or whom to call. The name, the date and the time are added."),
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    def __init__(self, *args: Any, cancelled: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = (EveningMail.MailKind.CANCELLED,) if cancelled else BY_HAND
        self.fields["kind"].choices = [(kind.value, kind.label) for kind in kinds]  # type: ignore[attr-defined]
        self.fields["kind"].initial = kinds[0].value if cancelled else None


class RegistrationForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form for the settings of a session's registration."""

    draws = forms.BooleanField(
        label=_("Draw a new password"),
        required=False,
        help_text=_("Only if a password is required: the site draws the first one. The previous one stops working."),
    )

    class Meta:
        model = Registration
        fields = ("is_open", "way", "accepts_at_once", "places", "closes_at", "reminds")
        widgets = {
            "way": forms.RadioSelect,
            "closes_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        }
        help_texts = {
            "way": _("The account of a player of the club is shown at once; other names appear once you accept them."),
            "accepts_at_once": _(
                "Otherwise people have no place before you have accepted them. A player of the club whose account is "
                "shown at once does not wait."
            ),
            "is_open": _("People who have signed up stay on the list when you close it."),
            "places": _("After the last place, people wait and move up by themselves. Empty: no limit."),
            "closes_at": _("Empty: people can sign up until the start."),
            "reminds": _(
                "In daytime, to everybody with a place whose account has a confirmed address. Whoever wants no such "
                "e-mails stops them with one click."
            ),
        }

    def __init__(self, *args: Any, for_teams: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if for_teams:
            self.fields["places"].help_text = _(
                "For so many teams. After the last place, teams wait and move up by themselves. Empty: no limit."
            )
            self.fields["is_open"].help_text = _("Teams that have signed up stay on the list when you close it.")
        if not settings.MAIL:
            del self.fields["reminds"]
        self.fields["places"].widget.attrs |= {"min": 1, "max": 800}
        self.fields["way"].choices = Registration.RegistrationWay.choices  # type: ignore[attr-defined]

    def clean_places(self) -> int | None:
        places: int | None = self.cleaned_data["places"]
        if places is not None and not 1 <= places <= 800:
            raise forms.ValidationError(_("Write 1 to 800 places, or nothing for no limit."))
        return places
