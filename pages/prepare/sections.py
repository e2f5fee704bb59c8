"""The page of a tournament's sections: sessions that play the same étuis and are compared with each other.

A director groups sessions as sections, or separates them again.
"""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evenings.sessions.sections import Together, part_sections, put_together
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, tournament_page
from tournaments.models import Tournament
from tournaments.permissions import Can


class SectionsForm(forms.Form):
    sessions = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Sessions on the same étuis"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("In the tournament ranking, all take the coefficient and the stage of the first one."),
    )
    one_topage = forms.BooleanField(
        label=gettext_lazy("Compare them together: one topage for each étui"),
        required=False,
        initial=True,
        help_text=gettext_lazy("Otherwise each section is compared only with itself."),
    )
    one_ranking = forms.BooleanField(
        label=gettext_lazy("Rank them together: one ranking of all sections"),
        required=False,
        initial=True,
        help_text=gettext_lazy("Each section keeps its own ranking beside it."),
    )

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data)
        alone = tournament.sessions.filter(group=None, put_away_at=None).order_by("number")
        self.fields["sessions"].choices = [  # type: ignore[attr-defined]
            (session.number, name_session(session.number, date_format(session.date))) for session in alone
        ]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("one_topage") and not given.get("one_ranking"):
            self.add_error(None, _("Nothing would be grouped: choose one topage, one ranking, or both."))
        return given


def name_session(number: int, date: str) -> str:
    return _("Session %(number)s, %(date)s") % {"number": number, "date": date}


@tournament_page(Can.DIRECT)
def sections(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = SectionsForm(tournament, request.POST if request.method == "POST" else None)
    if form.is_valid():
        given = form.cleaned_data
        how = Together(given["one_topage"], given["one_ranking"])
        with refusals_in(form):
            put_together(tournament_id=tournament.pk, numbers=given["sessions"], how=how, **signed(request))
            text = _("The sections are grouped; their rankings follow.")
            return done(request, text, "sections", tournament.club.slug, tournament.slug)
    groups = tournament.section_groups.order_by("pk").prefetch_related("sections")
    context = {"club": tournament.club, "tournament": tournament, "form": form, "groups": groups}
    return render(request, "prepare/sections.html", context)


@tournament_page(Can.DIRECT, ACTION)
def sections_part(request: HttpRequest, tournament: Tournament, group: int) -> HttpResponse:
    part_sections(tournament_id=tournament.pk, group_id=group, **signed(request))
    text = _("Each is a separate session again; the rankings follow.")
    return done(request, text, "sections", tournament.club.slug, tournament.slug)
