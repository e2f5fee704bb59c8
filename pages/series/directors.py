"""The directors' pages of series: creating one, its rules, its events, and its clubs.

They also type the lists of a series, and make its ranking final.
"""

import datetime as dt
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.house import listed_clubs
from clubs.models import Club
from clubs.shown import call_in_public
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, club_page
from pages.form_fields import read_typed
from pages.parts.ranking_steps import answer_publishing, take_ranking_step
from pages.roster_forms import answer_list
from pages.roster_rows import done_counted
from pages.series.forms import ListForm, SeriesForm, WeightForm, start_of_series, write_seen
from rankings.careers.seasons import first_day_of, season_of
from rankings.series.choosing import choose_events, say_no_form
from rankings.series.computing import figure_series
from rankings.series.lists import ListGiven, type_list
from rankings.series.membership import agree_to_series, ask_club, find_twins, leave_series, take_club_out
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.results import find_versions
from rankings.series.setup import (
    EventDecision,
    SeriesRefused,
    change_series,
    create_series,
    decide_events,
    preview_rules,
    put_series_away,
)
from tournaments.models import Series, SeriesClub, SeriesEvent
from tournaments.numbers import read_number
from tournaments.permissions import Can, find_of_club
from tournaments.rules.series import MARKS, read_settings
from tournaments.words.messages import say


