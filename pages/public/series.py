"""The entrance to the public pages of a series' ranking, and these pages: the ranking, the list, a player's results.

A series that is under way has no version, and its pages are cached too. Its stamp tells what readers may see of the
events now. So a kept page is not shown any more once an evening is hidden, corrected or withdrawn.
"""

import datetime as dt
from functools import cached_property, partial
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control

from clubs.models import Club, Player
from outgoing.sheets.files import CSV, KINDS
from pages.doors import READING, club_page, series_page
from pages.public.published import Entrance, RankingEntry, names_row
from pages.public.shown import ShownRanking
from pages.ranking_pages import CATEGORY, RankingQuery
from rankings.series.choosing import say_misfits, say_no_form, say_series_rules
from rankings.series.membership import find_twins_of_members
from rankings.series.publishing import SERIES_OF_CLUBS, find_series_stamp
from rankings.series.report import (
    SeenSeries,
    SeriesRanking,
    find_chances,
    find_seen,
    is_all_at_four,
    read_palmares,
    read_series,
)
from scoring.formats import Unit
from tournaments.models import Series, SeriesClub, SeriesPublication
from tournaments.numbers import read_number
from tournaments.permissions import Can, power_of, require_found
from tournaments.versions import VersionStamp


class PublishedSeries(ShownRanking):
    """A series with what readers may see of it. Before the first version, `version` is one that is not stored."""

    kind = SERIES_OF_CLUBS

    def __init__(self, series: Series, stamp: VersionStamp) -> None:
        self.series, self.stamp = series, stamp

    @cached_property
    def seen(self) -> SeenSeries:
        return find_seen(self.series, self.stamp)

    @cached_property
    def version(self) -> SeriesPublication:
        shown = self.seen.publication if self.stamp.newest and self.seen.is_published else None
        version = shown or SeriesPublication(version=0)
        version.series = self.series
        return version

    @property
    def club(self) -> Club:
        return self.series.club

    @property
    def owner(self) -> Series:
        return self.series

    @property
    def title(self) -> str:
        return self.series.title

    @property
    def occasion(self) -> str:
        count = len(self.ranking.steps)
        return ngettext("Ranking after %(n)s event", "Ranking after %(n)s events", count) % {"n": count}

    @property
    def day(self) -> dt.date:
        if not self.ranking.steps:
            raise Http404
        return self.ranking.steps[-1].day

    @cached_property
    def ranking(self) -> SeriesRanking:
        return read_series(require_found(self.seen.data))

    @property
    def is_official(self) -> bool:
        return self.version.pk is not None and self.kind.is_official(self.version, timezone.now())

    @property
    def is_replaced(self) -> bool:
        return bool(self.stamp.version < self.stamp.newest)

    @property
    def picture(self) -> str:
        has_players = self.seen.data is not None and self.seen.data["players"]
        return super().picture if has_players and not self.is_replaced else ""

    def describe(self, request: HttpRequest) -> dict[str, Any]:
        """Return what the pages of a series show beside its ranking: state, clubs, and whether the reader directs."""
        seen = self.seen
        last = seen.publication
        agreed = SeriesClub.objects.filter(series=self.series, taken_out_at=None).exclude(agreed_at=None)
        return self.context | {
            "seen": seen,
            "publication": last if seen.is_published else None,
            "withdrawn": last if self.stamp.withdrawn else None,
            "linked": not self.is_replaced,
            "asked": f"version={self.stamp.version}" if self.is_replaced else "",
            "directs": power_of(request.user, self.club) >= Can.DIRECT,
            "clubs": [row.club for row in agreed.select_related("club").order_by("pk")],
        }

    def describe_page(self, request: HttpRequest, asked: RankingQuery) -> dict[str, Any]:
        """Return the context of the page: live while the series is under way, then as it was published."""
        context = self.describe(request)
        if self.seen.data is None:
            return context
        ranking = self.ranking
        context["heads"] = ranking.steps
        context["rules"] = say_series_rules(ranking.rules, has_final=ranking.has_final)
        context["misfits"] = say_misfits(ranking.rules, self.seen.events)
        context["no_form"] = "" if is_all_at_four(ranking) else say_no_form()
        context["champions"] = ranking.champions if self.is_official and not self.is_replaced else []
        return context | self.lay_out(asked) | find_own_doubts(request, self, context["clubs"])


