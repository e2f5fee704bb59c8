"""The seasons of a club: add them, change their names or dates, delete them while they hold no tournament."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.house import SeasonGiven, change_season, delete_season, make_season
from clubs.models import Club, Season, validate_name
from clubs.session_settings import YEARS
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, club_page
from rankings.careers.seasons import first_day_of, last_day_of, season_of
from tournaments.numbers import read_number
from tournaments.permissions import Can

DAYS = [MinValueValidator(dt.date(YEARS[0], 1, 1)), MaxValueValidator(dt.date(YEARS[-1], 12, 31))]


def date_field(label: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, validators=DAYS, widget=widget)


class SeasonForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name of the season"),
        max_length=60,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    starts_on = date_field(gettext_lazy("First day"))
    ends_on = date_field(gettext_lazy("Last day"))

    @property
    def given(self) -> SeasonGiven:
        return SeasonGiven(**self.cleaned_data)


@club_page(Can.DIRECT, real=True)
def seasons(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the list of seasons with a form. The form changes the season in `?change=`, or adds a season."""
    listed = list(club.seasons.annotate(total=Count("tournaments")).order_by("-starts_on"))
    asked = read_number(request.GET, "change")
    changed = next((each for each in listed if each.pk == asked), None)
    form = SeasonForm(request.POST or None, initial=start_of(changed) if changed else usual_season(listed))
    if form.is_valid():
        with refusals_in(form):
            if asked:
                change_season(club, asked, form.given, **signed(request))
            else:
                make_season(club, form.given, **signed(request))
            return done(request, _("The seasons are saved."), "seasons", club.slug)
    context = {"club": club, "form": form, "seasons": listed, "changed": changed}
    return render(request, "club/seasons.html", context)


def start_of(season: Season) -> dict[str, object]:
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
