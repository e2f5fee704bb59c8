"""The forms of registration: only the shape of what is typed."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import validate_name
from clubs.roster import MAX_NAME
from tournaments.models import Registration
from tournaments.people.registration import Asked


class NameForm(forms.Form):
    last_name = forms.CharField(
        label=_("Family name"),
        max_length=MAX_NAME,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
    first_name = forms.CharField(
        label=_("First name"),
        max_length=MAX_NAME,
        required=False,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )
    licence = forms.CharField(
        label=_("Licence number, if you have one"),
        max_length=20,
        required=False,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    @property
    def asked(self) -> Asked:
        return Asked(**{name: self.cleaned_data[name] for name in Asked._fields if name in self.cleaned_data})


class WalkInForm(NameForm):
    """As the director writes somebody whom he sees."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["licence"].label = _("Licence number")
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"


class RegisterForm(NameForm):
    contact = forms.CharField(
        label=_("How the director reaches you"),
        max_length=120,
        required=False,
        validators=[validate_name],
        help_text=_("A telephone number or an e-mail address, if you like; the directors alone see it."),
    )
    password = forms.CharField(
        label=_("Password that the club gives out"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, registration: Registration, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_guessed = False
        if registration.way != Registration.Way.PASSWORD:
            del self.fields["password"]
        elif registration.code:
            self.fields["password"].help_text = _("Six letters and figures. Capitals and spaces do not matter.")
            self.fields["password"].widget.attrs |= {"autocapitalize": "characters", "class": "input-code"}

    def stop_asking(self) -> None:
        """Ask for no password, for it was guessed at too often today: a director's word stands in its place."""
        self.is_guessed = True
        del self.fields["password"]


class RegistrationForm(forms.ModelForm):  # type: ignore[type-arg]
    """How people put themselves down."""

    draws = forms.BooleanField(
        label=_("Draw a new password"),
        required=False,
        help_text=_("Only where a password is asked for: the first one is drawn by itself. The one before ends."),
    )

    class Meta:
        model = Registration
        fields = ("is_open", "way", "places", "closes_at")
        widgets = {
            "way": forms.RadioSelect,
            "closes_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        }
        help_texts = {
            "way": _("An account of a player of the club is shown at once; every other name once you accept it."),
            "is_open": _("Who is down stays down when you close it."),
            "places": _("Who comes after the last place waits, and moves up by himself. Left empty: no limit."),
            "closes_at": _("Left empty, people may put themselves down until the start."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["places"].widget.attrs |= {"min": 1, "max": 800}
        self.fields["way"].choices = Registration.Way.choices  # type: ignore[attr-defined]

    def clean_places(self) -> int | None:
        places: int | None = self.cleaned_data["places"]
        if places is not None and not 1 <= places <= 800:
            raise forms.ValidationError(_("Give 1 to 800 places, or none for no limit."))
        return places
