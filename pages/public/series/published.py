"""The entrance to the public pages of a series' ranking. They are cached as those of sessions are.

A series that is under way has no version, and its pages are cached too. Its stamp tells what readers may see of the
events now. So a kept page is not shown any more once an evening is hidden, corrected or withdrawn.
"""

from functools import partial
from typing import Any, NamedTuple

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from clubs.models import Club, Player
from pages.doors import series_page
from pages.public.published import Entrance, RankingEntry
from rankings.series.report import PUBLISHED, SeenSeries, find_seen, find_version_seen, is_frozen
from rankings.series.stamps import find_series_stamp, look_up_series
from tournaments.models import Series, SeriesClub
from tournaments.numbers import parse_number, read_number
from tournaments.permissions import Can, power_of


class PublishedSeries(NamedTuple):
    """A series with what readers may see of it."""

    series: Series
    seen: SeenSeries

    @property
    def club(self) -> Club:
        return self.series.club

    def describe(self, request: HttpRequest) -> dict[str, Any]:
        """Return what all public pages of a series show."""
        series, seen = self
        last = seen.publication
        return {
            "club": series.club,
            "series": series,
            "seen": seen,
            "publication": last if seen.state == PUBLISHED else None,
            "withdrawn": last if last is not None and last.status == last.PublicationStatus.WITHDRAWN else None,
            "official": last is not None and seen.state == PUBLISHED and is_frozen(last, timezone.now()),
            "linked": not seen.is_replaced,
            "asked": f"version={last.version}" if last is not None and seen.is_replaced else "",
            "directs": power_of(request.user, series.club) >= Can.DIRECT,
            "clubs": [row.club for row in taking_part(series)],
        }


def taking_part(series: Series) -> list[SeriesClub]:
    """Return the clubs that agreed to take part in a series and were not taken out, the first one first."""
    rows = SeriesClub.objects.filter(series=series, taken_out_at=None).exclude(agreed_at=None)
    return list(rows.select_related("club").order_by("pk"))


def enter_series(_request: HttpRequest, _part: str, series: Series, version: int = 0) -> RankingEntry | HttpResponse:
    """Return the entry to a series' ranking. If readers may not see the version, redirect to the list of versions."""
    stamp = look_up_series(series, version)
    seen = find_version_seen(series, version, timezone.now()) if version else None
    if version and seen is None:
        return redirect("series_versions", series.club.slug, series.slug)

    def read() -> PublishedSeries:
        return PublishedSeries(series, seen or find_seen(series, timezone.now(), has_version=stamp.newest > 0))

    return RankingEntry(stamp, read, partial(find_series_stamp, series.pk, version))


def find_asked_version(request: HttpRequest, series: Series) -> SeenSeries:
    """Return what readers see of the version in `?version=`, or of the current ranking without it."""
    number, now = read_number(request.GET, "version"), timezone.now()
    seen = find_version_seen(series, number, now) if number else find_seen(series, now)
    if seen is None:
        raise Http404
    return seen


SERIES = Entrance(series_page(Can.READ), enter_series)


def is_reader_of_series(value: str, stamp: Any) -> bool:
    """Return whether the value is the id of a player of a club of the series."""
    number = parse_number(value)
    mine = Q(club__series=stamp.owner) | Q(club__series_elsewhere__series=stamp.owner)
    return str(number) == value and Player.objects.filter(mine, pk=number).exists()
