"""The director's decisions between teams, from the page of the matches: who goes on, or who comes first in a league."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from evenings.changes.match_decisions import decide_order
from pages.acting import done, signed
from pages.doors import ACTION, tournament_page
from tournaments.models import Tournament
from tournaments.numbers import parse_number, read_number
from tournaments.permissions import Can


@tournament_page(Can.DIRECT, ACTION, back="matches")
def match_decide(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Store the order of the teams in the form, and go back to the page.

    Each `team` of the form has a `place`. In a form of two teams, the one in `winner` comes first.
    """
    pks = dict(tournament.teams.values_list("number", "pk"))
    numbers = [parse_number(each) for each in request.POST.getlist("team")]
    winner = read_number(request.POST, "winner")
    places = {number: read_number(request.POST, f"place-{number}") for number in numbers}
    order = sorted(numbers, key=lambda number: (number != winner, places[number]))
    known = [pks.get(number, 0) for number in order]
    if not winner and len({*places.values()}) < len(numbers):
        messages.error(request, _("Give each team a place of its own."))
        return redirect("matches", tournament.club.slug, tournament.slug)
    decide_order(tournament_id=tournament.pk, teams=known, reason=request.POST.get("reason", ""), **signed(request))
    return done(request, _("The decision is stored."), "matches", tournament.club.slug, tournament.slug)
