"""The forms of deal sets. They check only that each value has the right format; `deals.domain` reads files."""

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import Club, validate_name
from deals.domain.deal import places
from deals.domain.exchange import EtuiSet, read_etui_csv, read_etui_text, read_json
from deals.domain.profile import PROFILES
from deals.domain.reading import ExchangeError
from deals.exports import documents
from deals.sets import MAX_ETUIS
from evenings.plans.by_format import GARDE_PROFILE, SOUTH_PROFILE
from pages.form_fields import DayField, ShortTextField
from pages.uploads import MAX_FILE, FileInTextForm
from rankings.publication.publishing import read_open
from tournaments.models import Session
from tournaments.words.messages import label, say

PLAIN = {"autocomplete": "off"}
TYPED = {"autocomplete": "off", "spellcheck": "false", "autocapitalize": "characters"}


class NewSetForm(forms.Form):
    GENERATED, TABLE = "generated", "table"
    name = ShortTextField(_("Name of the set"), 120, help_text=_("Shown on labels and sheets."))
    count = forms.IntegerField(label=_("Number of étuis"), min_value=1, max_value=MAX_ETUIS, initial=28)
    players = forms.TypedChoiceField(
        label=_("Players at a table"),
        choices=[(3, "3"), (4, "4"), (5, "5")],
        coerce=int,
        initial=4,
        widget=forms.RadioSelect,
    )
    how = forms.ChoiceField(
        label=_("Cards"),
        choices=[
            (GENERATED, _("dealt by the site, from a secret draw")),
            (TABLE, _("dealt at the tables in position 1")),
        ],
        initial=GENERATED,
        widget=forms.RadioSelect,
    )
    profile = forms.ChoiceField(
        label=_("The taker’s hand"),
        choices=[
            (GARDE_PROFILE, _("strong enough for an imposed Garde (garde-1)")),
            (SOUTH_PROFILE, _("the same, and South takes every étui, for quadrettes (garde-1-south)")),
            ("", _("any hand, for a free auction")),
        ],
        required=False,
        initial=GARDE_PROFILE,
        widget=forms.RadioSelect,
        help_text=_("A profile is for four players. For three or five, or without cards, it is not used."),
    )
    value_name = ShortTextField(
        _("Public value announced (optional)"),
        200,
        required=False,
        help_text=_(
            "For example “Loto, draw of 21 November 2026, the six numbers in rising order”. The cards are dealt "
            "once it is known. So nobody, not even you, can have chosen the secret draw."
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Clear the values that do not apply, and return all values.

        Only cards that the site deals can have a profile or a public value. A profile is for four players.
        """
        data = super().clean() or {}
        if data.get("how") == self.TABLE:
            data["profile"] = data["value_name"] = ""
        elif data.get("players") != 4:
            data["profile"] = ""
        return data

    def clean_profile(self) -> str:
        profile = str(self.cleaned_data["profile"])
        assert profile in ("", *PROFILES)
        return profile


class ImportForm(FileInTextForm):
    """A form for a deal set as text or as a file. If the text is a valid set, `etui_set` is that set."""

    name = ShortTextField(_("Name of the set"), 120, required=False)
    text = forms.CharField(
        label=_("Étuis"),
        required=False,
        max_length=MAX_FILE,
        strip=False,
        widget=forms.Textarea(attrs={**PLAIN, "rows": 12, "spellcheck": "false", "wrap": "off"}),
    )
    file = forms.FileField(label=_("Or a file in one of these formats"), required=False, max_length=200)
    etui_set: EtuiSet | None = None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors.keys().isdisjoint(("text", "file")):
            return data
        if not data["text"].strip():
            self.add_error("text", _("Paste the étuis here, or choose a file."))
        else:
            try:
                self.etui_set = read_etui_set(data["text"])
                for told in (self.etui_set.name, self.etui_set.value_name, self.etui_set.value):
                    validate_name(told)
            except ExchangeError as error:
                self.add_error("text", say(error))
            except forms.ValidationError as error:
                self.add_error("text", error)
            else:
                if not (data.get("name") or self.etui_set.name):
                    self.add_error("name", _("Give the set a name."))
        return data


def read_etui_set(text: str) -> EtuiSet:
    """Return the set of a text in any format.

    A JSON object is read as JSON, a first line with column names as CSV, and all else as text.
    """
    first = next((line for line in text.removeprefix("\ufeff").splitlines() if line.strip()), "").strip()
    if first[:1] in ("{", "["):
        return read_json(text)
    if re.match(r'"?[^\W\d]', first) and re.search(r"[,;\t]", first):
        return read_etui_csv(text)
    return read_etui_text(text)


class DrawValueForm(forms.Form):
    value = ShortTextField(
        _("The public value, character by character"),
        200,
        help_text=_("Spaces count, and it can never be changed: compare it with what was published."),
    )


class PlayedForm(forms.Form):
    played_on = DayField(_("Played on"), initial=localdate)


class CopyForm(forms.Form):
    club: "forms.ModelChoiceField[Club]" = forms.ModelChoiceField(
        label=_("Club"), queryset=Club.objects.none(), to_field_name="slug", empty_label=None
    )

    def __init__(self, clubs: Any, data: Any = None) -> None:
        super().__init__(data)
        self.fields["club"].queryset = clubs  # type: ignore[attr-defined]


class SessionField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, session: Session) -> str:
        told = _("%(name)s, session %(number)s")
        return told % {"name": session.tournament.name, "number": session.number}


class UseForm(forms.Form):
    session = SessionField(label=_("Session in preparation"), queryset=Session.objects.none(), empty_label=None)
    first_etui = forms.IntegerField(
        label=_("Starting with étui"),
        min_value=1,
        max_value=MAX_ETUIS,
        help_text=_(
            "The session plays this étui and the following ones: one set can serve several sessions in this way."
        ),
    )
    reason = ShortTextField(_("Why étuis whose cards are public are played anyway"), 300, required=False)

    def __init__(self, sessions: Any, first: int, data: Any = None, *, public: bool = True) -> None:
        super().__init__(data, initial={"first_etui": first})
        self.fields["session"].queryset = sessions  # type: ignore[attr-defined]
        if not public:
            del self.fields["reason"]


class RangeForm(forms.Form):
    """A form for a range of étuis. At least one étui of the set must be in the range."""

    first = forms.IntegerField(label=_("Starting with étui"), min_value=1, max_value=MAX_ETUIS)
    last = forms.IntegerField(label=_("Up to étui"), min_value=1, max_value=MAX_ETUIS)

    def __init__(self, numbers: Iterable[int], data: Any = None) -> None:
        self.numbers = list(numbers)
        super().__init__(data, initial={"first": self.numbers[0], "last": self.numbers[-1]})

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if first and last and not any(first <= number <= last for number in self.numbers):
            ends = {"first": self.numbers[0], "last": self.numbers[-1]}
            self.add_error("last", _("The étuis go from %(first)s to %(last)s, in rising order.") % ends)
        return data


class PrintForm(RangeForm):
    """A form for the document to print.

    `CARDS` are the documents that show cards. `RECORDS` are the published hands and results of a session.
    """

    CARDS, RECORDS = ("diagrams", "building"), "records"
    INKS = {"blue": "#2a72c8", "red": "#d13a32", "green": "#2f9150", "yellow": "#f2c200", "violet": "#7b4fb3"}
    document = forms.ChoiceField(
        label=_("Document"),
        choices=[
            ("diagrams", _("Hand diagrams, circled")),
            ("building", _("Hand-building list")),
            ("labels", _("Étui labels")),
            ("fiches", _("Fiches ambulantes")),
            ("blank", _("Blank hand diagrams")),
            ("records", _("Hand records")),
        ],
        initial="diagrams",
        widget=forms.RadioSelect,
    )
    only = forms.ChoiceField(
        label=_("Diagrams of"),
        required=False,
        help_text=_("A single hand makes a file to print on coloured paper."),
    )
    language = forms.ChoiceField(label=_("Language of the sheets"), choices=[("fr", "français"), ("en", "English")])
    colour = forms.ChoiceField(
        label=_("Colour of the tournament"),
        required=False,
        choices=[
            ("", pgettext_lazy("no colour", "none")),
            ("blue", _("blue")),
            ("red", _("red")),
            ("green", _("green")),
            ("yellow", _("yellow")),
            ("violet", _("violet")),
        ],
    )
    session = SessionField(
        label=_("Session"),
        queryset=Session.objects.none(),
        required=False,
        empty_label=pgettext_lazy("no session", "none"),
        help_text=_(
            "Its name appears on the sheets and its plan on the fiches; hand records need a published session."
        ),
    )

    def __init__(self, numbers: Iterable[int], players: int, sessions: Any, data: Any = None, **first: Any) -> None:
        super().__init__(numbers, data)
        self.initial.update(first)
        hands = [(place, label("hand", place)) for place in places(players)]
        self.fields["only"].choices = [("", _("every hand")), *hands]  # type: ignore[attr-defined]
        self.fields["session"].queryset = sessions  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        session = data.get("session")
        if data.get("document") == self.RECORDS and (session is None or read_open(session) is None):
            self.add_error("session", _("Hand records need a published session: choose one, or publish it first."))
        return data


class TypedForm(forms.Form):
    """A form with a line of text for each hand and for the chien.

    `deals.domain.reading` checks whether the lines together make a whole deal.
    """

    def __init__(self, players: int, data: Any = None) -> None:
        super().__init__(data)
        self.places = places(players)
        names = documents.list_place_words()
        for place in self.places:
            field = forms.CharField(
                label=names[place]["name"], required=False, max_length=200, widget=forms.TextInput(attrs=TYPED)
            )
            self.fields[place] = field

    @property
    def texts(self) -> dict[str, str]:
        return {place: str(self.cleaned_data.get(place, "")) for place in self.places}
