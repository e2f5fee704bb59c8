"""The director's live figures: standings, a player's feuille, an étui's topage with the rulings on it.

A director who has still to play an étui does not see its results, nor a ranking that they are in.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.ties import TieBreak
from tournaments.errors import Refused
from tournaments.models import Etui, Session
from tournaments.permissions import Can, require_found
from tournaments.plays import ruling
from tournaments.plays.desk_state import hidden_etuis, plays_in
from tournaments.publication import live
from tournaments.publication.report import Report, read_for_directors
from tournaments.sessions.lots import draw_in_force, draw_lots, equals_of, take_back_lots
from tournaments.standings.computing import is_fresh
from tournaments.web.desk.ruling_forms import EtuiRulingForm
from tournaments.web.doors import ACTION, Phase, author, session_page, session_url
from tournaments.web.links import Links
from tournaments.web.parts.board import board_page
from tournaments.web.preview import Word, is_applied, read_seen, show_preview
from tournaments.web.ranking_pages import Asked, ranking_page
from tournaments.web.report_pages import feuille_page
from tournaments.words.messages import say

LIVE_PAGES = {"ranking": "standings", "feuille": "live_feuille", "board": "live_board", "play": "play"}


def live_context(session: Session, report: Report) -> dict[str, Any]:
    tournament = session.tournament
    where = {"club": tournament.club.slug, "tournament": tournament.slug, "number": session.number}
    return {"session": session, "report": report, "links": Links(LIVE_PAGES, where), "fresh": is_fresh(session)}


def hidden_page(request: HttpRequest, session: Session) -> HttpResponse:
    """What stands in the place of figures that the director who plays does not want to know."""
    context = {"session": session, "plays_in": plays_in(session, author(request))}
    return render(request, "desk/hidden.html", context)


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def standings(request: HttpRequest, session: Session) -> HttpResponse:
    if hidden_etuis(session, request.user):
        return hidden_page(request, session)
    report = read_for_directors(require_found(live.ranking(session)))
    table = ranking_page(report, Asked.read(request.GET.dict()))
    return render(request, "desk/standings.html", live_context(session, report) | table | lots_context(session, report))


def lots_context(session: Session, report: Report) -> dict[str, Any]:
    """Where lots tell equals apart: how many share a rank still, and whether some were drawn."""
    if TieBreak.DRAW not in session.tournament.ties:
        return {}
    return {"equal": sum(map(len, equals_of(report.players))), "lots": bool(draw_in_force(session))}


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def live_feuille(request: HttpRequest, session: Session, entrant: int) -> HttpResponse:
    report = read_for_directors(require_found(live.feuille(session, entrant)))
    player = require_found(report.player(entrant))
    if hidden_etuis(session, request.user):
        return hidden_page(request, session)
    return render(request, "desk/live_feuille.html", live_context(session, report) | feuille_page(report, player))


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def live_board(request: HttpRequest, session: Session, etui: int) -> HttpResponse:
    plays = ruling.plays_of(session, etui)
    form = EtuiRulingForm(plays, ruling.split_positions(plays))
    return board_view(request, session, etui, form)


def board_view(request: HttpRequest, session: Session, etui: int, form: EtuiRulingForm) -> HttpResponse:
    report = read_for_directors(require_found(live.board(session, etui)))
    shown = require_found(report.etui(etui))
    if Etui.objects.filter(pk__in=hidden_etuis(session, request.user), number=etui).exists():
        return hidden_page(request, session)
    context = live_context(session, report) | board_page(report, shown, of=None, part=request.GET.get("part", ""))
    rulings = list(session.etui_rulings.filter(etui__number=etui).select_related("author").order_by("-id"))
    context |= {
        "form": form,
        "ruling": ruling.etui_ruling(session, etui),
        "rulings": rulings,
        "seen": rulings[0].pk if rulings else 0,
    }
    return render(request, "desk/live_board.html", context)


@session_page(Can.DIRECT, ACTION, phase=Phase.BEGUN)
def etui_rule(request: HttpRequest, session: Session, etui: int) -> HttpResponse:
    """The étui annulled, split or restored, by the button pressed."""
    plays = ruling.plays_of(session, etui)
    form = EtuiRulingForm(plays, ruling.split_positions(plays), request.POST)
    kind = request.POST.get("kind", "")
    if not form.is_valid():
        return board_view(request, session, etui, form)
    given = form.cleaned_data
    said: dict[str, Any] = {name: given[name] for name in ("reason", "article")}
    said |= {"by": author(request), "now": timezone.now(), "seen_ruling": read_seen(request)}
    said |= {"session_id": session.pk, "etui": etui}
    words: dict[str, tuple[str, str, Callable[[], object]]] = {
        "split": (
            _("Compare étui %(etui)s apart?"),
            _("Its plays before and after are compared apart."),
            partial(ruling.split_etui, from_position=given["from_position"] or 0, before=given["before"], **said),
        ),
        "restore": (
            _("Restore étui %(etui)s?"),
            _("The étui counts as a whole again."),
            partial(ruling.restore_etui, **said),
        ),
        "annul": (
            _("Annul étui %(etui)s for everybody?"),
            _("The étui is annulled: it counts for nobody until you restore it."),
            partial(ruling.annul_etui, **said),
        ),
    }
    title, done, rule = words.get(kind) or words["annul"]
    board = session_url("live_board", session, etui)
    try:
        if not is_applied(request):
            return show_preview(request, session, rule, Word(title % {"etui": etui}, board))
        rule()
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, say(refusal))
        return board_view(request, session, etui, form)
    messages.success(request, done)
    return redirect(board)


@session_page(Can.DIRECT, ACTION, phase=Phase.BEGUN, back="standings")
def lots_draw(request: HttpRequest, session: Session) -> HttpResponse:
    draw_lots(session_id=session.pk, by=author(request), now=timezone.now())
    messages.success(request, _("Lots are drawn: the log has their order, and the ranking follows it."))
    return redirect(session_url("standings", session))


@session_page(Can.DIRECT, ACTION, phase=Phase.BEGUN, back="standings")
def lots_back(request: HttpRequest, session: Session) -> HttpResponse:
    reason = request.POST.get("reason", "")
    take_back_lots(session_id=session.pk, reason=reason, by=author(request), now=timezone.now())
    messages.success(request, _("The lots are taken back: equals share their rank again."))
    return redirect(session_url("standings", session))
