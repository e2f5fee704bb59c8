"""The pages of a club's settings: its name, address and logo, the usual values of its evenings, and what is public.

The penalties, bonuses and warnings that a club's arbiters often give have a page of their own. So have the seasons: a
director adds them, changes their names or dates, and deletes them while they hold no tournament.
"""

import zoneinfo
from collections.abc import Sequence
from itertools import chain
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubs.house import (
    MOST_BYTES,
    NO_LOGO,
    OWN,
    Logo,
    SeasonGiven,
    change_season,
    change_settings,
    delete_season,
    make_season,
    read_logo,
    settings_of,
)
from clubs.models import Club, ClubLogo, ClubSettings, Season, validate_name
from clubs.origins import read_origins, write_origins
from evenings.plays.penalties import keep_usual, remove_usual
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, club_page
from pages.form_fields import FigureField, SeasonDayField, ShortTextField
from pages.parts.form_parts import CLUB_SETTINGS, SectionForm, find_section
from pages.penalty_forms import UsualPenaltyForm, start_of
from rankings.careers.seasons import first_day_of, last_day_of, season_of
from scoring.formats import find_format, find_offered_format
from tournaments.numbers import read_number
from tournaments.permissions import Can, get_club_for, require_found
from tournaments.words.format_cards import list_format_choices


