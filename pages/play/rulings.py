"""The director's rulings on one play: confirm, choose a version, annul, restore, withdraw, set aside, or adjust."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play, not_played, restore_play, to_be_played, withdraw_result
from evenings.plays.free import find_shown_number
from evenings.plays.ruling import confirm_result, take_contested
from evenings.plays.state import AT_THE_TABLE, PlayState
from pages.acting import done
from pages.doors import ACTION, FORM, View, play_page
from pages.form_fields import ArticleForm, ReasonForm
from pages.play.adjust_forms import AdjustForm
from pages.play.entry import WITHDRAWAL_ID, PlayDesk, blank_form, form_page
from pages.play.entry_forms import CorrectionForm, WithdrawalForm
from pages.play.marks_forms import MarksForm
from pages.preview import PreviewedWord, is_applied, read_seen, show_preview
from scoring.errors import ScoringError
from tournaments.errors import ActionRefused
from tournaments.models import Play
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.rules.entry import EntryError
from tournaments.words.messages import say

Done = str | Callable[[PlayDesk], str]  # a message, or a function that makes it from the play after the ruling


def make_ruling_page(rule: Callable[[PlayDesk], HttpResponse]) -> View:
    """Return a view that only directors can call, by POST. It carries out one ruling on the play in the address."""

    @play_page(Can.DIRECT, ACTION)
    @wraps(rule)
    def page(request: HttpRequest, play: Play) -> HttpResponse:
        return rule(PlayDesk(request, play))

    return page


def annul_it(desk: PlayDesk) -> HttpResponse:
    done = _("The play is annulled: it does not count until you restore it.")
    return with_reason(desk, annul_play, _("Annul étui %(etui)s at table %(table)s?"), done)


def restore_it(desk: PlayDesk) -> HttpResponse:
    title = _("Withdraw the ruling on étui %(etui)s at table %(table)s?")
    return with_reason(desk, restore_play, title, say_restored)


def say_restored(desk: PlayDesk) -> str:
    """Return the message for a ruling that was withdrawn.

    The message says which state the play has now. An earlier ruling may still be in force.
    """
    state = desk.each.finest
    if state in AT_THE_TABLE:
        return _("The ruling is withdrawn: the play needs a result.")
    holds = {
        PlayState.ANNULLED: _("The ruling is withdrawn: the play is still annulled, and does not count."),
        PlayState.NOT_PLAYED: _(
            "The ruling is withdrawn: the play is marked as not played again, and no result is expected."
        ),
        PlayState.LATER: _("The ruling is withdrawn: the play is still expected, and may be played later."),
    }
    return holds.get(state, _("The play counts again."))


def with_reason(desk: PlayDesk, service: Callable[..., object], title: str, done: Done) -> HttpResponse:
    form = ArticleForm(desk.request.POST)
    if not form.is_valid():
        if desk.open:
            return desk.page("play/entered.html", ruling=form)
        if desk.current is not None:
            return desk.page("play/closed.html", ruling=form)
        return form_page(desk, blank_form(desk), ruling=form)
    return weigh(desk, title, done, service, **form.cleaned_data, seen_ruling=read_seen(desk.request))


def weigh(desk: PlayDesk, title: str, done: Done, service: Callable[..., object], **given: Any) -> HttpResponse:
    """Show how the ruling would change the ranking or, after the director has seen this, carry the ruling out.

    On a table's own device, where the players can see the screen, carry it out at once.
    """
    if desk.at_table or is_applied(desk.request):
        return carry_out(desk, done, service, **given)
    about = {"etui": desk.play.etui.number, "table": desk.play.table.number, "version": given.get("version")}
    rule = partial(service, play_id=desk.play.pk, by=desk.user, now=timezone.now(), **given)
    return show_preview(desk.request, desk.play.session, rule, PreviewedWord(title % about, desk.at["play"]))


def set_it_aside(desk: PlayDesk) -> HttpResponse:
    """Mark the play as not played, as to be played later, or as expected again. The button pressed decides which."""
    kind = desk.request.POST.get("kind", "")
    if kind == "wait":
        return carry_out(desk, _("The play is expected again."), to_be_played)
    if kind == "later":
        done = _("The play is still expected, and may be played later.")
        return carry_out(desk, done, not_played, later=True)
    return carry_out(desk, _("This play is no longer expected."), not_played)


def confirm_it(desk: PlayDesk) -> HttpResponse:
    """Confirm the version of the result that the director has seen."""
    seen = read_number(desk.request.POST, "seen_version")
    return carry_out(desk, _("The result is confirmed."), confirm_result, seen_version=seen)


def take_it(desk: PlayDesk) -> HttpResponse:
    """Let another version of the result count from now on. A reason is required."""
    form = CorrectionForm(desk.request.POST)
    if not form.is_valid():
        messages.error(desk.request, what_is_wrong(form))
        return redirect(desk.at["play"])
    given = form.cleaned_data | {"version": read_number(desk.request.POST, "version")}
    title = _("Let version %(version)s of étui %(etui)s at table %(table)s count?")
    return weigh(desk, title, _("This version counts from now on."), take_contested, **given)


def withdraw_it(desk: PlayDesk) -> HttpResponse:
    """Withdraw a result that belongs to another play. It no longer counts. The play then waits for its own result."""
    if desk.current is not None and not desk.open:
        raise PermissionDenied
    form = WithdrawalForm(desk.request.POST, auto_id=WITHDRAWAL_ID)
    if not form.is_valid():
        if desk.current is not None:
            return desk.page("play/entered.html", withdrawal=form)
        messages.error(desk.request, what_is_wrong(form))
        return redirect(desk.at["play"])
    done = _("The result is withdrawn: the play needs another.")
    title = _("Withdraw the result of étui %(etui)s at table %(table)s?")
    return weigh(desk, title, done, withdraw_result, **form.cleaned_data, seen_ruling=read_seen(desk.request))


def what_is_wrong(form: ReasonForm) -> str:
    wrong = [form.errors[name][0] for name in ("reason", "article") if name in form.errors]
    if not wrong or form.has_error("reason", "required"):
        return say(ActionRefused("reason_missing", "reason"))
    return str(wrong[0])


def carry_out(desk: PlayDesk, done: Done, service: Callable[..., object], **given: Any) -> HttpResponse:
    """Call the service, then redirect to the play with a message."""
    service(play_id=desk.play.pk, by=desk.user, now=timezone.now(), **given)
    messages.success(desk.request, done if isinstance(done, str) else done(desk.afresh()))
    return redirect(desk.at["play"])


RULINGS: dict[str, Callable[[PlayDesk], HttpResponse]] = {
    "annul": annul_it,
    "restore": restore_it,
    "confirm": confirm_it,
    "take": take_it,
    "aside": set_it_aside,
    "withdraw": withdraw_it,
}
annul, restore = make_ruling_page(annul_it), make_ruling_page(restore_it)
confirm, take = make_ruling_page(confirm_it), make_ruling_page(take_it)
set_aside, withdraw = make_ruling_page(set_it_aside), make_ruling_page(withdraw_it)


PLACES = {"base_score": "figure", "reason": "reason", "taker": "taker", "partner": "partner"}


@play_page(Can.DIRECT, FORM)
def play_adjust(request: HttpRequest, play: Play) -> HttpResponse:
    desk = PlayDesk(request, play)
    if desk.each.closed:  # the play's page says why
        return redirect(desk.at["play"])
    form_class: type[AdjustForm | MarksForm] = MarksForm if play.session.tournament.deals_freely else AdjustForm
    template = "rulings/adjust_marks.html" if form_class is MarksForm else "rulings/adjust.html"
    if request.method != "POST":
        initial = form_class.of(desk.rulings[0]) if desk.adjusted else None
        return desk.page(template, form=form_class(play, initial=initial))
    form = form_class(play, request.POST)
    if not form.is_valid():
        return desk.page(template, form=form)
    rule = partial(
        adjust_play,
        play_id=play.pk,
        seen_ruling=read_seen(request),
        by=desk.user,
        now=timezone.now(),
        **form.told,
    )
    try:
        if not is_applied(request):
            title = _("Decide étui %(etui)s at table %(table)s in this way?")
            if form_class is MarksForm:
                title = _("Decide deal %(etui)s at table %(table)s in this way?")
            about = {"etui": find_shown_number(play), "table": play.table.number}
            word = PreviewedWord(title % about, desk.at["play_adjust"], " · ".join(form.said))
            return show_preview(request, play.session, rule, word)
        rule()
    except (ActionRefused, ScoringError, EntryError) as error:
        place = PLACES.get(error.field)
        form.add_error(place if place in form.fields else None, say(error))
        return desk.page(template, form=form)
    return done(request, _("The ruling counts until you withdraw it."), desk.at["play"])
