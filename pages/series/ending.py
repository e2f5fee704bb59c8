"""The directors' pages of typed lists, and of the final ranking of a series."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club
from pages.acting import done, signed
from pages.doors import ACTION, club_page
from pages.parts.ranking_steps import answer_publishing, take_ranking_step
from pages.roster_forms import answer_list
from pages.roster_rows import done_counted
from pages.series.forms import ListForm
from rankings.series.lists import ListGiven, type_list
from rankings.series.publishing import SERIES_RANKINGS
from rankings.series.stamps import find_series_of
from tournaments.models import SeriesEvent
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.rules.series import MARKS, read_settings


@club_page(Can.DIRECT)
def series_type(request: HttpRequest, club: Club, series: str) -> HttpResponse:
    """Show the form for a typed list. The first POST shows how each line is read, the next one saves the list.

    `?event=` names the event whose list is replaced.
    """
    found = find_series_of(club, series)
    number = read_number(request.GET, "event")
    event = SeriesEvent.objects.filter(series=found, pk=number).exclude(title="").first() if number else None
    if number and event is None:
        raise Http404
    start = {"title": event.title, "day": event.day} if event else {}
    in_marks = read_settings(found.rules).brings == MARKS
    form = ListForm(club, request.POST or None, request.FILES or None, initial=start, in_marks=in_marks)
    form.back = reverse("series_events", args=[club.slug, found.slug])

    def save() -> HttpResponse:
        told = {name: form.cleaned_data[name] for name in ("title", "day", "source", "figures")}
        given = ListGiven(event=event.pk if event else None, **told, **form.listed)
        typed = type_list(series_id=found.pk, given=given, **signed(request), told=form.promised)
        rows = typed.rows.count()
        text = ngettext("%(count)s result is saved, and counts.", "%(count)s results are saved, and count.", rows)
        return done_counted(request, text, rows, "series", club.slug, found.slug)

    if request.method == "POST" and (answer := answer_list(request, form, save)):
        return answer
    context = {"club": club, "series": found, "event": event, "form": form}
    return render(request, "series/type.html", context)


@club_page(Can.DIRECT)
def series_publish(request: HttpRequest, club: Club, series: str) -> HttpResponse:
    """Show what publishing the final ranking would change. A POST publishes it."""
    found = find_series_of(club, series)
    published = (_("The final ranking is published."), "series", club.slug, found.slug)
    answer = answer_publishing(request, SERIES_RANKINGS, found, published)
    if isinstance(answer, HttpResponse):
        return answer
    context = answer | {"club": club, "series": found, "ended": timezone.localdate() > found.ends_on}
    return render(request, "series/publish.html", context)


@club_page(Can.DIRECT, ACTION, back="series_publish series")
def series_step(request: HttpRequest, club: Club, series: str, step: str) -> HttpResponse:
    """Change the published ranking: make it "official", "reopen" or "withdraw" it. The last two need a reason."""
    found = find_series_of(club, series)
    text = take_ranking_step(request, SERIES_RANKINGS, step, found.pk)
    return done(request, text, "series_publish", club.slug, found.slug)