class OriginsField(forms.CharField):
    """A field for websites, one on each line. Its cleaned value is a list of origins like "https://club.example"."""

    def prepare_value(self, value: Any) -> Any:
        return write_origins(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        return read_origins(super().clean(value))


class ZoneInput(forms.TextInput):
    """A field for the name of a time zone, with those of France and its neighbours as suggestions."""

    SUGGESTED = (
        *("Europe/Paris", "America/Cayenne", "America/Guadeloupe", "America/Martinique", "America/Miquelon"),
        *("Indian/Mayotte", "Indian/Reunion", "Pacific/Noumea", "Pacific/Tahiti", "Pacific/Wallis", "Europe/Brussels"),
        *("Europe/Luxembourg", "Europe/Monaco", "Europe/Zurich", "America/Toronto"),
    )

    def render(self, name: str, value: object, attrs: Any = None, renderer: Any = None) -> SafeString:
        attrs = {**(attrs or {}), "list": "zones", "placeholder": timezone.get_default_timezone_name()}
        options = format_html_join("", '<option value="{}">', ((zone,) for zone in self.SUGGESTED))
        return super().render(name, value, attrs, renderer) + format_html('<datalist id="zones">{}</datalist>', options)


class SettingsForm(SectionForm, forms.ModelForm):  # type: ignore[type-arg]
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120, validators=[validate_name])
    logo = forms.FileField(
        label=gettext_lazy("Logo"),
        required=False,
        help_text=gettext_lazy("PNG or JPEG, 300 kB and 16 megapixels at most."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
    )
    time_zone = forms.CharField(
        label=gettext_lazy("Time zone"),
        required=False,
        max_length=40,
        widget=ZoneInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("The times of its evenings are shown in it. Empty: the time zone of the site."),
    )
    auction = forms.ChoiceField(label=gettext_lazy("How it is played"), choices=list_format_choices)
    no_logo = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)
    embedders = OriginsField(
        label=gettext_lazy("Websites that may embed rankings"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "https://club.example", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Five at most, one on each line. They show, in a frame (iframe), the address of a ranking with "
            "embed/ at the end, like …/ranking/embed/ or …/series/challenge/embed/."
        ),
    )

    class Meta:
        model = ClubSettings
        fields = tuple(chain.from_iterable(section.fields for section in CLUB_SETTINGS.values()))
        field_classes: ClassVar[dict[str, type[forms.Field]]] = {"fixed_note": FigureField}
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "address": forms.Textarea(attrs={"rows": 3, "autocomplete": "street-address"}),
            "starts_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "fixed_note": gettext_lazy(
                "The arbiter may fix the better of this figure and the player’s mean. The FFT has no rule for it."
            ),
            "language": gettext_lazy(
                "The first language that people see when they log in; each of them can choose another."
            ),
            "keeps_cash": gettext_lazy(
                "Helpers take fees at the check-in, and directors hand out prizes. No public page shows money."
            ),
            "window_hours": gettext_lazy("A published ranking stays provisional for this long. 0: official at once."),
            "player_accounts": gettext_lazy(
                "An account gives no rights. A director gives out the links, or says which player is asking."
            ),
            "indexed": gettext_lazy(
                "Google and others may list the club, its tournaments, rankings and étuis, but never the "
                "pages of one player. If you untick this, what they list already disappears at their next "
                "visit."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["auction"] = find_format(self.instance.format).word
        languages = [("", _("that of each browser")), *settings.LANGUAGES]
        self.fields["language"].choices = languages  # type: ignore[attr-defined]
        if not ClubLogo.objects.filter(club=self.instance.club_id).exists():
            del self.fields["no_logo"]
        self.keep_section()

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if "auction" in given:
            given["format"] = find_offered_format(given.pop("auction")).name
        return given

    def clean_time_zone(self) -> str:
        zone = str(self.cleaned_data["time_zone"])
        if zone and zone not in zoneinfo.available_timezones():
            raise forms.ValidationError(_("This time zone is not known: write one like Europe/Paris."), "invalid")
        return zone

    def clean_logo(self) -> Logo | None:
        sent = self.cleaned_data["logo"]
        return None if sent is None else read_logo(sent.read(MOST_BYTES + 1))


@club_page(Can.DIRECT, real=True)
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """Show or save one section of the settings, that of the address."""
    section = find_section(request, CLUB_SETTINGS)
    own = {field: getattr(club, field) for field in OWN}
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = SettingsForm(*sent, instance=settings_of(club), initial=own, section=section)
    if form.is_valid():
        given = dict(form.cleaned_data)
        logo, away = given.pop("logo", None), given.pop("no_logo", False)
        logo = NO_LOGO if away and logo is None else logo
        change_settings(club, given, **signed(request), logo=logo)
        return done(request, _("The club settings are saved."), request.path)
    return render(request, "prepare/settings.html", {"club": club, "form": form})


@require_safe
def logo(request: HttpRequest, club: str) -> HttpResponse:
    """Return the club's logo as a picture, with headers that forbid the browser to run any code in it."""
    found = get_club_for(request.user, Can.READ, slug=club)
    picture = require_found(ClubLogo.objects.filter(club=found).first())
    answer = HttpResponse(bytes(picture.data), content_type=picture.kind)
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cache-Control"] = "public, max-age=86400"
    return answer


@club_page(Can.DIRECT, real=True)
def usual_penalties(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the list with a form. The form changes the entry in `?change=`, or adds an entry."""
    changed = read_number(request.GET, "change")
    usual = club.usual_penalties.filter(pk=changed).first()
    form = UsualPenaltyForm(request.POST or None, initial=start_of(usual) if usual else None)
    if form.is_valid():
        with refusals_in(form):
            reason = form.cleaned_data["reason"]
            keep_usual(club=club, usual_id=changed or None, sanction=form.sanction, reason=reason, **signed(request))
            return done(request, _("The list of usual penalties is saved."), "usual_penalties", club.slug)
    context = {"club": club, "form": form, "usual": club.usual_penalties.all(), "changed": changed}
    return render(request, "club/usual_penalties.html", context)


@club_page(Can.DIRECT, ACTION, back="usual_penalties")
def usual_remove(request: HttpRequest, club: Club, usual: int) -> HttpResponse:
    remove_usual(club=club, usual_id=usual, **signed(request))
    text = _("It has been removed from the list. What was given with it still applies.")
    return done(request, text, "usual_penalties", club.slug)


class SeasonForm(forms.Form):
    name = ShortTextField(gettext_lazy("Name of the season"), 60)
    starts_on = SeasonDayField(gettext_lazy("First day"))
    ends_on = SeasonDayField(gettext_lazy("Last day"))

    @property
    def given(self) -> SeasonGiven:
        return SeasonGiven(**self.cleaned_data)


@club_page(Can.DIRECT, real=True)
def seasons(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the list of seasons with a form. The form changes the season in `?change=`, or adds a season."""
    listed = list(club.seasons.annotate(total=Count("tournaments")).order_by("-starts_on"))
    asked = read_number(request.GET, "change")
    changed = next((each for each in listed if each.pk == asked), None)
    form = SeasonForm(request.POST or None, initial=start_of_season(changed) if changed else usual_season(listed))
    if form.is_valid():
        with refusals_in(form):
            if asked:
                change_season(club, asked, form.given, **signed(request))
            else:
                make_season(club, form.given, **signed(request))
            return done(request, _("The seasons are saved."), "seasons", club.slug)
    context = {"club": club, "form": form, "seasons": listed, "changed": changed}
    return render(request, "club/seasons.html", context)


def start_of_season(season: Season) -> dict[str, object]:
    return {"name": season.name, "starts_on": season.starts_on, "ends_on": season.ends_on}


def usual_season(listed: Sequence[Season]) -> dict[str, object]:
    """Return the initial values of the form for a new season: the name and the days of a sporting year.

    It is the current sporting year or, if the club has that season already, the first later one that is missing.
    """
    year, known = season_of(timezone.localdate()), {each.starts_on for each in listed}
    while first_day_of(year) in known:
        year += 1
    return {"name": f"{year}-{year + 1}", "starts_on": first_day_of(year), "ends_on": last_day_of(year)}


@club_page(Can.DIRECT, ACTION, back="seasons")
def season_delete(request: HttpRequest, club: Club, season: int) -> HttpResponse:
    delete_season(club, season, **signed(request))
    return done(request, _("The season is deleted."), "seasons", club.slug)
