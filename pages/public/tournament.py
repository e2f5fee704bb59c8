"""The public pages of the ranking of a tournament of several sessions.

They are cached like the pages of a session's publication, and become stale for the same reasons.
"""

import datetime as dt
from functools import cached_property, partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from pages.public.published import ANY, Entrance, RankingEntry, is_reader, with_ranking
from pages.public.shown import ShownRanking
from pages.ranking_pages import CATEGORY, GENERAL, PAGE_SORTS, PARTS, TEAMS, RankingQuery
from rankings.events.publishing import TournamentStamp, find_published_tournament, look_up_tournament
from rankings.events.report import TournamentRanking, read_tournament
from rankings.events.standings_file import write_tournament_csv
from rankings.publication.differences import list_changes
from tournaments.models import TournamentPublication
from tournaments.permissions import Can, get_tournament_for


class PublishedEvent(ShownRanking):
    """A version of a tournament's ranking, with its tournament."""

    def __init__(self, version: TournamentPublication, stamp: TournamentStamp) -> None:
        self.version, self.stamp, self.tournament = version, stamp, version.tournament
        self.held = stamp.held

    @property
    def name(self) -> str:
        return self.tournament.name

    @property
    def occasion(self) -> str:
        count = len(self.ranking.steps)
        return ngettext("Tournament ranking after %(n)s session", "Tournament ranking after %(n)s sessions", count) % {
            "n": count
        }

    @property
    def day(self) -> dt.date:
        return self.ranking.steps[-1].day

    @property
    def file_name(self) -> list[str]:
        return [self.tournament.slug]

    @property
    def file_title(self) -> str:
        return _("Tournament ranking")

    @cached_property
    def ranking(self) -> TournamentRanking:
        return read_tournament(self.version.data, self.version.sessions)

    @property
    def owned(self) -> dict[str, Any]:
        return {"tournament": self.tournament}


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


VIEWS = {GENERAL, CATEGORY, TEAMS}
TOURNAMENT = Entrance(require_safe, enter_tournament, {"by": VIEWS, "me": is_reader})


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


@with_ranking(TOURNAMENT, **TOURNAMENT.parameters, sort=PAGE_SORTS, part=PARTS, q=ANY)
def tournament_page(request: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    version = shown.version
    told = version.changes if shown.stamp.tells_changes(version.version) else []
    changes = {"changes": list_changes(told, shown.shows, version=version)}
    laid = shown.lay_out(RankingQuery.read(request.GET.dict()))
    return render(request, "ranking/kinds/tournament.html", shown.context | changes | laid)


@with_ranking(TOURNAMENT)
def tournament_results(_: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    """Return a CSV file with every play of every session, which `manage.py standings` can read."""
    if not shown.stamp.offers_file:
        raise Http404
    name = f"{shown.tournament.slug}-v{shown.version.version}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    file = write_tournament_csv(shown.version)
    return HttpResponse(file, content_type="text/csv; charset=utf-8", headers=headers)
