"""A session's page for its three readers, the director's live standings, and publishing.

A stranger sees the date, then the plan, then where the ranking is; a helper what is entered and what is missing; a
director everything. What a helper's page is made of holds no result.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from tournaments.errors import Refused
from tournaments.messages import say
from tournaments.models import Session, SessionStandings
from tournaments.permissions import Can, found, power_of
from tournaments.preparation import Preparation
from tournaments.queue import queue_standings
from tournaments.report import Report, fraction, live
from tournaments.selectors import PlayState, is_fresh, plays_of
from tournaments.services.publishing import is_due, publish_session, publishable_cards
from tournaments.views.access import FORM, author, session_page, session_url
from tournaments.views.links import Links
from tournaments.views.plan import plan_of
from tournaments.views.report_pages import board_page, feuille_page, ranking_page

LIVE_PAGES = {"ranking": "standings", "feuille": "live_feuille", "board": "live_board"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One table in one position: its plays, and how many of them are dealt with."""

    position: int
    table: int
    states: list[PlayState]

    @property
    def total(self) -> int:
        return len(self.states)

    @property
    def missing(self) -> list[PlayState]:
        return [state for state in self.states if state.missing]

    @property
    def done(self) -> int:
        return self.total - len(self.missing)


class Progress:
    """What of a session under way is entered and what is missing, and how fresh its standings are."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.states = plays_of(session)

    @cached_property
    def rows(self) -> list[list[Cell]]:
        """One row a position, one cell a table."""
        cells: dict[tuple[int, int], list[PlayState]] = {}
        for state in self.states:
            cells.setdefault((state.play.position, state.play.table.number), []).append(state)
        rows: dict[int, list[Cell]] = {}
        for (position, table), states in cells.items():
            rows.setdefault(position, []).append(Cell(position, table, states))
        return list(rows.values())

    @property
    def tables(self) -> list[int]:
        return [cell.table for cell in self.rows[0]] if self.rows else []

    @property
    def missing(self) -> int:
        return sum(state.missing for state in self.states)

    @property
    def entered(self) -> int:
        return len(self.states) - self.missing

    @cached_property
    def reached(self) -> int:
        """The last position of which something is entered; the first before anything is."""
        return max((state.play.position for state in self.states if state.entry), default=1)

    @property
    def late(self) -> list[tuple[int, list[Cell]]]:
        """For each position reached, the tables that owe results of it."""
        owing = [(row[0].position, [cell for cell in row if cell.missing]) for row in self.rows[: self.reached]]
        return [(position, cells) for position, cells in owing if cells]

    @property
    def to_come(self) -> int:
        """Results of the positions that nobody has reached."""
        return sum(cell.total - cell.done for row in self.rows[self.reached :] for cell in row)

    @property
    def annulled(self) -> list[PlayState]:
        return [state for state in self.states if state.annulled]

    @property
    def standings(self) -> SessionStandings | None:
        return getattr(self.session, "standings", None)

    @property
    def computing(self) -> bool:
        return not is_fresh(self.session)

    @property
    def stamp(self) -> str:
        """Changes whenever something on the page would."""
        return f"{self.session.results_version}-{self.standings.results_version if self.standings else 0}"

    def cell(self, wanted: str) -> Cell | None:
        """The cell that the address asks for as position-table."""
        return next((cell for row in self.rows for cell in row if f"{cell.position}-{cell.table}" == wanted), None)


@session_page(Can.READ)
def session(request: HttpRequest, session: Session) -> HttpResponse:
    power = power_of(request.user, session.tournament.club)
    context: dict[str, Any] = {"session": session, "directs": power >= Can.DIRECT}
    if session.status == Session.Status.DRAFT:
        if power >= Can.DIRECT:
            context["preparation"] = Preparation(session)
        return render(request, "direct/session_draft.html", context)
    if power < Can.ENTER:
        context |= {"publications": session.publications.exists(), "plan": plan_of(session)}
        return render(request, "direct/session_public.html", context)
    context |= running(session, Progress(session), directs=power >= Can.DIRECT, wanted=request.GET.get("cell", ""))
    return render(request, "direct/session_running.html", context)


@session_page(Can.ENTER)
def progress(request: HttpRequest, session: Session) -> HttpResponse:
    """The part of the desk that changes; 204 where nothing has since the page was made, so that nothing moves."""
    if session.status == Session.Status.DRAFT:
        return HttpResponseClientRedirect(session_url("session", session))
    if not is_fresh(session):
        # Nobody need wait for the sweep, nor for a broker that was away.
        queue_standings(session.pk)
    shown = Progress(session)
    if request.GET.get("seen") == shown.stamp:
        return HttpResponse(status=204)
    directs = power_of(request.user, session.tournament.club) >= Can.DIRECT
    context = running(session, shown, directs=directs, wanted=request.GET.get("cell", ""))
    return render(request, "direct/_progress.html", context)


def running(session: Session, progress: Progress, *, directs: bool, wanted: str) -> dict[str, Any]:
    """What the desk of a session under way is made of; the standings in it only for a director."""
    publications = list(session.publications.defer("data").select_related("published_by"))
    context: dict[str, Any] = {
        "session": session,
        "progress": progress,
        "cell": progress.cell(wanted),
        "publications": publications,
        "directs": directs,
    }
    if directs:
        publishable = bool(progress.entered) and is_due(
            session, publications[0] if publications else None, missing=progress.missing
        )
        context |= {"leaders": leaders(session, progress), "publishable": publishable}
    return context


def leaders(session: Session, progress: Progress) -> list[dict[str, Any]]:
    """The players in the order of the last standings computed, for the director's eyes."""
    data = progress.standings.data if progress.standings else {}
    if not data:
        return []
    entrants = session.entrants.select_related("player").in_bulk()
    return [
        {"entrant": entrants[player["id"]], "rank": player["rank_general"], "overall": fraction(player["overall"])}
        for player in data["players"]
    ]