@club_page(Can.DIRECT, real=True)
def series_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the form for a new series, filled in with the present sporting year. A POST creates the series."""
    year = season_of(timezone.localdate())
    first, last = first_day_of(year), first_day_of(year + 1) - dt.timedelta(days=1)
    start = {"title": _("Championship %(years)s") % {"years": f"{year}-{year + 1}"}}
    form = SeriesForm(club, request.POST or None, initial=start | {"starts_on": first, "ends_on": last})
    if form.is_valid():
        with refusals_in(form):
            series = create_series(club=club, given=form.given, **signed(request))
            text = _("The championship is created: look which events count.")
            return done(request, text, "series_events", club.slug, series.slug)
    return render(request, "series/new.html", {"club": club, "form": form})


@club_page(Can.DIRECT)
def series_settings(request: HttpRequest, club: Club, series: str) -> HttpResponse:
    """Show the rules of a series. A POST saves them, or with `do=look` shows what they would do."""
    found = find_of_club(Series, club.slug, series)
    form = SeriesForm(club, request.POST or None, initial=start_of_series(found))
    context: dict[str, Any] = {"club": club, "series": found, "form": form}
    if form.is_valid():
        with refusals_in(form):
            if request.POST.get("do") == "look":
                effect = preview_rules(found, form.given)
                leader = call_in_public([effect.leader])[effect.leader].name if effect.leader else ""
                context |= {"effect": effect, "leader": leader}
            else:
                change_series(series_id=found.pk, given=form.given, **signed(request))
                text = _("The rules are saved: the ranking follows in a moment.")
                return done(request, text, "series", club.slug, found.slug)
    return render(request, "series/settings.html", context)


@club_page(Can.DIRECT, ACTION)
def series_away(request: HttpRequest, club: Club, series: str) -> HttpResponse:
    """Remove a series from the lists, or with `back` put it back."""
    found, back = find_of_club(Series, club.slug, series), "back" in request.POST
    put_series_away(series_id=found.pk, back=back, **signed(request))
    text = _("The championship is listed again.") if back else _("The championship is not listed.")
    return done(request, text, "series_list", club.slug)


@club_page(Can.DIRECT)
def series_events(request: HttpRequest, club: Club, series: str) -> HttpResponse:
    """Show the events with boxes to tick, coefficients and stages. A POST saves them.

    An event that the form did not show yet stays as it is, and so does one whose fields nobody has changed.
    """
    found = find_of_club(Series, club.slug, series)
    events = choose_events(found)
    posted = request.POST if request.method == "POST" else None
    forms = {
        event.key: WeightForm(
            posted if posted is not None and f"{event.key}-coefficient" in posted else None,
            prefix=event.key,
            initial={
                "counts": event.counts,
                "coefficient": shorten(event.coefficient),
                "stage": event.stage,
                "seen": write_seen(event.counts, event.coefficient, event.stage),
            },
        )
        for event in events
    }
    error = ""
    wrong = posted is not None and any(form.errors for form in forms.values())
    if posted is not None and not wrong:
        decided = {key: form.cleaned_data for key, form in forms.items() if form.is_bound and form.decides()}
        columns = ("counts", "coefficient", "stage")
        decisions = {key: EventDecision(**{name: told[name] for name in columns}) for key, told in decided.items()}
        try:
            changed = decide_events(series_id=found.pk, decisions=decisions, **signed(request))
            text = ngettext("%(count)s event is changed.", "%(count)s events are changed.", changed)
            return done_counted(request, text, changed, "series", club.slug, found.slug)
        except SeriesRefused as refusal:
            error = say(refusal)
    published = find_versions(events)
    rows = [(event, forms[event.key], event.key in published) for event in events]
    context = {
        "club": club,
        "series": found,
        "rows": rows,
        "error": error,
        "wrong": wrong,
        "no_form": say_no_form() if any(event.table_size for event in events) else "",
    }
    return render(request, "series/events.html", context)


def shorten(coefficient: Decimal) -> Decimal:
    """Return a coefficient without needless zeros, as a director types it."""
    return Decimal(int(coefficient)) if coefficient % 1 == 0 else coefficient.normalize()


@club_page(Can.DIRECT)
def series_clubs(request: HttpRequest, club: Club, series: str) -> HttpResponse:
    """Show the clubs of a series, and the doubts about persons. A POST asks a club, or takes one out."""
    found = find_of_club(Series, club.slug, series)
    error = ""
    if request.method == "POST":
        row = read_number(request.POST, "row")
        try:
            if row:
                reason = read_typed(request.POST, "reason")
                take_club_out(series_id=found.pk, row_id=row, reason=reason, **signed(request))
                text = _("The club is taken out, with all its events.")
            else:
                ask_club(series_id=found.pk, slug=read_typed(request.POST, "slug"), **signed(request))
                text = _("The club is invited: its directors see the invitation on their page.")
            return done(request, text, "series_clubs", club.slug, found.slug)
        except SeriesRefused as refusal:
            error = say(refusal)
    rows = list(SeriesClub.objects.filter(series=found).select_related("club").order_by("pk"))
    inside = {club.pk, *(row.club_id for row in rows if row.left_at is None)}
    data = figure_series(found, choose_events(found))
    context = {
        "club": club,
        "series": found,
        "rows": rows,
        "others": [each for each in listed_clubs() if each.pk not in inside],
        "directed": [club],
        "twins": find_twins((row["player"] for row in data["players"]), [club]),
        "error": error,
        "asked": read_typed(request.POST, "slug"),
    }
    return render(request, "series/clubs.html", context)


@club_page(Can.DIRECT, ACTION, back="series_list")
def series_answer(request: HttpRequest, club: Club, row: int) -> HttpResponse:
    """Agree, for a club, to take part in the series of another club, or leave it."""
    do = request.POST.get("do")
    if do == "agree":
        agree_to_series(club=club, row_id=row, **signed(request))
        messages.success(request, _("Your club takes part: its published evenings count."))
    elif do == "leave":
        if leave_series(club=club, row_id=row, **signed(request)).agreed_at is None:
            messages.success(request, _("Your club does not take part: the other club sees it."))
        else:
            messages.success(request, _("Your club no longer takes part. What it has played still counts."))
    return redirect("series_list", club.slug)


@club_page(Can.DIRECT)
def series_type(request: HttpRequest, club: Club, series: str) -> HttpResponse:
    """Show the form for a typed list. The first POST shows how each line is read, the next one saves the list.

    `?event=` names the event whose list is replaced.
    """
    found = find_of_club(Series, club.slug, series)
    number = read_number(request.GET, "event")
    event = SeriesEvent.objects.filter(series=found, pk=number).exclude(title="").first() if number else None
    if number and event is None:
        raise Http404
    start = {"title": event.title, "day": event.day} if event else {}
    has_signs = read_settings(found.rules).brings == MARKS
    form = ListForm(club, request.POST or None, request.FILES or None, initial=start, signed=has_signs)
    form.back = reverse("series_events", args=[club.slug, found.slug])

    def save() -> HttpResponse:
        told = {name: form.cleaned_data[name] for name in ("title", "day", "source", "figures")}
        given = ListGiven(event=event.pk if event else None, rows=form.listed, **told)
        typed = type_list(series_id=found.pk, given=given, **signed(request), told=form.promised)
        rows = typed.rows.count()
        text = ngettext("%(count)s result is saved, and counts.", "%(count)s results are saved, and count.", rows)
        return done_counted(request, text, rows, "series", club.slug, found.slug)

    if request.method == "POST" and (answer := answer_list(request, form, save)):
        return answer
    context = {"club": club, "series": found, "form": form}
    return render(request, "series/type.html", context)


@club_page(Can.DIRECT)
def series_publish(request: HttpRequest, club: Club, series: str) -> HttpResponse:
    """Show what publishing the final ranking would change. A POST publishes it."""
    found = find_of_club(Series, club.slug, series)
    published = (_("The final ranking is published."), "series", club.slug, found.slug)
    about = {"club": club, "series": found, "ended": timezone.localdate() > found.ends_on}
    return answer_publishing(request, SERIES_OF_CLUBS, found, lambda: published, lambda _shown: about)


@club_page(Can.DIRECT, ACTION, back="series_publish series")
def series_step(request: HttpRequest, club: Club, series: str, step: str) -> HttpResponse:
    """Change the published ranking: make it "official", "reopen" or "withdraw" it. The last two need a reason."""
    found = find_of_club(Series, club.slug, series)
    return take_ranking_step(request, SERIES_OF_CLUBS, step, found.pk, "series_publish", club.slug, found.slug)
