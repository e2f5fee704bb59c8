"""The published ranking of a tournament of several sessions, for everybody: its pages are kept as those of a session's
publication are, and change with the same things."""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_cache_control
from django.views.decorators.http import require_safe

from tournaments.events.publishing import TournamentStamp, list_versions, look_up
from tournaments.events.report import read_report
from tournaments.events.standings_file import tournament_csv
from tournaments.models import TournamentPublication
from tournaments.permissions import Can, get_tournament_for
from tournaments.publication.changes import list_changes
from tournaments.published import Shows
from tournaments.web.event_pages import tournament_ranking
from tournaments.web.public.published import ANY, KEPT_AS, answer, is_personal
from tournaments.web.report_pages import PARTS

View = Callable[..., HttpResponse]
SHOWN = Shows()


def with_tournament(**known: Collection[str]) -> Callable[[View], View]:
    """`view(request, publication, stamp)`, where the reader has not got the page already and it is not kept. `known` as
    in `with_publication`."""

    def decorate(view: View) -> View:
        @require_safe
        @wraps(view)
        def find(request: HttpRequest, club: str, tournament: str, version: int | None = None) -> HttpResponse:
            stamp = look_up(club, tournament, version)
            if stamp is None or stamp.practice or stamp.withdrawn or stamp.held_back:
                found = get_tournament_for(request.user, Can.READ, club__slug=club, slug=tournament)
                if stamp is None and version is not None:
                    raise Http404
                if stamp is None or stamp.withdrawn or stamp.held_back:
                    return say_why_not(request, found, stamp)

            def build(request: HttpRequest) -> HttpResponse:
                rows = TournamentPublication.objects.select_related("tournament__club")
                publication = rows.get(pk=stamp.publication)
                with timezone.override(publication.tournament.club.zone):
                    return view(request, publication, stamp)

            if stamp.practice:
                response = build(request)
                add_never_cache_headers(response)
                return response
            response = build(request) if is_personal(request) else answer(request, stamp, build, known)
            request.META.pop(KEPT_AS, None)  # the shortcut knows the addresses of sessions alone
            patch_cache_control(response, no_cache=True)
            return response

        return find

    return decorate


def say_why_not(request: HttpRequest, tournament: Any, stamp: TournamentStamp | None) -> HttpResponse:
    """Nothing published yet, taken back, or with a session that readers may not see: why, and no figure."""
    context: dict[str, Any] = {"tournament": tournament, "club": tournament.club, "stamp": stamp}
    if stamp is not None and stamp.withdrawn:
        context["withdrawal"] = tournament.publications.defer("data").get(version=stamp.withdrawn)
        context["replaced"] = stamp.withdrawn != stamp.newest
    with timezone.override(tournament.club.zone):
        response = render(request, "public/tournament_not_published.html", context, status=404)
    patch_cache_control(response, no_cache=True)
    return response


def context_of(publication: TournamentPublication, stamp: TournamentStamp) -> dict[str, Any]:
    place = publication.tournament
    return {"tournament": place, "club": place.club, "publication": publication, "stamp": stamp}


@with_tournament(part=PARTS, q=ANY)
def tournament_page(request: HttpRequest, publication: TournamentPublication, stamp: TournamentStamp) -> HttpResponse:
    report = read_report(publication.data, publication.sessions)
    changes = list_changes(publication.changes, SHOWN) if stamp.tells_changes(publication.version) else []
    context = context_of(publication, stamp) | {"changes": changes}
    return render(request, "public/tournament_ranking.html", context | tournament_ranking(report, request.GET.dict()))


@with_tournament()
def tournament_results(_: HttpRequest, publication: TournamentPublication, stamp: TournamentStamp) -> HttpResponse:
    """Every play of every session, and what was published of them, for `manage.py standings` and for anybody."""
    if not stamp.offers_file:
        raise Http404
    place = publication.tournament
    name = f"{place.slug}-v{publication.version}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(tournament_csv(publication), content_type="text/csv; charset=utf-8", headers=headers)


@with_tournament()
def tournament_versions(
    request: HttpRequest, publication: TournamentPublication, stamp: TournamentStamp
) -> HttpResponse:
    listed = list_versions(publication.tournament)
    withdrawn = max((each.version for each in listed if each.status == each.Status.WITHDRAWN), default=0)
    told = [
        (each, list_changes(each.changes, SHOWN), each.version in stamp.held, stamp.tells_changes(each.version))
        for each in listed
    ]
    context = context_of(publication, stamp) | {"versions": told, "withdrawn": withdrawn}
    return render(request, "public/tournament_versions.html", context)
