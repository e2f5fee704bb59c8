"""The director's pages of unpublished figures: the standings, a player's feuille de route, an étui with its rulings.

A director who has still to play an étui sees neither its results nor a ranking that contains them.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from evenings.plays import ruling
from evenings.plays.desk_state import hidden_etuis, plays_in
from evenings.reference import is_alone
from evenings.sessions.lots import draw_in_force, draw_lots, equals_of, take_back_lots
from evenings.standings.computing import is_session_fresh
from pages.acting import done, refusals_in, signed
from pages.desk.ruling_forms import EtuiRulingForm
from pages.doors import ACTION, Phase, author, session_page, session_url
from pages.links import Links
from pages.parts.etui import etui_page
from pages.parts.member_feuille import is_member_number, list_member_rows, member_page
from pages.preview import PreviewedWord, is_applied, read_seen, show_preview
from pages.ranking_pages import RankingQuery, ranking_page
from pages.report_pages import feuille_page
from rankings.publication import building
from rankings.publication.report import PlayedEvening, read_for_directors
from scoring.ties import TieBreak
from tournaments.models import Etui, Session
from tournaments.permissions import Can, require_found

LIVE_PAGES = {"ranking": "standings", "feuille": "live_feuille", "etui": "live_etui", "play": "play"}


def live_context(session: Session, report: PlayedEvening) -> dict[str, Any]:
    tournament = session.tournament
    where = {"club": tournament.club.slug, "tournament": tournament.slug, "number": session.number}
    return {"session": session, "report": report, "links": Links(LIVE_PAGES, where), "fresh": is_session_fresh(session)}


def hidden_page(request: HttpRequest, session: Session) -> HttpResponse:
    """Show a page that says why these figures are hidden: the director plays and has étuis left to play."""
    context = {"session": session, "plays_in": plays_in(session, author(request))}
    return render(request, "desk/hidden.html", context)


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def standings(request: HttpRequest, session: Session) -> HttpResponse:
    if hidden_etuis(session, request.user):
        return hidden_page(request, session)
    report = read_for_directors(require_found(building.read_live_ranking(session)))
    table = ranking_page(
        report, RankingQuery.read(request.GET.dict()), alone=report.ranking.shape.lines and is_alone(session)
    )
    scored = report.data.counts.get("scored") if report.data.format.has_free_deals else report.data.topped
    context = live_context(session, report) | {"begun": bool(scored)} | table | lots_context(session, report)
    return render(request, "desk/standings.html", context)


def lots_context(session: Session, report: PlayedEvening) -> dict[str, Any]:
    """Return template values for the drawing of lots, or {} if this tournament does not break ties by lots.

    `equal` is the number of players who share a rank. `lots` is true if a draw is in force.
    """
    if TieBreak.DRAW not in session.tournament.ties:
        return {}
    equals = equals_of({player.id: player.rank_general for player in report.players})
    return {"equal": sum(map(len, equals)), "lots": bool(draw_in_force(session))}


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def live_feuille(request: HttpRequest, session: Session, entrant: int) -> HttpResponse:
    report = read_for_directors(require_found(building.feuille(session, entrant)))
    player = require_found(report.player(entrant))
    if hidden_etuis(session, request.user):
        return hidden_page(request, session)
    context = live_context(session, report)
    if is_member_number(request.GET.get("member", "")):
        mine = require_found(member_page(report, player, int(request.GET["member"])))
        return render(request, "desk/live_feuille.html", context | mine)
    page = feuille_page(report, player) | {"member_rows": list_member_rows(report, player)}
    return render(request, "desk/live_feuille.html", context | page)


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def live_etui(request: HttpRequest, session: Session, etui: int) -> HttpResponse:
    # A deal's number is no étui if each table has its own cards.
    if session.deal_set is not None and session.deal_set.free:
        return redirect(session_url("sheets", session))
    plays = ruling.plays_of(session, etui)
    form = EtuiRulingForm(plays, ruling.split_positions(plays))
    return live_etui_page(request, session, etui, form)


def live_etui_page(request: HttpRequest, session: Session, etui: int, form: EtuiRulingForm) -> HttpResponse:
    report = read_for_directors(require_found(building.etui(session, etui)))
    shown = require_found(report.etui(etui))
    if Etui.objects.filter(pk__in=hidden_etuis(session, request.user), number=etui).exists():
        return hidden_page(request, session)
    context = live_context(session, report) | etui_page(report, shown, of=None, part=request.GET.get("part", ""))
    rulings = list(session.etui_rulings.filter(etui__number=etui).select_related("author").order_by("-id"))
    context |= {
        "form": form,
        "ruling": ruling.etui_ruling(session, etui),
        "rulings": rulings,
        "seen": rulings[0].pk if rulings else 0,
    }
    return render(request, "desk/live_etui.html", context)


@session_page(Can.DIRECT, ACTION, phase=Phase.BEGUN)
def etui_rule(request: HttpRequest, session: Session, etui: int) -> HttpResponse:
    """Annul, split or restore the étui, by the button pressed."""
    plays = ruling.plays_of(session, etui)
    form = EtuiRulingForm(plays, ruling.split_positions(plays), request.POST)
    kind = request.POST.get("kind", "")
    if not form.is_valid():
        return live_etui_page(request, session, etui, form)
    given = form.cleaned_data
    said: dict[str, Any] = {name: given[name] for name in ("reason", "article")}
    said |= {"session_id": session.pk, "etui": etui, "seen_ruling": read_seen(request), **signed(request)}
    words: dict[str, tuple[str, str, Callable[[], object]]] = {
        "split": (
            _("Compare étui %(etui)s separately?"),
            _("Its plays before and after are compared separately."),
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
    title, text, rule = words.get(kind) or words["annul"]
    here = session_url("live_etui", session, etui)
    with refusals_in(form):
        if not is_applied(request):
            return show_preview(request, session, rule, PreviewedWord(title % {"etui": etui}, here))
        rule()
        return done(request, text, here)
    return live_etui_page(request, session, etui, form)


@session_page(Can.DIRECT, ACTION, phase=Phase.BEGUN, back="standings")
def lots_draw(request: HttpRequest, session: Session) -> HttpResponse:
    draw_lots(session_id=session.pk, **signed(request))
    text = _("Lots are drawn: the log has their order, and the ranking follows it.")
    return done(request, text, session_url("standings", session))


@session_page(Can.DIRECT, ACTION, phase=Phase.BEGUN, back="standings")
def lots_back(request: HttpRequest, session: Session) -> HttpResponse:
    reason = request.POST.get("reason", "")
    take_back_lots(session_id=session.pk, reason=reason, **signed(request))
    text = _("The draw is cancelled: tied players share their rank again.")
    return done(request, text, session_url("standings", session))
