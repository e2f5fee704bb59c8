"""The rankings that other web sites show in a frame: without cookies, forms or scripts.

Each club lists the sites that may show its rankings (`ClubSettings.embedders`). Every response has this list in a
header, even a 304, so that a change of the list applies at once. All readers get the same page, in the club's language.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from clubs.house import find_club_language
from clubs.models import ClubSettings
from pages.public.field.published import FIELD, PublishedField, is_club_of_field
from pages.public.field.ranking import VIEWS as FIELD_VIEWS
from pages.public.field.ranking import FieldQuery, lay_out_field
from pages.public.podium import for_everybody
from pages.public.published import SESSION, PublishedVersion, with_ranking
from pages.public.series.pages import lay_out_series
from pages.public.series.published import SERIES, PublishedSeries
from pages.public.tournament import TOURNAMENT, PublishedEvent
from pages.ranking_pages import (
    ALL,
    CATEGORY,
    OVER_SESSIONS,
    PARTS,
    VIEWS,
    RankingQuery,
    RankingTable,
    ranking_page,
    tournament_ranking,
)
from rankings.columns import EMBED, RankingColumn, RankingShape, list_columns
from rankings.events.report import read_tournament_report
from rankings.series.report import read_report_of_series
from tournaments.models import SeriesPublication

View = Callable[..., HttpResponse]
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {}"
SHOWN = (200, 304)


def embeddable(view: View) -> View:
    """Decorate a view so that only the sites on the club's list may show its page in a frame, and no error page."""

    @wraps(view)
    def show(request: HttpRequest, club: str, **more: Any) -> HttpResponse:
        response = view(request, club=club, **more)
        if response.status_code in SHOWN:
            response["Content-Security-Policy"] = POLICY.format(" ".join(embedders_of(club)) or "'none'")
            # The older header (X-Frame-Options) cannot list sites. With it, some browsers would refuse all sites.
            response.xframe_options_exempt = True
        return response

    return show


def embedders_of(club: str) -> list[str]:
    named = ClubSettings.objects.filter(club__slug=club).values_list("embedders", flat=True).first()
    return named or []


def list_small(shape: RankingShape) -> list[RankingColumn]:
    return list_columns(shape, EMBED)


def read_small(request: HttpRequest) -> RankingQuery:
    """Return the kind of ranking and the part that a frame asks for: all rows by default."""
    return RankingQuery(by=request.GET.get("by", ""), part=request.GET.get("part", "") or ALL)


@embeddable
@for_everybody
@with_ranking(SESSION, "ranking", by=VIEWS, part=PARTS)
def ranking_embedded(request: HttpRequest, shown: PublishedVersion) -> HttpResponse:
    page = ranking_page(shown.report, read_small(request), alone=shown.stamp.alone)
    with translation.override(find_club_language(shown.session.tournament.club)):
        return render(
            request, "embedded/ranking.html", shown.context | page | {"shown": list_small(shown.report.shape)}
        )


@embeddable
@for_everybody
@with_ranking(TOURNAMENT, by=OVER_SESSIONS, part=PARTS)
def tournament_embedded(request: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    report = read_tournament_report(shown.publication.data, shown.publication.sessions)
    page = tournament_ranking(report, read_small(request))
    with translation.override(find_club_language(shown.club)):
        return render(request, "embedded/ranking.html", shown.context | page | {"shown": list_small(report.shape)})


@embeddable
@for_everybody
@with_ranking(SERIES, by={CATEGORY}, part=PARTS)
def series_embedded(request: HttpRequest, shown: PublishedSeries) -> HttpResponse:
    """Show the ranking of a series as readers see it now: live, or as it was published."""
    series, seen = shown
    if seen.data is None or series.club.is_practice:
        raise Http404
    with translation.override(find_club_language(series.club)):
        report = read_report_of_series(seen.data)
        publication = (seen.publication if seen.is_published else None) or SeriesPublication(version=0)
        publication.series = series
        context = {"club": series.club, "publication": publication, "shown": list_small(report.shape)}
        return render(request, "embedded/ranking.html", context | lay_out_series(report, read_small(request)))


@embeddable
@for_everybody
@with_ranking(FIELD, by=FIELD_VIEWS, club=is_club_of_field, part=PARTS)
def field_embedded(request: HttpRequest, shown: PublishedField) -> HttpResponse:
    """Show a part of the ranking of a simultaneous: at first its best players, as its own page does."""
    club, context = shown.simultaneous.club, shown.context
    with translation.override(find_club_language(club)):
        asked = FieldQuery(**{name: request.GET.get(name, "") for name in ("by", "club", "part")})
        page = lay_out_field(context["report"], asked)
        told = {"tables": [RankingTable(page["rows"])], "is_points": False, "part": page["part"]}
        told["shown"] = list_small(context["report"].shape)
        return render(request, "embedded/ranking.html", context | told | {"count": page["count"]})
