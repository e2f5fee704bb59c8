"""The page of the penalties, bonuses and warnings that a club's arbiters often give: add, change and remove them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clubs.models import Club
from evenings.plays.penalties import keep_usual, remove_usual
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, club_page
from pages.penalty_forms import UsualPenaltyForm, start_of
from tournaments.numbers import read_number
from tournaments.permissions import Can


@club_page(Can.DIRECT, real=True)
def usual_penalties(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the list with a form. The form changes the entry in `?change=`, or adds an entry."""
    changed = read_number(request.GET, "change")
    usual = club.usual_penalties.filter(pk=changed).first()
    form = UsualPenaltyForm(request.POST or None, initial=start_of(usual) if usual else None)
    if form.is_valid():
        with refusals_in(form):
            reason = form.cleaned_data["reason"]
            keep_usual(club=club, usual_id=changed or None, sanction=form.sanction, reason=reason, **signed(request))
            return done(request, _("The list of usual penalties is saved."), "usual_penalties", club.slug)
    context = {"club": club, "form": form, "usual": club.usual_penalties.all(), "changed": changed}
    return render(request, "club/usual_penalties.html", context)


@club_page(Can.DIRECT, ACTION, back="usual_penalties")
def usual_remove(request: HttpRequest, club: Club, usual: int) -> HttpResponse:
    remove_usual(club=club, usual_id=usual, **signed(request))
    text = _("It has been removed from the list. What was given with it still applies.")
    return done(request, text, "usual_penalties", club.slug)
