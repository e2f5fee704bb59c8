"""The page on which a director publishes a tournament's ranking over all sessions, and changes its state later."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from evenings.sessions.lists import sessions_with_states
from pages.acting import done
from pages.doors import ACTION, tournament_page
from pages.parts.ranking_steps import answer_publishing, take_ranking_step
from rankings.events.counting import has_several
from rankings.events.publishing import TOURNAMENT_RANKINGS
from tournaments.models import Tournament
from tournaments.permissions import Can


@tournament_page(Can.DIRECT)
def tournament_publish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show which sessions are included and which are not. A POST publishes the ranking.

    If the published ranking is official, a reason is required, unless only further sessions are added.
    """
    text = _("Published: everybody can read the tournament ranking.")
    published = (text, "tournament_ranking", tournament.club.slug, tournament.slug)
    answer = answer_publishing(request, TOURNAMENT_RANKINGS, tournament, published)
    if isinstance(answer, HttpResponse):
        return answer
    context = answer | {
        "club": tournament.club,
        "tournament": tournament,
        "several": has_several(tournament.pk),
        "sessions": sessions_with_states().filter(tournament=tournament).order_by("number"),
    }
    return render(request, "desk/end/tournament_publish.html", context)


@tournament_page(Can.DIRECT, ACTION, back="tournament_publish")
def tournament_step(request: HttpRequest, tournament: Tournament, step: str) -> HttpResponse:
    """Change the published ranking: make it "official", "reopen" or "withdraw" it. The last two steps need a reason."""
    text = take_ranking_step(request, TOURNAMENT_RANKINGS, step, tournament.pk)
    return done(request, text, "tournament_publish", tournament.club.slug, tournament.slug)
