"""The public pages of the ranking of a tournament of several sessions.

They are cached like the pages of a session's publication, and become stale for the same reasons.
"""

from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Club
from pages.parts.version_rows import show_versions
from pages.public.published import ANY, Entrance, RankingEntry, is_reader, with_ranking
from pages.ranking_pages import OVER_SESSIONS, PAGE_SORTS, PARTS, RankingQuery, tournament_ranking
from rankings.events.publishing import TournamentStamp, find_published_tournament, look_up_tournament
from rankings.events.report import read_tournament_report
from rankings.events.standings_file import write_tournament_csv
from rankings.publication.differences import list_changes
from tournaments.models import Tournament, TournamentPublication
from tournaments.permissions import Can, get_tournament_for
from tournaments.published import Shows

SHOWN = Shows()


class PublishedEvent(NamedTuple):
    """A version of a tournament's ranking, with its tournament."""

    publication: TournamentPublication
    stamp: TournamentStamp

    @property
    def tournament(self) -> Tournament:
        return self.publication.tournament

    @property
    def club(self) -> Club:
        return self.tournament.club

    @property
    def context(self) -> dict[str, Any]:
        return {"tournament": self.tournament, "club": self.club, **self._asdict()}


def enter_tournament(
    request: HttpRequest, _part: str, club: str, tournament: str, version: int | None = None
) -> RankingEntry | HttpResponse:
    """Return the entry to a tournament's ranking, or the page that says why readers do not see it."""
    stamp = look_up_tournament(club, tournament, version)
    if stamp is None or stamp.practice or stamp.withdrawn or stamp.held_back:
        found = get_tournament_for(request.user, Can.READ, club__slug=club, slug=tournament)
        if stamp is None and version is not None:
            raise Http404
        if stamp is None or stamp.withdrawn or stamp.held_back:
            return say_why_not(request, found, stamp)

    def read() -> PublishedEvent:
        rows = TournamentPublication.objects.select_related("tournament__club__house")
        return PublishedEvent(rows.get(pk=stamp.publication), stamp)

    return RankingEntry(stamp, read, partial(find_published_tournament, club, tournament, version))


TOURNAMENT = Entrance(require_safe, enter_tournament)


def say_why_not(request: HttpRequest, tournament: Any, stamp: TournamentStamp | None) -> HttpResponse:
    """Show a page that says why the ranking cannot be read.

    Nothing is published yet, the ranking was withdrawn, or readers may not see the ranking of one of its sessions.
    """
    context: dict[str, Any] = {"tournament": tournament, "club": tournament.club, "stamp": stamp}
    if stamp is not None and stamp.withdrawn:
        context["withdrawal"] = tournament.publications.defer("data", "frozen").get(version=stamp.withdrawn)
        context["replaced"] = stamp.withdrawn != stamp.newest
    with timezone.override(tournament.club.zone):
        return render(request, "public/tournament_not_published.html", context, status=404)


@with_ranking(TOURNAMENT, by=OVER_SESSIONS, sort=PAGE_SORTS, part=PARTS, q=ANY, me=is_reader)
def tournament_page(request: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    publication, stamp = shown
    report = read_tournament_report(publication.data, publication.sessions)
    told = publication.changes if stamp.tells_changes(publication.version) else []
    changes = list_changes(told, SHOWN, version=publication)
    ranking = tournament_ranking(report, RankingQuery.read(request.GET.dict()))
    return render(request, "public/tournament_ranking.html", shown.context | {"changes": changes} | ranking)


@with_ranking(TOURNAMENT)
def tournament_results(_: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    """Return a CSV file with every play of every session, which `manage.py standings` can read."""
    if not shown.stamp.offers_file:
        raise Http404
    name = f"{shown.tournament.slug}-v{shown.publication.version}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    file = write_tournament_csv(shown.publication)
    return HttpResponse(file, content_type="text/csv; charset=utf-8", headers=headers)


@with_ranking(TOURNAMENT)
def tournament_versions(request: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    address = partial(address_of_version, shown.tournament)
    return show_versions(request, shown.tournament, shown.context, address, held=shown.stamp.held)


def address_of_version(tournament: Tournament, version: int) -> str:
    return reverse("tournament_version", args=[tournament.club.slug, tournament.slug, version])
