"""Pages that everybody may read: clubs and their tournaments, what is published, the rules and their calculator.

A publication's figures are read through its `Report` alone. Its pages are the same for every reader who is not logged
in, so their ETag is the publication's digest, the newest version, the version of the names, the language, and the
site's own version.
"""

import datetime as dt
import hashlib
from collections.abc import Callable
from functools import cache, cached_property, wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from clubs.models import Club
from tournaments.models import Publication, Session
from tournaments.permissions import Can, get_club_for, get_publication, get_session_for, get_tournament_for, power_of
from tournaments.publication.newest import latest_publications, latest_published_session
from tournaments.publication.report import Report, read_report
from tournaments.publication.standings_file import results_csv
from tournaments.sessions.lists import sessions_with_states, tournaments_of
from tournaments.sessions.put_away import sessions_with_results
from tournaments.web.links import Links
from tournaments.web.public.calculator import FIELDS, CalculatorForm
from tournaments.web.public.rules_page import rules_page
from tournaments.web.report_pages import board_page, boards_page, feuille_page, ranking_page

PAGES = {"ranking": "ranking_version", "feuille": "feuille", "boards": "boards", "board": "board"}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    context = {"clubs": Club.objects.all(), "publications": latest_publications(5)}
    return render(request, "public/home.html", context)


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    asked = any(name in request.GET for name in FIELDS)
    form = CalculatorForm(request.GET if asked else CalculatorForm.EXAMPLE)
    return render(request, "public/rules.html", {"form": form, **rules_page()})


@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """The answer alone, for the page that asks while its form is being filled in."""
    return render(request, "public/_score.html", {"form": CalculatorForm(request.GET), "live": True})


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    found = get_club_for(request.user, Can.READ, slug=club)
    directs = power_of(request.user, found) >= Can.DIRECT
    context = {
        "club": found,
        "tournaments": tournaments_of(found),
        "latest": latest_published_session(found),
        "directs": directs,
        "away": found.tournaments.exclude(put_away_at=None) if directs else None,
    }
    return render(request, "public/club.html", context)


@require_safe
def tournament(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    found = get_tournament_for(request.user, Can.READ, club__slug=club, slug=tournament)
    context: dict[str, Any] = {
        "club": found.club,
        "tournament": found,
        "sessions": sessions_with_states().filter(tournament=found),
    }
    if power_of(request.user, found.club) >= Can.DIRECT:
        context |= {
            "directs": True,
            "away": sessions_with_states(away=True).filter(tournament=found),
            "deletable": not sessions_with_results().filter(tournament=found).exists(),
        }
    return render(request, "public/tournament.html", context)


@cache
def site_version() -> str:
    """Changes with the templates and catalogues, so that a page kept by a browser does not outlive them."""
    told = hashlib.sha256()
    pages = (settings.BASE_DIR / "templates").rglob("*.html")
    catalogues = (path for folder in settings.LOCALE_PATHS for path in folder.rglob("*.mo"))
    for path in (*sorted(pages), *sorted(catalogues)):
        told.update(path.read_bytes())
    return told.hexdigest()[:12]


class Published:
    """A publication with its session, its report, and where its pages lie."""

    def __init__(self, session: Session, publication: Publication) -> None:
        self.session, self.publication = session, publication
        self.newest: int = publication.newest  # type: ignore[attr-defined]  # annotated
        place = session.tournament
        self.links = Links(
            PAGES,
            {
                "club": place.club.slug,
                "tournament": place.slug,
                "number": session.number,
                "version": publication.version,
            },
        )

    @cached_property
    def report(self) -> Report:
        """Read only for who has not the page already."""
        return read_report(self.publication.data)

    @property
    def context(self) -> dict[str, Any]:
        return {
            "tournament": self.session.tournament,
            "club": self.session.tournament.club,
            "session": self.session,
            "date": dt.date.fromisoformat(self.report.data["date"]),
            "publication": self.publication,
            "newest": self.newest,
            "links": self.links,
        }


def etag(request: HttpRequest, shown: Published, **_: int) -> str | None:
    """None for whoever is logged in: his pages carry his name and the tokens of his forms."""
    if request.user.is_authenticated:
        return None
    names = shown.session.tournament.club.names_version
    return f'"{shown.publication.digest[:32]}-{shown.newest}-{names}-{get_language()}-{site_version()}"'


def with_publication(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Hands the view what is published; answers 304 to a reader who has the page already."""
    answer = condition(etag_func=etag)(view)

    @require_safe
    @cache_control(no_cache=True)
    @wraps(view)
    def find(
        request: HttpRequest, club: str, tournament: str, number: int, version: int | None = None, **more: int
    ) -> HttpResponse:
        where = {"tournament__club__slug": club, "tournament__slug": tournament, "number": number}
        session = get_session_for(request.user, Can.READ, **where)
        try:
            publication = get_publication(session, version)
        except Http404:
            if version is not None:
                raise
            return render(request, "public/not_published.html", {"session": session}, status=404)
        return answer(request, Published(session, publication), **more)

    return find


@with_publication
def ranking(request: HttpRequest, shown: Published) -> HttpResponse:
    table = ranking_page(shown.report, by=request.GET.get("by", ""), wanted=request.GET.get("q", "").strip()[:80])
    versions = shown.session.publications.defer("data").order_by("-version")
    return render(request, "public/ranking.html", {**shown.context, **table, "versions": versions})


@with_publication
def results(_: HttpRequest, shown: Published) -> HttpResponse:
    """Every play in the columns that `manage.py standings` reads, so that anybody can compute the ranking again."""
    name = f"{shown.session.tournament.slug}-{shown.session.number}-v{shown.publication.version}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(results_csv(shown.report), content_type="text/csv; charset=utf-8", headers=headers)


@with_publication
def feuille(request: HttpRequest, shown: Published, entrant: int) -> HttpResponse:
    player = shown.report.player(entrant)
    if player is None:
        raise Http404
    return render(request, "public/feuille.html", {**shown.context, **feuille_page(shown.report, player)})


@with_publication
def boards(request: HttpRequest, shown: Published) -> HttpResponse:
    return render(request, "public/boards.html", {**shown.context, **boards_page(shown.report)})


@with_publication
def board(request: HttpRequest, shown: Published, etui: int) -> HttpResponse:
    found = shown.report.etui(etui)
    if found is None:
        raise Http404
    return render(request, "public/board.html", {**shown.context, **board_page(shown.report, found)})
