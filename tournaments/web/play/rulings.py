"""The director's word on one play: confirmed, decided between two versions, annulled, restored, set aside."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.models import Play
from tournaments.permissions import Can
from tournaments.plays.entering import annul_play, not_played, restore_play, to_be_played, withdraw_result
from tournaments.plays.ruling import confirm_result, take_contested
from tournaments.web.doors import ACTION, author, play_page, session_url
from tournaments.web.numbers import read_number
from tournaments.web.play.entry import Desk, blank_form, form_page
from tournaments.web.play.entry_forms import CorrectionForm
from tournaments.web.reason import ReasonForm
from tournaments.words.messages import say


@play_page(Can.DIRECT, ACTION)
def annul(request: HttpRequest, play: Play) -> HttpResponse:
    done = _("The play is annulled: it counts nowhere until you restore it.")
    return with_reason(request, play, annul_play, done)


@play_page(Can.DIRECT, ACTION)
def restore(request: HttpRequest, play: Play) -> HttpResponse:
    return with_reason(request, play, restore_play, _("The play counts again."))


def with_reason(request: HttpRequest, play: Play, service: Callable[..., object], done: str) -> HttpResponse:
    form = ReasonForm(request.POST)
    if not form.is_valid():
        desk = Desk(request, play)
        if desk.open:
            return desk.page("play/entered.html", ruling=form)
        if desk.current is not None:
            return desk.page("play/closed.html", ruling=form)
        return form_page(desk, blank_form(desk), ruling=form)
    reason = form.cleaned_data["reason"]
    return carry_out(request, play, done, service, reason=reason)


@play_page(Can.DIRECT, ACTION)
def set_aside(request: HttpRequest, play: Play) -> HttpResponse:
    """Not played, to be played later, or waited for after all, by the button pressed."""
    kind = request.POST.get("kind", "")
    if kind == "wait":
        return carry_out(request, play, _("The play is waited for again."), to_be_played)
    if kind == "later":
        done = _("The play is owed still, and may be played later.")
        return carry_out(request, play, done, not_played, later=True)
    return carry_out(request, play, _("This play is no longer awaited."), not_played)


@play_page(Can.DIRECT, ACTION)
def confirm(request: HttpRequest, play: Play) -> HttpResponse:
    """The version before the director's eyes stands."""
    seen = read_seen_version(request)
    return carry_out(request, play, _("The result is confirmed."), confirm_result, seen_version=seen)


@play_page(Can.DIRECT, ACTION)
def take(request: HttpRequest, play: Play) -> HttpResponse:
    """A contested version counts from now on, for the reason given."""
    form = CorrectionForm(request.POST)
    if not form.is_valid():
        messages.error(request, what_is_wrong(form))
        return redirect(session_url("play", play.session, play.pk))
    given = form.cleaned_data | {"version": read_number(request.POST, "version")}
    return carry_out(request, play, _("This version counts from now on."), take_contested, **given)


@play_page(Can.DIRECT, ACTION)
def withdraw(request: HttpRequest, play: Play) -> HttpResponse:
    """The result is not this play's: it counts no more, and the play waits for its own."""
    desk = Desk(request, play)
    if desk.current is not None and not desk.open:
        raise PermissionDenied
    form = CorrectionForm(request.POST)
    if not form.is_valid():
        messages.error(request, what_is_wrong(form))
        return redirect(session_url("play", play.session, play.pk))
    done = _("The result is withdrawn: the play waits for its own.")
    return carry_out(request, play, done, withdraw_result, **form.cleaned_data)


def what_is_wrong(form: ReasonForm) -> str:
    if "reason" not in form.errors or form.has_error("reason", "required"):
        return say(Refused("reason_missing", "reason"))
    return str(form.errors["reason"][0])


def read_seen_version(request: HttpRequest) -> int:
    return read_number(request.POST, "seen_version")


def carry_out(
    request: HttpRequest, play: Play, done: str, service: Callable[..., object], **given: Any
) -> HttpResponse:
    """Back to the play, with what was done."""
    service(play_id=play.pk, by=author(request), now=timezone.now(), **given)
    messages.success(request, done)
    return redirect(session_url("play", play.session, play.pk))
