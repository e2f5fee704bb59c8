"""The director's pages of a tournament of several sessions.

They show its present ranking, draw lots, publish the ranking over all sessions, and change its state later.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from evenings.plays.desk_state import hidden_etuis
from evenings.sessions.lists import sessions_with_states
from pages.acting import done, signed
from pages.doors import ACTION, READING, author, tournament_page
from pages.parts.ranking_steps import answer_publishing, take_ranking_step
from pages.ranking_pages import RankingQuery, lay_out_ranking
from rankings.events.counting import (
    draw_tournament_lots,
    equals_in,
    has_several,
    is_tournament_fresh,
    read_tournament_draw,
    take_back_tournament_lots,
)
from rankings.events.publishing import TOURNAMENTS
from rankings.events.report import read_tournament
from scoring.ties import TieBreak
from tournaments.models import PlayingDirector, Session, Tournament, TournamentStandings
from tournaments.permissions import Can


@tournament_page(Can.DIRECT, READING)
def tournament_standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the ranking by the results entered so far. Show another page if the director may not see it yet."""
    session = find_hidden(request, tournament)
    if session is not None:
        return render(request, "desk/hidden.html", {"session": session})
    kept = TournamentStandings.objects.filter(tournament=tournament).exclude(computed_at=None).first()
    context = {"tournament": tournament, "club": tournament.club, "several": has_several(tournament.pk)}
    if kept is not None and kept.data["players"]:
        ranking = read_tournament(kept.data, in_public=False)
        laid = lay_out_ranking(ranking, RankingQuery.read(request.GET.dict()))
        context |= {"kept": kept, "fresh": is_tournament_fresh(tournament, kept), **laid}
        if TieBreak.DRAW in tournament.ties:
            context |= {"equal": sum(map(len, equals_in(kept.data))), "lots": bool(read_tournament_draw(tournament))}
    return render(request, "desk/tournament.html", context)


@tournament_page(Can.DIRECT, ACTION, back="tournament_standings")
def tournament_lots_draw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    draw_tournament_lots(tournament_id=tournament.pk, **signed(request))
    text = _("Lots are drawn: the log has their order, and the ranking follows it.")
    return done(request, text, "tournament_standings", tournament.club.slug, tournament.slug)


@tournament_page(Can.DIRECT, ACTION, back="tournament_standings")
def tournament_lots_back(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    take_back_tournament_lots(tournament_id=tournament.pk, reason=request.POST.get("reason", ""), **signed(request))
    text = _("The draw is cancelled: tied players share their rank again.")
    return done(request, text, "tournament_standings", tournament.club.slug, tournament.slug)


@tournament_page(Can.DIRECT)
def tournament_publish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show which sessions are included and which are not. A POST publishes the ranking.

    If the published ranking is official, a reason is required, unless only further sessions are added.
    """
    text = _("Published: everybody can read the tournament ranking.")
    published = (text, "tournament_ranking", tournament.club.slug, tournament.slug)

    def describe(_shown: object) -> dict[str, Any]:
        return {
            "club": tournament.club,
            "tournament": tournament,
            "several": has_several(tournament.pk),
            "sessions": sessions_with_states().filter(tournament=tournament).order_by("number"),
        }

    return answer_publishing(request, TOURNAMENTS, tournament, lambda: published, describe)


@tournament_page(Can.DIRECT, ACTION, back="tournament_publish")
def tournament_step(request: HttpRequest, tournament: Tournament, step: str) -> HttpResponse:
    """Change the published ranking: make it "official", "reopen" or "withdraw" it. The last two steps need a reason."""
    page = ("tournament_publish", tournament.club.slug, tournament.slug)
    return take_ranking_step(request, TOURNAMENTS, step, tournament.pk, *page)


def find_hidden(request: HttpRequest, tournament: Tournament) -> Session | None:
    """Return the first session in which the director still has étuis to play, or None."""
    playing = PlayingDirector.objects.filter(session__tournament=tournament, user=author(request), lifted_at=None)
    sessions = [row.session for row in playing.select_related("session__tournament__club")]
    return next((session for session in sessions if hidden_etuis(session, author(request))), None)
