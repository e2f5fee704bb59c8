"""The director's word on one play: confirmed, decided between two versions, annulled, restored, set aside."""

from collections.abc import Callable
from functools import partial, wraps
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
from tournaments.plays.state import AT_THE_TABLE, State
from tournaments.web.doors import ACTION, View, play_page
from tournaments.web.numbers import read_number
from tournaments.web.play.entry import WITHDRAWAL_ID, Desk, blank_form, form_page
from tournaments.web.play.entry_forms import CorrectionForm, WithdrawalForm
from tournaments.web.preview import Word, is_applied, read_seen, show_preview
from tournaments.web.reason import ArticleForm, ReasonForm
from tournaments.words.messages import say

Done = str | Callable[[Desk], str]  # what was done, or what says it of the play as it is then


def ruling(rule: Callable[[Desk], HttpResponse]) -> View:
    """The page of one of the director's words."""

    @play_page(Can.DIRECT, ACTION)
    @wraps(rule)
    def page(request: HttpRequest, play: Play) -> HttpResponse:
        return rule(Desk(request, play))

    return page


def annul_it(desk: Desk) -> HttpResponse:
    done = _("The play is annulled: it counts nowhere until you restore it.")
    return with_reason(desk, annul_play, _("Annul étui %(etui)s at table %(table)s?"), done)


def restore_it(desk: Desk) -> HttpResponse:
    title = _("Take back the ruling on étui %(etui)s at table %(table)s?")
    return with_reason(desk, restore_play, title, say_restored)


def say_restored(desk: Desk) -> str:
    """What holds of a play once a ruling on it is taken back: what was ruled before, or what is entered."""
    state = desk.each.finest
    if state in AT_THE_TABLE:
        return _("The ruling is taken back: the play waits for its result.")
    holds = {
        State.ANNULLED: _("The ruling is taken back: the play is annulled still, and counts nowhere."),
        State.NOT_PLAYED: _("The ruling is taken back: the play is not played, as was said before, and not awaited."),
        State.LATER: _("The ruling is taken back: the play is owed still, and may be played later."),
    }
    return holds.get(state, _("The play counts again."))


def with_reason(desk: Desk, service: Callable[..., object], title: str, done: Done) -> HttpResponse:
    form = ArticleForm(desk.request.POST)
    if not form.is_valid():
        if desk.open:
            return desk.page("play/entered.html", ruling=form)
        if desk.current is not None:
            return desk.page("play/closed.html", ruling=form)
        return form_page(desk, blank_form(desk), ruling=form)
    return weigh(desk, title, done, service, **form.cleaned_data, seen_ruling=read_seen(desk.request))


def weigh(desk: Desk, title: str, done: Done, service: Callable[..., object], **given: Any) -> HttpResponse:
    """What it makes of the ranking, then the ruling itself. On a table's own device, where others look on, at once."""
    if desk.at_table or is_applied(desk.request):
        return carry_out(desk, done, service, **given)
    about = {"etui": desk.play.etui.number, "table": desk.play.table.number, "version": given.get("version")}
    rule = partial(service, play_id=desk.play.pk, by=desk.user, now=timezone.now(), **given)
    return show_preview(desk.request, desk.play.session, rule, Word(title % about, desk.at["play"]))


def set_it_aside(desk: Desk) -> HttpResponse:
    """Not played, to be played later, or waited for after all, by the button pressed."""
    kind = desk.request.POST.get("kind", "")
    if kind == "wait":
        return carry_out(desk, _("The play is waited for again."), to_be_played)
    if kind == "later":
        done = _("The play is owed still, and may be played later.")
        return carry_out(desk, done, not_played, later=True)
    return carry_out(desk, _("This play is no longer awaited."), not_played)


def confirm_it(desk: Desk) -> HttpResponse:
    """The version before the director's eyes stands."""
    seen = read_number(desk.request.POST, "seen_version")
    return carry_out(desk, _("The result is confirmed."), confirm_result, seen_version=seen)


def take_it(desk: Desk) -> HttpResponse:
    """A contested version counts from now on, for the reason given."""
    form = CorrectionForm(desk.request.POST)
    if not form.is_valid():
        messages.error(desk.request, what_is_wrong(form))
        return redirect(desk.at["play"])
    given = form.cleaned_data | {"version": read_number(desk.request.POST, "version")}
    title = _("Let version %(version)s of étui %(etui)s at table %(table)s count?")
    return weigh(desk, title, _("This version counts from now on."), take_contested, **given)


def withdraw_it(desk: Desk) -> HttpResponse:
    """The result is not this play's: it counts no more, and the play waits for its own."""
    if desk.current is not None and not desk.open:
        raise PermissionDenied
    form = WithdrawalForm(desk.request.POST, auto_id=WITHDRAWAL_ID)
    if not form.is_valid():
        if desk.current is not None:
            return desk.page("play/entered.html", withdrawal=form)
        messages.error(desk.request, what_is_wrong(form))
        return redirect(desk.at["play"])
    done = _("The result is withdrawn: the play waits for its own.")
    title = _("Withdraw the result of étui %(etui)s at table %(table)s?")
    return weigh(desk, title, done, withdraw_result, **form.cleaned_data, seen_ruling=read_seen(desk.request))


def what_is_wrong(form: ReasonForm) -> str:
    wrong = [form.errors[name][0] for name in ("reason", "article") if name in form.errors]
    if not wrong or form.has_error("reason", "required"):
        return say(Refused("reason_missing", "reason"))
    return str(wrong[0])


def carry_out(desk: Desk, done: Done, service: Callable[..., object], **given: Any) -> HttpResponse:
    """Back to the play, with what was done."""
    service(play_id=desk.play.pk, by=desk.user, now=timezone.now(), **given)
    messages.success(desk.request, done if isinstance(done, str) else done(desk.afresh()))
    return redirect(desk.at["play"])


RULINGS: dict[str, Callable[[Desk], HttpResponse]] = {
    "annul": annul_it,
    "restore": restore_it,
    "confirm": confirm_it,
    "take": take_it,
    "aside": set_it_aside,
    "withdraw": withdraw_it,
}
annul, restore = ruling(annul_it), ruling(restore_it)
confirm, take = ruling(confirm_it), ruling(take_it)
set_aside, withdraw = ruling(set_it_aside), ruling(withdraw_it)
