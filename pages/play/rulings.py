"""The director's rulings on one play: confirm, choose a version, annul, restore, withdraw, set aside, or adjust.

The arbiter can give a deal that a table dealt a score or marks of their own. Nothing is compared there, so no note is
fixed. A score belongs to one deal. Where the sheet of a game stands, only the marks of the whole game can be assigned.
"""

from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play, not_played, restore_play, to_be_played, withdraw_result
from evenings.plays.free import find_shown_number
from evenings.plays.ruling import confirm_result, take_contested
from evenings.plays.state import AT_THE_TABLE, PlayState
from pages.acting import done
from pages.doors import ACTION, FORM, View, play_page
from pages.form_fields import ArticleForm, ReasonForm, WholeFigureField
from pages.play.adjust_forms import AdjustForm, ScoreForm
from pages.play.entry import WITHDRAWAL_ID, PlayDesk, blank_form, form_page
from pages.play.entry_forms import ALONE, CorrectionForm, WithdrawalForm
from pages.preview import PreviewedWord, is_applied, read_seen, show_preview
from scoring.errors import ScoringError
from scoring.formats import FREE_DEALS, find_format
from scoring.free import find_turn
from scoring.plays import SEATS
from tournaments.errors import ActionRefused
from tournaments.models import Play, ResultEntry, Ruling
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.rules.entry import EntryError
from tournaments.words.messages import LABELS, say
from tournaments.words.rulings import say_adjusted

FIGURE = forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off", "size": 6})