def live_context(session: Session, report: Report) -> dict[str, Any]:
    tournament = session.tournament
    where = {"club": tournament.club.slug, "tournament": tournament.slug, "number": session.number}
    return {"session": session, "report": report, "links": Links(LIVE_PAGES, where), "progress": Progress(session)}


@session_page(Can.DIRECT)
def standings(request: HttpRequest, session: Session) -> HttpResponse:
    if session.status == Session.Status.DRAFT:
        messages.info(request, say(Refused("session_not_started")))
        return redirect(session_url("session", session))
    report = Report(found(live(session)))
    table = ranking_page(report, by=request.GET.get("by", ""), wanted=request.GET.get("q", "").strip()[:80])
    return render(request, "direct/standings.html", live_context(session, report) | table)


@session_page(Can.DIRECT)
def live_feuille(request: HttpRequest, session: Session, entrant: int) -> HttpResponse:
    report = Report(found(live(session)))
    player = found(report.player(entrant))
    return render(request, "direct/live_feuille.html", live_context(session, report) | feuille_page(report, player))


@session_page(Can.DIRECT)
def live_board(request: HttpRequest, session: Session, etui: int) -> HttpResponse:
    report = Report(found(live(session)))
    board = found(report.etui(etui))
    return render(request, "direct/live_board.html", live_context(session, report) | board_page(report, board))


@session_page(Can.DIRECT, FORM)
def publish(request: HttpRequest, session: Session) -> HttpResponse:
    """What readers will see, then the publication; results that are missing must be agreed to."""
    if session.status == Session.Status.DRAFT:
        messages.error(request, say(Refused("session_not_started")))
        return redirect(session_url("session", session))
    error = ""
    if request.method == "POST":
        agreed = "allow_missing" in request.POST
        try:
            publish_session(session_id=session.pk, by=author(request), now=timezone.now(), allow_missing=agreed)
        except Refused as refusal:
            error = say(refusal)
        else:
            messages.success(request, _("Published: everybody can read the ranking."))
            return redirect(session_url("ranking", session))
    progress = Progress(session)
    numbers = etuis_with_cards(session)
    last = session.publications.defer("data").first()
    due = is_due(session, last, missing=progress.missing)
    context = {
        "session": session,
        "progress": progress,
        "last": last,
        "due": due,
        "error": error,
        "has_cards": bool(numbers),
        "shows_cards": bool(numbers) and bool(publishable_cards(session, missing=progress.missing)),
    }
    return render(request, "direct/publish.html", context)


def etuis_with_cards(session: Session) -> Sequence[int]:
    return list(session.deal_set.etuis.exclude(cards="").values_list("number", flat=True)) if session.deal_set else []


@session_page(Can.READ)
def session_plan(request: HttpRequest, session: Session) -> HttpResponse:
    """The plan to print; public once the session runs."""
    if session.status == Session.Status.DRAFT:
        return redirect(session_url("session", session))
    return render(request, "direct/plan.html", {"session": session, "plan": plan_of(session)})