def enter_series(
    _request: HttpRequest, _part: str, series: Series, version: int | None = None
) -> RankingEntry | HttpResponse:
    """Return the entry to a series' ranking. If readers may not see the version, redirect to the list of versions."""
    stamp = SERIES_OF_CLUBS.look_up(series.pk, version)
    shown = None if stamp is None else PublishedSeries(series, stamp)
    if shown is None or (version is not None and shown.seen.data is None):
        return redirect("series_versions", series.club.slug, series.slug)
    return RankingEntry(shown.stamp, lambda: shown, partial(find_series_stamp, series.pk, version))


def enter_asked_series(request: HttpRequest, part: str, series: Series) -> RankingEntry | HttpResponse:
    """Return the entry to the version in `?version=`, or to the current ranking without it.

    Raise `Http404` for an unknown kind of file.
    """
    if request.GET.get("kind", CSV) not in KINDS:
        raise Http404
    entry = enter_series(request, part, series, read_number(request.GET, "version") or None)
    if isinstance(entry, HttpResponse):
        raise Http404
    return entry


def find_member_of_series(number: int, stamp: VersionStamp) -> QuerySet[Player]:
    """Return the player with this id, if a club of the series has the player."""
    mine = Q(club__series=stamp.owner) | Q(club__series_elsewhere__series=stamp.owner)
    return Player.objects.filter(mine, pk=number)


SERIES = Entrance(
    SERIES_OF_CLUBS, series_page(Can.READ), enter_series, {"by": {CATEGORY}, "me": names_row(find_member_of_series)}
)
SERIES_FILES = SERIES._replace(enter=enter_asked_series)  # their addresses have no version


@club_page(Can.READ, READING, real=True)
@cache_control(no_cache=True)
def series_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the series of a club, those of other clubs in which it takes part, and the palmarès."""
    directs = power_of(request.user, club) >= Can.DIRECT
    rows = SeriesClub.objects.filter(club=club, left_at=None, series__put_away_at=None).select_related("series__club")
    told = list(rows.order_by("-pk"))
    own = [(each, None) for each in club.series.filter(put_away_at=None)]
    context: dict[str, Any] = {
        "club": club,
        "directs": directs,
        "page": "series",
        "answer": "series_answer",
        "asked": [(row.series, row) for row in told if row.agreed_at is None] if directs else [],
        "listed": [*own, *((row.series, row) for row in told if row.agreed_at is not None)],
        "away": list(club.series.exclude(put_away_at=None)) if directs else [],
        "palmares": read_palmares(club, timezone.now()),
    }
    return render(request, "series/list.html", context)


def find_own_doubts(request: HttpRequest, shown: PublishedSeries, clubs: list[Club]) -> dict[str, Any]:
    """Return the doubts about members of the clubs that the reader directs. The owner's directors have another page."""
    directed = [club for club in clubs if power_of(request.user, club) >= Can.DIRECT]
    if not directed or power_of(request.user, shown.club) >= Can.DIRECT:
        return {}
    twins = find_twins_of_members((each.player for each in shown.ranking.rows), directed)
    return {"directed": directed, "twins": twins}


@series_page(Can.READ)
@cache_control(no_cache=True)
def series_player(request: HttpRequest, series: Series, player: int) -> HttpResponse:
    """Show what each event brought a player, which results count, and what is still possible.

    Redirect to the ranking if the player is not in it, or is not shown by name, without telling which.
    """
    shown = PublishedSeries(series, require_found(SERIES_OF_CLUBS.look_up(series.pk, None)))
    directs = power_of(request.user, series.club) >= Can.DIRECT
    ranking = None if shown.seen.data is None else shown.ranking
    mine = next((each for each in ranking.rows if each.player == player), None) if ranking else None
    if ranking is None or mine is None or not (mine.named or directs):
        return redirect("series", series.club.slug, series.slug)
    has_bound = ranking.shape.unit is not Unit.MARKS  # nobody knows the most marks of an evening
    has_chances = not shown.seen.is_published and has_bound
    context = shown.describe(request) | {
        "player": mine,
        "ranking": ranking,
        "events": list(zip(ranking.steps, mine.results, strict=True)),
        "rules": say_series_rules(ranking.rules, has_final=ranking.has_final),
        "chances": find_chances(shown.seen.events, ranking, mine, timezone.localdate()) if has_chances else None,
    }
    return render(request, "series/player.html", context)
