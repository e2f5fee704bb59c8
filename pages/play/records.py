"""The page of the record of a play: the director types it from a sheet, corrects it, or chooses another version.

A record contains cards of the étui. So the page shows them only when the director asks for them, and this is logged as
a look.
"""

from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from deals.sets import record_look
from evenings.plays.desk_state import deal_of, record_clashes_of
from evenings.plays.rulings_given import is_altered_before
from evenings.records import choose_record, find_head, store_record, withdraw_record
from pages.acting import done, refusals_told
from pages.doors import FORM, play_page, session_url
from pages.form_fields import ShortTextField
from pages.play.entry import PlayDesk
from referee.records.notation import LONGEST
from referee.records.reading import read_record
from referee.records.values import DealRecord, RecordError
from scoring.contract import find_rules
from tournaments.errors import ActionRefused
from tournaments.models import Play, PlayRecord
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.rules.recorded import find_record_faults, is_only_lead, read_stored_record
from tournaments.words.desk_sentences import CLASHES, DOUBTS
from tournaments.words.messages import say


class RecordForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Record of the cards"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "false", "autocomplete": "off", "class": "exact"}),
        help_text=gettext_lazy("A line for each trick, such as ♠R ♠3 ♠7 ♠1. An incomplete record is a record too."),
    )
    reason = ShortTextField(
        gettext_lazy("Reason"), 300, required=False, help_text=gettext_lazy("Only for a correction.")
    )
    seen_version = forms.IntegerField(required=False, widget=forms.HiddenInput)


@dataclass(frozen=True, slots=True)
class RecordVersion:
    """A version of the record. `faults` are sentences with cards, and `text` has the cards; empty before a look."""

    row: PlayRecord
    cards: int
    lead_only: bool
    text: str = ""
    faults: tuple[str, ...] = ()


@play_page(Can.DIRECT, FORM)
def play_record(request: HttpRequest, play: Play) -> HttpResponse:
    if not play.etui.dealer:  # the site does not know who dealt which cards
        return redirect(session_url("play", play.session, play.pk))
    desk = PlayDesk(request, play)
    if desk.current is None or not desk.open:  # the play's page says why
        return redirect(desk.at["play"])
    action = request.POST.get("do", "") if request.method == "POST" else ""
    if action == "show":
        etui, now = play.etui, timezone.now()
        record_look(deal_set=etui.deal_set, user=desk.user, first=etui.number, last=etui.number, now=now)
        return show_record_page(desk, shown=True)
    if action in ("choose", "drop"):
        return change(desk, action)
    if request.method != "POST":
        return show_record_page(desk)
    form = RecordForm(request.POST)
    if not form.is_valid():
        return show_record_page(desk, form=form)
    given = form.cleaned_data
    try:
        store_record(
            play_id=play.pk,
            compose=lambda _head: read_record(given["text"]),
            by=desk.user,
            now=timezone.now(),
            seen_version=given["seen_version"],
            reason=given["reason"],
        )
    except (RecordError, ActionRefused) as error:
        field = "reason" if getattr(error, "field", "") == "reason" else "text"
        form.add_error(field, say(error))
        return show_record_page(desk, form=form)
    return done(request, _("The record is saved."), desk.at["play_record"])


def change(desk: PlayDesk, action: str) -> HttpResponse:
    """Make another version count, or none, and show the page again."""
    post, said = desk.request.POST, {"play_id": desk.play.pk, "by": desk.user, "now": timezone.now()}
    seen = read_number(post, "seen_version")
    with refusals_told(desk.request):
        if action == "choose":
            version, reason = read_number(post, "version") or 0, post.get("reason", "")[:300]
            choose_record(version=version, seen_version=seen, reason=reason, **cast(Any, said))
            messages.success(desk.request, _("This version counts now."))
        else:
            withdraw_record(seen_version=seen or 0, **cast(Any, said))
            messages.success(desk.request, _("No record counts now. All versions are kept."))
    return redirect(desk.at["play_record"])


def show_record_page(desk: PlayDesk, *, form: RecordForm | None = None, shown: bool = False) -> HttpResponse:
    rows = list(desk.play.records.select_related("author").order_by("-version"))
    current = next((row for row in rows if row.current), None)
    if form is None:
        text = current.text if current is not None and shown else write_head(desk)
        form = RecordForm(initial={"text": text, "seen_version": current and current.version})
    response = desk.page(
        "play/record.html",
        form=form,
        shown=shown,
        counting=current,
        versions=[describe_version(desk, row, shown=shown) for row in rows],
        doubts=say_record_doubts(desk),
    )
    response["Cache-Control"] = "no-store"
    return response


def write_head(desk: PlayDesk) -> str:
    """Return the first lines of a record, which follow from the result, or "" if they are not known."""
    try:
        head = find_head(desk.play, desk.current)
    except ActionRefused:
        return ""
    chelem = f"chelem {head.taker}\n" if head.chelem else ""
    return f"record {head.players}\ndealer {head.dealer}\ntaker {head.taker} {head.contract}\n{chelem}"


def describe_version(desk: PlayDesk, row: PlayRecord, *, shown: bool) -> RecordVersion:
    record = read_stored_record(row.text)
    version = RecordVersion(row, len(record.cards), is_only_lead(record))
    if not shown:
        return version
    return RecordVersion(row, version.cards, version.lead_only, row.text, tuple(map(say, faults_of(desk, record))))


def faults_of(desk: PlayDesk, record: DealRecord) -> tuple[Any, ...]:
    """Return the breaches of the rules of play in a record."""
    known = "" if is_altered_before(desk.play) else desk.play.etui.cards
    return find_record_faults(record, deal_of(known) if known else None, find_rules(desk.play.session.tournament.rules))


def say_record_doubts(desk: PlayDesk) -> list[str]:
    """Return the sentences about what is doubtful in the records of a play. They name no card."""
    rows = list(desk.play.records.order_by("version"))
    current = next((row for row in rows if row.current), None)
    if desk.current is None or current is None:
        return []
    found = record_clashes_of(desk.play, desk.current, current, altered=is_altered_before(desk.play))
    said = [str(CLASHES[clash.code]) for clash in found]
    if any(row.contested and row.version > last_decided(rows) for row in rows):
        said.append(str(DOUBTS["records"]))
    if faults_of(desk, read_stored_record(current.text)):
        said.append(str(DOUBTS["faults"]))
    return said


def last_decided(rows: list[PlayRecord]) -> int:
    """Return the number of the newest version that an account stored or chose, or 0.

    Older versions were checked at that moment.
    """
    return max((row.version for row in rows if row.author_id is not None), default=0)