class MarksForm(ScoreForm):
    """A form for a base score with its taker and partner, or for the marks of each player in `mark_N` and so on."""

    partner = forms.ChoiceField(label=_("Partner"), required=False)
    field_order = ("sign", "figure", "taker", "partner", "reason", "article")
    has_marks = True

    def __init__(self, play: Play, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["figure"].help_text = _("The base score of the deal, not multiplied by the number of defenders.")
        self.play = play
        self.on_sheet = play.entries.filter(current=True, kind=ResultEntry.EntryKind.SHEET).exists()
        seats = {seat: play.seats[seat] for seat in find_turn(play.seats)}
        self.marked = {seat: who for seat, who in seats.items() if self.on_sheet or seat in play.playing_seats}
        for seat, who in self.marked.items():
            self.fields[f"mark_{seat}"] = WholeFigureField(label=who.name, required=False, widget=FIGURE)
        if self.on_sheet:
            for name in ("sign", "figure", "taker", "partner"):
                del self.fields[name]
            return
        names = [(seat, f"{LABELS['letter'][seat]} · {who.name}") for seat, who in play.playing.items()]
        entered = [("", gettext("as it was entered, or nobody"))]
        self.fields["taker"].choices = entered + names  # type: ignore[attr-defined]
        if len(play.playing_seats) == len(SEATS):
            alone = [(ALONE, gettext("the taker played alone"))]
            self.fields["partner"].choices = [("", gettext("nobody")), *names, *alone]  # type: ignore[attr-defined]
        else:
            del self.fields["partner"]

    @property
    def mark_fields(self) -> list[forms.BoundField]:
        return [self[f"mark_{seat}"] for seat in self.marked]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if bool(given.get("sign")) != (given.get("figure") is not None) and "figure" not in self.errors:
            place = None if self.on_sheet else "figure"
            self.add_error(place, gettext("Give both the column and the amount, or neither."))
        self.marks = {seat: mark for seat in self.marked if (mark := given.get(f"mark_{seat}")) is not None}
        if given.get("partner") and given["partner"] == given.get("taker"):
            self.add_error("partner", gettext("The taker is nobody’s partner: choose somebody else, or “alone”."))
        return given

    @property
    def told(self) -> dict[str, Any]:
        """The arguments for the service that saves the adjustment."""
        given = self.cleaned_data
        score = None if not given.get("sign") else given["figure"] * (1 if given["sign"] == "+" else -1)
        taker, partner = given.get("taker", ""), given.get("partner", "")
        return {
            "score": score,
            "taker": taker,
            "partner": self.taker_entered if partner == ALONE and not taker else taker if partner == ALONE else partner,
            "marks": self.marks,
            "reason": given["reason"],
            "article": given["article"],
        }

    @property
    def taker_entered(self) -> str:
        current = self.play.entries.filter(current=True).first()
        return current.taker if current else ""

    @property
    def said(self) -> list[str]:
        """The adjustment as sentences for people."""
        told = {name: value for name, value in self.told.items() if name not in ("reason", "article")}
        names = {seat: who.name for seat, who in self.play.seats.items()}
        return say_adjusted(Ruling(**told), names, find_format(self.play.session.tournament.format))

    @staticmethod
    def of(ruling: Ruling) -> dict[str, Any]:
        """Return the initial values of the form for an adjustment in force."""
        shown: dict[str, Any] = {"taker": ruling.taker}
        shown["partner"] = ALONE if ruling.partner and ruling.partner == ruling.taker else ruling.partner
        if ruling.score is not None:
            shown |= {"sign": "-" if ruling.score < 0 else "+", "figure": abs(ruling.score)}
        return shown | {f"mark_{seat}": mark for seat, mark in ruling.marks.items()}


Done = str | Callable[[PlayDesk], str]  # a message, or a function that makes it from the play after the ruling


def make_ruling_page(rule: Callable[[PlayDesk], HttpResponse]) -> View:
    """Return a view that only directors can call, by POST. It carries out one ruling on the play in the address."""

    @play_page(Can.DIRECT, ACTION)
    @wraps(rule)
    def page(request: HttpRequest, play: Play) -> HttpResponse:
        return rule(PlayDesk(request, play))

    return page


def annul_it(desk: PlayDesk) -> HttpResponse:
    done = gettext("The play is annulled: it does not count until you restore it.")
    return with_reason(desk, annul_play, gettext("Annul étui %(etui)s at table %(table)s?"), done)


def restore_it(desk: PlayDesk) -> HttpResponse:
    title = gettext("Withdraw the ruling on étui %(etui)s at table %(table)s?")
    return with_reason(desk, restore_play, title, say_restored)


def say_restored(desk: PlayDesk) -> str:
    """Return the message for a ruling that was withdrawn.

    The message says which state the play has now. An earlier ruling may still be in force.
    """
    state = desk.each.finest
    if state in AT_THE_TABLE:
        return gettext("The ruling is withdrawn: the play needs a result.")
    holds = {
        PlayState.ANNULLED: gettext("The ruling is withdrawn: the play is still annulled, and does not count."),
        PlayState.NOT_PLAYED: gettext(
            "The ruling is withdrawn: the play is marked as not played again, and no result is expected."
        ),
        PlayState.LATER: gettext("The ruling is withdrawn: the play is still expected, and may be played later."),
    }
    return holds.get(state, gettext("The play counts again."))


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
        return carry_out(desk, gettext("The play is expected again."), to_be_played)
    if kind == "later":
        done = gettext("The play is still expected, and may be played later.")
        return carry_out(desk, done, not_played, later=True)
    return carry_out(desk, gettext("This play is no longer expected."), not_played)


def confirm_it(desk: PlayDesk) -> HttpResponse:
    """Confirm the version of the result that the director has seen."""
    seen = read_number(desk.request.POST, "seen_version")
    return carry_out(desk, gettext("The result is confirmed."), confirm_result, seen_version=seen)


def take_it(desk: PlayDesk) -> HttpResponse:
    """Let another version of the result count from now on. A reason is required."""
    form = CorrectionForm(desk.request.POST)
    if not form.is_valid():
        messages.error(desk.request, what_is_wrong(form))
        return redirect(desk.at["play"])
    given = form.cleaned_data | {"version": read_number(desk.request.POST, "version")}
    title = gettext("Let version %(version)s of étui %(etui)s at table %(table)s count?")
    return weigh(desk, title, gettext("This version counts from now on."), take_contested, **given)


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
    done = gettext("The result is withdrawn: the play needs another.")
    title = gettext("Withdraw the result of étui %(etui)s at table %(table)s?")
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


# By format: the form in which an arbiter adjusts a play, if it is not the usual one.
ADJUST_FORMS: Mapping[str, type[AdjustForm | MarksForm]] = {FREE_DEALS.name: MarksForm}
PLACES = {"base_score": "figure", "reason": "reason", "taker": "taker", "partner": "partner"}


@play_page(Can.DIRECT, FORM)
def play_adjust(request: HttpRequest, play: Play) -> HttpResponse:
    desk = PlayDesk(request, play)
    if desk.each.closed:  # the play's page says why
        return redirect(desk.at["play"])
    form_class = ADJUST_FORMS.get(play.session.tournament.format, AdjustForm)
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
            title = gettext("Decide étui %(etui)s at table %(table)s in this way?")
            if form_class is MarksForm:
                title = gettext("Decide deal %(etui)s at table %(table)s in this way?")
            about = {"etui": find_shown_number(play), "table": play.table.number}
            word = PreviewedWord(title % about, desk.at["play_adjust"], " · ".join(form.said))
            return show_preview(request, play.session, rule, word)
        rule()
    except (ActionRefused, ScoringError, EntryError) as error:
        place = PLACES.get(error.field)
        form.add_error(place if place in form.fields else None, say(error))
        return desk.page(template, form=form)
    return done(request, gettext("The ruling counts until you withdraw it."), desk.at["play"])
