"""The public pages of series: the list with the palmarès, a ranking, a player's results, and the file."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from clubs.models import Club
from outgoing.sheets.files import CSV, KINDS, write_file
from outgoing.sheets.ranking_tables import make_series_ranking
from pages.doors import READING, club_page, series_page
from pages.parts.ranking_rows import place_ranked, place_rows
from pages.public.published import ANY, with_ranking
from pages.public.series.published import SERIES, PublishedSeries, find_asked_version, is_reader_of_series
from pages.ranking_pages import (
    CATEGORY,
    PAGE_SORTS,
    PARTS,
    RankingQuery,
    RankingTable,
    by_category,
    lay_out_tables,
    make_heads,
)
from rankings.series.choosing import say_misfits, say_no_form, say_series_rules
from rankings.series.membership import find_twins_of_members
from rankings.series.outlook import find_chances
from rankings.series.report import (
    PUBLISHED,
    SeriesReport,
    find_seen,
    read_palmares,
    read_report_of_series,
)
from scoring.ties import share_ranks
from tournaments.models import Series, SeriesClub
from tournaments.permissions import Can, power_of

LEAST_OF_NEW = 3


class SeriesHead(NamedTuple):
    """A column of a series ranking: an event, with a short head and the address of its ranking or ""."""

    event: Any
    url: str


def forbid_caching(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, no_cache=True)
    return response


@club_page(Can.READ, READING, real=True)
def series_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the series of a club, those of other clubs in which it takes part, and the palmarès."""
    directs = power_of(request.user, club) >= Can.DIRECT
    rows = SeriesClub.objects.filter(club=club, left_at=None, series__put_away_at=None).select_related("series__club")
    told = list(rows.order_by("-pk"))
    context: dict[str, Any] = {
        "club": club,
        "directs": directs,
        "listed": list(club.series.filter(put_away_at=None)),
        "away": list(club.series.exclude(put_away_at=None)) if directs else [],
        "elsewhere": [row for row in told if row.agreed_at is not None],
        "asked": [row for row in told if row.agreed_at is None] if directs else [],
        "palmares": read_palmares(club, timezone.now()),
        "today": timezone.localdate(),
    }
    return forbid_caching(render(request, "series/list.html", context))


@with_ranking(SERIES, by={CATEGORY}, sort=PAGE_SORTS, part=PARTS, q=ANY, me=is_reader_of_series)
def series_ranking(request: HttpRequest, shown: PublishedSeries) -> HttpResponse:
    """Show the ranking of a series, or a version of it: live while it is under way, then as it was published."""
    found, seen = shown
    context = shown.describe(request)
    if seen.data is not None:
        report = read_report_of_series(seen.data)
        context |= lay_out_series(report, RankingQuery.read(request.GET.dict()))
        context["heads"] = [SeriesHead(event, address_of_event(event)) for event in report.events]
        context["rules"] = say_series_rules(report.settings, has_final=any(each.in_final for each in report.players))
        context["misfits"] = say_misfits(report.settings, seen.events)
        context["no_form"] = "" if report.is_all_at_four else say_no_form()
        context["champions"] = report.champions if seen.is_official else []
        context |= find_own_doubts(request, found, context["clubs"], report)
    return render(request, "series/ranking.html", context)


def find_own_doubts(request: HttpRequest, series: Series, clubs: list[Club], report: SeriesReport) -> dict[str, Any]:
    """Return the doubts about members of the clubs that the reader directs. The owner's directors have another page."""
    directed = [club for club in clubs if power_of(request.user, club) >= Can.DIRECT]
    if not directed or power_of(request.user, series.club) >= Can.DIRECT:
        return {}
    return {"directed": directed, "twins": find_twins_of_members((each.player for each in report.players), directed)}


def lay_out_series(report: SeriesReport, asked: RankingQuery) -> dict[str, Any]:
    """Return the tables of the ranking: one, or one for each category and one for new members."""
    categories = by_category(report.players, "rank")
    newcomers = [player for player in report.players if player.new and player.rank is not None]
    if LEAST_OF_NEW <= len(newcomers) < len(report.players):
        ranks = share_ranks({place: player.rank or 0 for place, player in enumerate(newcomers)})
        categories[_("New members")] = [(ranks[place], player) for place, player in enumerate(newcomers)]
    by = CATEGORY if asked.by == CATEGORY and categories else ""
    if by:
        tables = [RankingTable(place_rows(rows), title=title) for title, rows in categories.items()]
    else:
        tables = [RankingTable(place_rows(place_ranked(report.players, "rank")))]
    moves = len(report.events) > 1 and not by
    columns = make_heads(report.shape, asked, hidden=() if moves else {"moved"})
    told = {"report": report, "by": by, "categories": categories, "moves": moves, "is_points": report.in_points}
    return lay_out_tables(tables, columns, asked) | told


def address_of_event(event: Any) -> str:
    """Return the address of the ranking of an event, or "" for a typed list."""
    if event.address is None:
        return ""
    club, tournament, number = event.address
    if number:
        return reverse("ranking", args=[club, tournament, number])
    return reverse("tournament_ranking", args=[club, tournament])


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """An event with the result of the player, or None if the player was absent."""

    head: SeriesHead
    result: Any


@series_page(Can.READ)
def series_player(request: HttpRequest, series: Series, player: int) -> HttpResponse:
    """Show what each event brought a player, which results count, and what is still possible.

    Redirect to the ranking if the player is not in it, or is not shown by name, without telling which.
    """
    seen = find_seen(series, timezone.now())
    directs = power_of(request.user, series.club) >= Can.DIRECT
    report = None if seen.data is None else read_report_of_series(seen.data)
    mine = next((each for each in report.players if each.player == player), None) if report else None
    if report is None or mine is None or not (mine.named or directs):
        return forbid_caching(redirect("series", series.club.slug, series.slug))
    has_chances = seen.state != PUBLISHED and not report.in_marks  # nobody knows the most marks of an evening
    context = PublishedSeries(series, seen).describe(request) | {
        "player": mine,
        "report": report,
        "is_points": report.in_points,
        "events": [
            PlayedEvent(SeriesHead(event, address_of_event(event)), result)
            for event, result in zip(report.events, mine.results, strict=True)
        ],
        "rules": say_series_rules(report.settings, has_final=any(each.in_final for each in report.players)),
        "chances": find_chances(seen.events, report, mine, timezone.localdate()) if has_chances else None,
    }
    return forbid_caching(render(request, "series/player.html", context))


@series_page(Can.READ)
def series_file(request: HttpRequest, series: Series) -> HttpResponse:
    """Return the ranking of a series as a file for a spreadsheet."""
    seen, kind = find_asked_version(request, series), request.GET.get("kind", CSV)
    if seen.data is None or kind not in KINDS:
        raise Http404
    file = write_file([make_series_ranking(read_report_of_series(seen.data), series.title)], kind, series.slug)
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return forbid_caching(HttpResponse(file.content, content_type=file.content_type, headers=headers))
