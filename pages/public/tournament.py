"""The public pages of the ranking of a tournament of several sessions.

They are cached like the pages of a session's publication, and become stale for the same reasons.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from pages.parts.version_rows import show_versions
from pages.public.published import ANY, Known, answer_readers, is_reader, show_in_club
from pages.ranking_pages import OVER_SESSIONS, PAGE_SORTS, PARTS, RankingQuery, tournament_ranking
from rankings.events.publishing import TournamentStamp, find_published_tournament, look_up_tournament
from rankings.events.report import read_tournament_report
from rankings.events.standings_file import write_tournament_csv
from rankings.publication.differences import list_changes
from tournaments.models import Tournament, TournamentPublication
from tournaments.permissions import Can, get_tournament_for
from tournaments.published import Shows

View = Callable[..., HttpResponse]
SHOWN = Shows()


def with_tournament(**known: Known) -> Callable[[View], View]:
    """Return a decorator for `view(request, publication, stamp)`, which is called only if the page must be built.

    `known` has the query parameters that change the page, as in `with_publication`.
    """

    def decorate(view: View) -> View:
        @require_safe
        @wraps(view)
        def find(request: HttpRequest, club: str, tournament: str, version: int | None = None) -> HttpResponse:
            stamp = look_up_tournament(club, tournament, version)
            if stamp is None or stamp.practice or stamp.withdrawn or stamp.held_back:
                found = get_tournament_for(request.user, Can.READ, club__slug=club, slug=tournament)
                if stamp is None and version is not None:
                    raise Http404
                if stamp is None or stamp.withdrawn or stamp.held_back:
                    return say_why_not(request, found, stamp)

            def build(request: HttpRequest) -> HttpResponse:
                rows = TournamentPublication.objects.select_related("tournament__club__house")
                publication = rows.get(pk=stamp.publication)
                return show_in_club(publication.tournament.club, lambda: view(request, publication, stamp))

            find_stamp = partial(find_published_tournament, club, tournament, version)
            return answer_readers(request, stamp, build, known, find_stamp)

        return find

    return decorate


def say_why_not(request: HttpRequest, tournament: Any, stamp: TournamentStamp | None) -> HttpResponse:
    """Show a page that says why the ranking cannot be read.

    Nothing is published yet, the ranking was withdrawn, or readers may not see the ranking of one of its sessions.
    """
    context: dict[str, Any] = {"tournament": tournament, "club": tournament.club, "stamp": stamp}
    if stamp is not None and stamp.withdrawn:
        context["withdrawal"] = tournament.publications.defer("data", "frozen").get(version=stamp.withdrawn)
        context["replaced"] = stamp.withdrawn != stamp.newest
    with timezone.override(tournament.club.zone):
        response = render(request, "public/tournament_not_published.html", context, status=404)
    patch_cache_control(response, no_cache=True)
    return response


def context_of(publication: TournamentPublication, stamp: TournamentStamp) -> dict[str, Any]:
    place = publication.tournament
    return {"tournament": place, "club": place.club, "publication": publication, "stamp": stamp}


@with_tournament(by=OVER_SESSIONS, sort=PAGE_SORTS, part=PARTS, q=ANY, me=is_reader)
def tournament_page(request: HttpRequest, publication: TournamentPublication, stamp: TournamentStamp) -> HttpResponse:
    report = read_tournament_report(publication.data, publication.sessions)
    told = publication.changes if stamp.tells_changes(publication.version) else []
    changes = list_changes(told, SHOWN, version=publication)
    context = context_of(publication, stamp) | {"changes": changes}
    ranking = tournament_ranking(report, RankingQuery.read(request.GET.dict()))
    return render(request, "public/tournament_ranking.html", context | ranking)


@with_tournament()
def tournament_results(_: HttpRequest, publication: TournamentPublication, stamp: TournamentStamp) -> HttpResponse:
    """Return a CSV file with every play of every session, which `manage.py standings` can read."""
    if not stamp.offers_file:
        raise Http404
    place = publication.tournament
    name = f"{place.slug}-v{publication.version}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(write_tournament_csv(publication), content_type="text/csv; charset=utf-8", headers=headers)


@with_tournament()
def tournament_versions(
    request: HttpRequest, publication: TournamentPublication, stamp: TournamentStamp
) -> HttpResponse:
    place = publication.tournament
    context = context_of(publication, stamp)
    return show_versions(request, place, context, partial(address_of_version, place), held=stamp.held)


def address_of_version(tournament: Tournament, version: int) -> str:
    return reverse("tournament_version", args=[tournament.club.slug, tournament.slug, version])
