"""The director's decision on a match of a knock-out, from the page of the matches."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.changes.match_decisions import decide_match
from tournaments.models import Tournament
from tournaments.permissions import Can
from tournaments.web.doors import ACTION, author, tournament_page
from tournaments.web.numbers import read_number


@tournament_page(Can.DIRECT, ACTION, back="matches")
def match_decide(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Store which team goes on, and go back to the tree."""
    teams = dict(tournament.teams.values_list("number", "pk"))
    winner, loser = (teams.get(read_number(request.POST, name), 0) for name in ("winner", "loser"))
    if read_number(request.POST, "winner") == read_number(request.POST, "loser"):
        loser = teams.get(read_number(request.POST, "other"), 0)
    decide_match(
        tournament_id=tournament.pk,
        winner_id=winner,
        loser_id=loser,
        reason=request.POST.get("reason", ""),
        by=author(request),
        now=timezone.now(),
    )
    messages.success(request, _("The decision is stored."))
    return redirect("matches", tournament.club.slug, tournament.slug)
