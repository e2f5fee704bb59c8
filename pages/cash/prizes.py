"""The page of prizes: the pot, the list, and the prizes by the published ranking."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from pages.acting import done, refusals_in, signed
from pages.cash.forms import PrizePlanForm
from pages.doors import ACTION, FORM, session_page, session_url
from registration.cash.fees import keeps_cash_box
from registration.cash.prizes import find_prize_plan, hand_prize, propose_prizes, save_prize_plan, take_prize_back
from tournaments.models import Session
from tournaments.numbers import parse_number, read_number
from tournaments.permissions import Can
from tournaments.words.messages import say


@session_page(Can.DIRECT, FORM)
def cash_prizes(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the prizes. A POST saves the pot and the list."""
    form = PrizePlanForm(request.POST or None, instance=find_prize_plan(session))
    if form.is_valid():
        with refusals_in(form):
            save_prize_plan(session_id=session.pk, given=form.cleaned_data)
            return done(request, _("The prizes are saved."), session_url("cash_prizes", session))
    elif not form.is_bound and not keeps_cash_box(session.tournament.club):
        return redirect(session_url("cash", session))
    proposal = propose_prizes(session)
    context = {"session": session, "form": form, "proposal": proposal}
    context["unreadable"] = say(proposal.unreadable) if proposal.unreadable else ""
    return render(request, "cash/prizes.html", context)


@session_page(Can.DIRECT, ACTION, back="cash_prizes")
def cash_hand(request: HttpRequest, session: Session) -> HttpResponse:
    """Store that a prize was handed over or, with `back`, that it was given back."""
    seen = request.POST.get("seen", "")
    given: dict[str, Any] = {"player_id": read_number(request.POST, "player"), "seen": parse_number(seen)}
    if "back" in request.POST:
        take_prize_back(session_id=session.pk, **given, **signed(request))
    else:
        hand_prize(session_id=session.pk, **given, **signed(request))
    return redirect(f"{session_url('cash_prizes', session)}#prizes")
