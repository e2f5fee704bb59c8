"""The forms of the directors' pages of simultaneous tournaments."""

import datetime as dt
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.session_settings import YEARS
from deals.models import DealSet
from pages.acting import refusals_in
from pages.form_fields import ShortTextField
from rankings.simultaneous.hours import FieldHours, check_field_hours
from rankings.simultaneous.setup import FIRST_SPLIT, LAST_SPLIT, RulingGiven, SimultaneousGiven, find_sets_to_play
from tournaments.models import FieldRuling, Simultaneous

MOST_ETUIS, USUAL_ETUIS = 99, 24
SHOWN = "%Y-%m-%dT%H:%M"


def hour_field(label: Any, help_text: Any = "") -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=SHOWN)
    return forms.DateTimeField(label=label, help_text=help_text, widget=widget)


class HoursForm(forms.Form):
    """The three hours of a simultaneous. `hours` has them as a value."""

    opens_at = hour_field(
        _("Clubs may play from"), _("From then on their directors see and print the cards. Not earlier.")
    )
    closes_at = hour_field(_("Clubs play until"))
    public_at = hour_field(
        _("Étuis are public from"), _("Until then readers see rankings alone. Not before the last club has played.")
    )
    HOURS = ("opens_at", "closes_at", "public_at")

    def __init__(self, *args: Any, before: FieldHours | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before = before

    @property
    def hour_fields(self) -> list[Any]:
        return [self[name] for name in self.HOURS]

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or {}
        for name in self.HOURS:
            hour = told.get(name)
            if hour is not None and not YEARS[0] <= hour.year <= YEARS[-1]:
                self.add_error(name, _("This date is too far away: check the year."))
        if not any(name in self.errors for name in self.HOURS):
            with refusals_in(self):
                check_field_hours(self.read_hours(told), now=timezone.now(), before=self.before)
        return told

    def read_hours(self, told: dict[str, Any]) -> FieldHours:
        """Return the typed hours. One that was not touched keeps its seconds."""
        hours = [told[name] for name in self.HOURS]
        if self.before is not None:
            hours = [
                kept if cut_seconds(kept) == cut_seconds(hour) else hour
                for kept, hour in zip(self.before, hours, strict=True)
            ]
        return FieldHours(*hours)

    @property
    def hours(self) -> FieldHours:
        return self.read_hours(self.cleaned_data)


class SimultaneousForm(HoursForm):
    """The title, the hours and the ranking of a simultaneous. `given` has the title and the ranking."""

    title = ShortTextField(_("Name of the simultaneous"), 120)
    alterne = forms.BooleanField(label=_("Also a classement alterné over all clubs"), required=False)
    keeps_lookers = forms.BooleanField(
        label=_("Players who have looked at cards are ranked too"),
        required=False,
        help_text=_("Otherwise they play, but have no rank over all clubs. Their club’s own ranking has them."),
    )

    @property
    def given(self) -> SimultaneousGiven:
        return SimultaneousGiven(*(self.cleaned_data[name] for name in ("title", "alterne", "keeps_lookers")))


class NewSimultaneousForm(SimultaneousForm):
    """The form for a new simultaneous, with its étuis: new ones, or an unused set of the club."""

    deal_set = forms.ModelChoiceField(
        label=_("Étuis"), queryset=DealSet.objects.none(), required=False, empty_label=_("new ones, dealt by the site")
    )
    count = forms.IntegerField(
        label=_("How many new étuis?"),
        required=False,
        min_value=1,
        max_value=MOST_ETUIS,
        initial=USUAL_ETUIS,
        help_text=_("As many as the longest evening needs: clubs with few tables play the first ones."),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sets = find_sets_to_play(club)
        self.fields["deal_set"].queryset = sets  # type: ignore[attr-defined]
        if not sets.exists():
            del self.fields["deal_set"]

    @property
    def etui_fields(self) -> list[Any]:
        return [self[name] for name in ("deal_set", "count") if name in self.fields]

    @property
    def etuis(self) -> DealSet | int:
        told = self.cleaned_data
        return told.get("deal_set") or told["count"] or USUAL_ETUIS


class FieldRulingForm(forms.Form):
    """A ruling of the organiser on an étui for all clubs. `given` has it as a value."""

    etui = forms.IntegerField(label=_("Étui"), min_value=1, max_value=999)
    kind = forms.ChoiceField(
        label=_("Ruling"),
        widget=forms.RadioSelect,
        choices=[
            (FieldRuling.FieldRulingKind.ANNULLED, _("It does not count in any club")),
            (FieldRuling.FieldRulingKind.SPLIT, _("It was altered: its later plays are compared apart")),
            (FieldRuling.FieldRulingKind.LIFTED, _("It counts as usual again")),
        ],
        initial=FieldRuling.FieldRulingKind.ANNULLED,
    )
    from_position = forms.IntegerField(
        label=_("Altered from which position on?"), required=False, min_value=FIRST_SPLIT, max_value=LAST_SPLIT
    )
    reason = ShortTextField(_("Reason"), 300, help_text=_("A few words that every club reads in its log."))

    @property
    def given(self) -> RulingGiven:
        return RulingGiven(**self.cleaned_data)


def cut_seconds(hour: dt.datetime) -> dt.datetime:
    """Return the hour without the seconds, which the fields do not show."""
    return hour.replace(second=0, microsecond=0)


def start_of_simultaneous(simultaneous: Simultaneous) -> dict[str, Any]:
    """Return the initial values of the form for a simultaneous."""
    names = ("title", "alterne", "keeps_lookers", *HoursForm.HOURS)
    return {name: getattr(simultaneous, name) for name in names}


def suggest_hours(now: dt.datetime) -> dict[str, dt.datetime]:
    """Return the usual hours of a new simultaneous: in a week at 20:00, for five hours, and public next morning."""
    evening = timezone.localtime(now + dt.timedelta(days=7)).replace(hour=20, minute=0, second=0, microsecond=0)
    closes = evening + dt.timedelta(hours=5)
    return {"opens_at": evening, "closes_at": closes, "public_at": closes + dt.timedelta(hours=8)}
