"""The page of the penalties, bonuses and warnings that a club's arbiters often give: add, change and remove them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club
from evenings.plays.penalties import keep_usual, remove_usual
from pages.doors import ACTION, author, club_page
from pages.penalty_forms import UsualPenaltyForm, start_of
from tournaments.errors import ActionRefused
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.messages import say


@club_page(Can.DIRECT)
def usual_penalties(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the list with a form. The form changes the entry in `?change=`, or adds an entry."""
    if club.is_practice:
        return redirect("usual_penalties", club.real.slug)
    usual = club.usual_penalties.filter(pk=read_number(request.GET, "change")).first()
    if request.method != "POST":
        return page(request, club, UsualPenaltyForm(initial=start_of(usual) if usual else None))
    form = UsualPenaltyForm(request.POST)
    if not form.is_valid():
        return page(request, club, form)
    try:
        keep_usual(
            club=club,
            usual_id=read_number(request.GET, "change") or None,
            sanction=form.sanction,
            reason=form.cleaned_data["reason"],
            by=author(request),
            now=timezone.now(),
        )
    except ActionRefused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, say(refusal))
        return page(request, club, form)
    messages.success(request, _("The list of usual penalties is saved."))
    return redirect("usual_penalties", club.slug)


def page(request: HttpRequest, club: Club, form: UsualPenaltyForm) -> HttpResponse:
    context = {
        "club": club,
        "form": form,
        "usual": club.usual_penalties.all(),
        "changed": read_number(request.GET, "change"),
    }
    return render(request, "club/usual_penalties.html", context)


@club_page(Can.DIRECT, ACTION, back="usual_penalties")
def usual_remove(request: HttpRequest, club: Club, usual: int) -> HttpResponse:
    remove_usual(club=club, usual_id=usual, by=author(request), now=timezone.now())
    messages.success(request, _("It has been removed from the list. What was given with it still applies."))
    return redirect("usual_penalties", club.slug)
