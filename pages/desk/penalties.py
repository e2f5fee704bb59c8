"""The page on which a director gives and withdraws penalties, bonuses and warnings, after a preview of the ranking."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from evenings.plays.penalties import give_penalty, take_back_penalty
from pages.acting import done, refusals_in, signed
from pages.desk.ruling_forms import PenaltyForm
from pages.doors import ACTION, FORM, Phase, session_page, session_url
from pages.form_fields import ReasonForm
from pages.penalty_forms import start_of
from pages.preview import PreviewedWord, is_applied, show_preview
from scoring.formats import find_format
from tournaments.models import Penalty, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.rulings import say_weight

GIVEN: Mapping[str, str] = {
    Penalty.PenaltyKind.PENALTY: gettext_noop("%(name)s: the penalty counts from now on, until you withdraw it."),
    Penalty.PenaltyKind.BONUS: gettext_noop("%(name)s: the bonus counts from now on, until you withdraw it."),
    Penalty.PenaltyKind.WARNING: gettext_noop("%(name)s: the warning is recorded. It has no points."),
}
TITLES: Mapping[str, str] = {
    Penalty.PenaltyKind.PENALTY: gettext_noop("Give %(name)s a penalty?"),
    Penalty.PenaltyKind.BONUS: gettext_noop("Give %(name)s a bonus?"),
}
BACK_TITLES: Mapping[str, str] = {
    Penalty.PenaltyKind.PENALTY: gettext_noop("Withdraw the penalty of %(name)s?"),
    Penalty.PenaltyKind.BONUS: gettext_noop("Withdraw the bonus of %(name)s?"),
}


@session_page(Can.DIRECT, FORM, phase=Phase.BEGUN)
def penalties(request: HttpRequest, session: Session) -> HttpResponse:
    form = PenaltyForm(session, request.POST or None, initial=begin(request, session))
    if not form.is_valid():
        return penalties_page(request, session, form)

    def give() -> Penalty:
        return give_penalty(
            session_id=session.pk,
            entrant_id=form.cleaned_data["entrant"].pk,
            sanction=form.sanction,
            reason=form.cleaned_data["reason"],
            seen=form.cleaned_data["seen"],
            **signed(request),
        )

    kind, name = form.sanction.kind, form.cleaned_data["entrant"].name
    with refusals_in(form):
        if kind in TITLES and not is_applied(request):
            about = say_weight(form.sanction, find_format(session.tournament.format))
            title = _(TITLES[kind]) % {"name": name}
            return show_preview(request, session, give, PreviewedWord(title, session_url("penalties", session), about))
        give()
        return done(request, _(GIVEN[kind]) % {"name": name}, session_url("penalties", session))
    return penalties_page(request, session, form)


def begin(request: HttpRequest, session: Session) -> dict[str, Any]:
    """Return the form's initial values: the player named in the address, and the chosen usual penalty of the club."""
    usual = usual_of(session).filter(pk=read_number(request.GET, "usual")).first()
    given = start_of(usual, max(1, session.position)) if usual else {}
    return given | {"entrant": read_number(request.GET, "entrant") or None}


def usual_of(session: Session) -> Any:
    club = session.tournament.club
    return club.real.usual_penalties.all()


@session_page(Can.DIRECT, ACTION, back="penalties")
def penalty_back(request: HttpRequest, session: Session, penalty: int) -> HttpResponse:
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return penalties_page(request, session, PenaltyForm(session), back={"penalty": penalty, "form": form})
    reason = form.cleaned_data["reason"]

    def take_back() -> Penalty:
        return take_back_penalty(session_id=session.pk, penalty_id=penalty, reason=reason, **signed(request))

    given = session.penalties.filter(pk=penalty).select_related("entrant__player", "entrant__stand_in").first()
    if given is not None and given.kind in BACK_TITLES and not is_applied(request):
        title = _(BACK_TITLES[given.kind]) % {"name": given.entrant.name}
        return show_preview(request, session, take_back, PreviewedWord(title, session_url("penalties", session)))
    take_back()
    return done(request, _("Withdrawn: it no longer counts."), session_url("penalties", session))


def penalties_page(
    request: HttpRequest, session: Session, form: PenaltyForm, back: dict[str, Any] | None = None
) -> HttpResponse:
    """Show all penalties, bonuses and warnings, and the form. `back` is a withdrawal that still needs a reason."""
    people = ("entrant__player", "entrant__stand_in", "author", "reversal__author")
    given = list(session.penalties.filter(reverses=None).order_by("-id").select_related(*people))
    context = {
        "session": session,
        "form": form,
        "penalties": [each for each in given if each.kind != Penalty.PenaltyKind.WARNING],
        "warnings": [each for each in given if each.kind == Penalty.PenaltyKind.WARNING],
        "usual": usual_of(session),
        "chosen": read_number(request.GET, "usual"),
        "seen": session.penalties.order_by("-id").values_list("pk", flat=True).first() or 0,
        "back": back,
        "blank": ReasonForm(auto_id=False),
    }
    return render(request, "rulings/penalties.html", context)
