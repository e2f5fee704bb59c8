"""The versions of the final ranking of a series, and the ranking as a PDF to pin up."""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.models import ClubLogo
from outgoing.paper.pdf import Code
from outgoing.paper.ranking import PinnedHeading, set_ranking
from pages.doors import series_page
from pages.everybody import refuse_builds
from pages.parts.version_rows import show_versions
from pages.pinned_rows import pin
from pages.public.series.pages import forbid_caching, lay_out_series
from pages.public.series.published import find_asked_version
from pages.ranking_pages import ALL as WHOLE
from pages.ranking_pages import CATEGORY, RankingQuery
from rankings.series.publishing import find_held_numbers, find_newest_publication
from rankings.series.report import PUBLISHED, SeenSeries, SeriesReport, is_frozen, read_report_of_series
from tournaments.addresses import link_to
from tournaments.models import Series
from tournaments.page_cache import TooManyBuilt, compress, find_counted_page, send
from tournaments.permissions import Can
from tournaments.words.messages import label
from tournaments.words.stamps import make_stamp


class NewestVersion(NamedTuple):
    """The number of the newest version of a series, for the templates of versions."""

    newest: int


@series_page(Can.READ)
def series_versions(request: HttpRequest, series: Series) -> HttpResponse:
    """Show the versions of the final ranking, with their reasons and what changed."""
    last = find_newest_publication(series, timezone.now())  # makes it official if its time for corrections is over
    newest = NewestVersion(last.version if last else 0)
    where = [series.club.slug, series.slug]
    context = {"club": series.club, "series": series, "stamp": newest}
    context |= {"title": series.title, "page": reverse("series", args=where)}

    def address(version: int) -> str:
        return reverse("series_version", args=[*where, version])

    return forbid_caching(show_versions(request, series, context, address, held=find_held_numbers(series)))


@series_page(Can.READ)
def series_pdf(request: HttpRequest, series: Series) -> HttpResponse:
    """Return the ranking of a series as PDF to pin up: the current one, or the version in `?version=`."""
    seen = find_asked_version(request, series)
    report = None if seen.data is None else read_report_of_series(seen.data)
    if report is None or not report.events:
        raise Http404
    by = CATEGORY if request.GET.get("by") == CATEGORY else ""
    page = lay_out_series(report, RankingQuery(by=by, part=WHOLE))
    heading = head_of_series(request, series, seen, report)
    tables, language = pin(page, points=report.in_points), (get_language() or "fr")[:2]

    def build() -> HttpResponse:
        return HttpResponse(set_ranking(heading, tables, language=language), content_type="application/pdf")

    key = f"series-pdf-{make_stamp(repr(heading), repr(tables))}"  # everything that stands on it
    try:
        kept = find_counted_page(request, key, lambda: compress(build()))
    except TooManyBuilt:
        return refuse_builds(request)
    response = send(request, kept)
    number = seen.publication.version if seen.state == PUBLISHED and seen.publication else 0
    name = f"{series.slug}-v{number}" if number else series.slug
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return forbid_caching(response)


def head_of_series(request: HttpRequest, series: Series, seen: SeenSeries, report: SeriesReport) -> PinnedHeading:
    """Return the texts above and below the ranking."""
    club, version = series.club, seen.publication if seen.state == PUBLISHED else None
    address = link_to(request, reverse("series", args=[club.slug, series.slug]))
    count = len(report.events)
    title = ngettext("Ranking after %(n)s event, %(date)s", "Ranking after %(n)s events, %(date)s", count)
    told = {"n": count, "date": date_format(report.events[-1].day)}
    official, state = False, capfirst(label("standing", "provisional"))
    notes = [address.partition("://")[2]]
    if version is not None:
        moment = date_format(timezone.localtime(version.published_at), "DATETIME_FORMAT")
        numbered = {"version": version.version, "moment": moment}
        notes.insert(0, _("Version %(version)s, published on %(moment)s.") % numbered)
        official = is_frozen(version, timezone.now()) and not seen.is_replaced
        if seen.is_replaced:
            state = _("Version %(version)s, replaced since") % {"version": version.version}
        elif official:
            state = capfirst(label("standing", "official"))
    logo = ClubLogo.objects.filter(club=club).values_list("data", flat=True).first()
    return PinnedHeading(
        club.name, series.title, title % told, state, official, notes, Code(address), bytes(logo or b"")
    )
