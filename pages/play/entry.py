"""The pages of one play: enter its result, look at it and correct it.

A result is saved only after its author has seen its summary. With the typed result, the form sends the text of the
summary that the page showed. If the two differ, nothing is saved, and the page shows a new summary. With JavaScript the
summary changes while the author types, so one press of the button saves. With the summary of a correction, directors
see who would change rank.
"""

from functools import partial
from typing import Any, Self

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from clubs.models import User
from evenings.plays.desk_state import (
    TO_LOOK_AT,
    UNCONFIRMED,
    DeskPlay,
    desk_plays,
    find_plays_to_look_at,
    hidden_etuis,
)
from evenings.plays.entering import correct_result, enter_result
from evenings.plays.entries import entry_of
from evenings.plays.free import find_leading_seat
from evenings.plays.session_plays import rulings_of
from evenings.requests.asking import ASKER
from evenings.requests.deciding import correct_as_requested
from evenings.standings.preview import preview_ruling
from pages.acting import done, refusals_in
from pages.doors import ACTION, author, play_page, session_url
from pages.form_fields import ArticleForm
from pages.play.entry_forms import (
    FORMS,
    CorrectionForm,
    EntryForm,
    RequestedForm,
    WithdrawalForm,
    initial_attacker,
    initial_of,
    kinds_for,
)
from pages.play.summary import EntryVersion, say_saved, summarise_entry, version_of
from scoring.contract import find_rules
from scoring.formats import find_format
from tournaments.errors import Conflict
from tournaments.models import CorrectionRequest, Play, PlayRecord, ResultEntry, Ruling
from tournaments.numbers import read_number
from tournaments.permissions import Can, may_see_result, power_of
from tournaments.rules.entry import Entry, GameSheet, base_score
from tournaments.words.desk_sentences import CLASHES, DOUBTS
from tournaments.words.messages import say, show_signed
from tournaments.words.rulings import say_doubt
from wording import Refusal

PLAY_PAGES = (
    *("play", "play_preview", "confirm", "take", "aside", "withdraw", "annul", "restore", "play_adjust", "play_record"),
)
TO_SETTLE = TO_LOOK_AT | {UNCONFIRMED}

WITHDRAWAL_ID = "withdraw-%s"  # keeps the ids of these fields apart from those of other forms on the page


class PlayDesk:
    """A play for one reader: its stored results, and the part of them that this reader may see."""

    at_table = False

    def __init__(self, request: HttpRequest, play: Play, user: User | None = None) -> None:
        """Prepare the page. `user` is the author of the rulings if this is not the user who is logged in."""
        self.request, self.play = request, play
        self.user = user or author(request)
        self.power = power_of(self.user, play.session.tournament.club)

    def afresh(self) -> Self:
        """Return a new desk for the same play, which reads the database again."""
        return type(self)(self.request, self.play, self.user)

    @property
    def up(self) -> str:
        """The address of the page that the play belongs to."""
        return session_url("session", self.play.session)

    @property
    def at(self) -> dict[str, str]:
        """The addresses of the play's pages and actions, by name."""
        return {name: session_url(name, self.play.session, self.play.pk) for name in PLAY_PAGES}

    def address_of(self, play: Play) -> str:
        return session_url("play", play.session, play.pk)

    @property
    def directs(self) -> bool:
        return self.power >= Can.DIRECT

    @cached_property
    def at_every_table(self) -> list[DeskPlay]:
        """The étui's plays with their states.

        Only directors get flags, which mark doubtful results. Nobody gets them on a table's own device. Directors who
        play get nothing about étuis that they have still to play.
        """
        user = self.user if self.directs else None
        flags = self.directs and not self.at_table
        return desk_plays(self.play.session, flags=flags, user=user, etui=self.play.etui_id)

    @property
    def each(self) -> DeskPlay:
        return next(each for each in self.at_every_table if each.play.pk == self.play.pk)

    @cached_property
    def others(self) -> list[tuple[DeskPlay, str]]:
        """The results of the étui at the other tables if the director must settle this play, else an empty list."""
        return self.elsewhere if self.settles and not self.at_table else []

    @cached_property
    def elsewhere(self) -> list[tuple[DeskPlay, str]]:
        """The plays of the étui at other tables, each with its signed base score as text, the highest score first."""
        rules = find_rules(self.play.session.tournament.rules)
        scores = [
            (base_score(entry_of(each.entry), rules), each)
            for each in (self.at_every_table if self.play.etui.dealer else [])
            if each.entry is not None and not each.annulled and each.play.pk != self.play.pk
        ]
        return [(each, show_signed(score)) for score, each in sorted(scores, key=lambda found: -found[0])]

    @property
    def rows(self) -> list[ResultEntry]:
        """All versions of the result, the newest first."""
        return list(reversed(self.each.rows))

    @property
    def current(self) -> ResultEntry | None:
        return self.each.entry

    @property
    def open(self) -> bool:
        """True if this reader may see and correct the result that counts."""
        return self.current is not None and self.sees(self.current)

    def sees(self, row: ResultEntry) -> bool:
        return not self.each.closed and may_see_result(self.user, self.power, row.author_id)

    @cached_property
    def versions(self) -> list[EntryVersion]:
        return [version_of(self.play, row) for row in self.rows if self.sees(row)]

    @property
    def undoes(self) -> bool:
        """True if older versions have a link that fills the correction form with them."""
        if self.current is None or isinstance(entry_of(self.current), GameSheet):
            return False
        return self.directs and self.open and not self.at_table

    def find_older(self) -> ResultEntry | None:
        """Return the older version in `?version=` if this reader may put it back, else None."""
        number = read_number(self.request.GET, "version") if self.undoes else 0
        found = next((row for row in self.rows if row.version == number and not row.current), None)
        return None if found is None or isinstance(entry_of(found), GameSheet) else found

    @cached_property
    def contested(self) -> list[EntryVersion]:
        """The versions that differ from the result that counts, for the director to decide on."""
        return [version_of(self.play, row) for row in self.each.contested] if self.directs and self.open else []

    @property
    def doubts(self) -> list[str]:
        """The reasons why the result is doubtful, as sentences. They name no card."""
        sentences = {**DOUBTS, **CLASHES}
        return [str(sentences[doubt.code]) for doubt in self.each.doubts]

    @property
    def doubt_in_figures(self) -> str:
        """The first reason in figures, as the desk's list says it, or ""."""
        return say_doubt(self.each.doubts[0]) if self.each.doubts else ""

    @cached_property
    def session_plays(self) -> list[DeskPlay]:
        """The plays of the session from the desk's cache, with the flags that this reader may see."""
        user = self.user if self.directs else None
        return desk_plays(self.play.session, flags=self.directs and not self.at_table, user=user, people=False)

    @cached_property
    def doubts_after(self) -> list[DeskPlay]:
        """The other plays to look at, first those after this one in the desk's list. Only directors get them."""
        found = find_plays_to_look_at(self.session_plays) if self.directs and not self.at_table else []
        here = next((at for at, each in enumerate(found) if each.pk == self.play.pk), -1)
        return found[here + 1 :] + found[: max(here, 0)]

    @property
    def recorded(self) -> PlayRecord | None:
        """The record of the cards that counts, or None."""
        return next(iter(self.each.play.records.all()), None)

    @property
    def doubtful(self) -> bool:
        """True if the result is in doubt: then the page must not offer confirmation as the easiest action."""
        return self.each.state in TO_LOOK_AT

    @property
    def settles(self) -> bool:
        """True if the director must decide about this play: it is disputed, doubtful or not confirmed."""
        return self.directs and self.open and self.each.state in TO_SETTLE

    @cached_property
    def rulings(self) -> list[Ruling]:
        return list(rulings_of(self.play))

    @property
    def annulled(self) -> bool:
        """True if the play is annulled by a ruling of its own, which can be taken back here."""
        return bool(self.rulings) and self.rulings[0].kind == Ruling.RulingKind.ANNULLED

    @property
    def adjusted(self) -> bool:
        """True if the arbiter's own score or notes are in force."""
        return bool(self.rulings) and self.rulings[0].kind == Ruling.RulingKind.ADJUSTED

    @property
    def seen_ruling(self) -> int:
        """The primary key of the newest ruling that the page shows, or 0 if the play has none."""
        return self.rulings[0].pk if self.rulings else 0

    @property
    def withdrawn(self) -> bool:
        """True if the result was withdrawn and no other result has been entered since. Only directors see it."""
        newest = self.rulings[0].kind if self.directs and self.rulings else ""
        return newest == Ruling.RulingKind.WITHDRAWN and self.current is None and not self.each.closed

    @cached_property
    def next_missing(self) -> Play | None:
        """The next play of this table without a result, in playing order.

        If no later play lacks a result, it is the first play of the table that lacks one. It is None if there is none.
        """
        at_table = [each for each in self.session_plays if each.table == self.play.table.number]
        missing = [each.play for each in at_table if each.missing and each.pk != self.play.pk]
        here = self.play.position, self.play.etui.number
        later = [play for play in missing if (play.position, play.etui.number) > here]
        return next(iter(later or missing), None)

    @property
    def next_address(self) -> str:
        return self.address_of(self.next_missing) if self.next_missing else ""

    @property
    def withdrawal(self) -> WithdrawalForm:
        version = self.current.version if self.current else None
        return WithdrawalForm(initial={"seen_version": version}, auto_id=WITHDRAWAL_ID)

    def page(self, template: str = "play/play.html", *, status: int = 200, **context: Any) -> HttpResponse:
        play = self.play
        context = {"ruling": ArticleForm(), "withdrawal": self.withdrawal} | context
        context |= {
            "desk": self,
            "play": play,
            "session": play.session,
            "taker": play.seats.get(play.taker),
            "who": play.people,
            "leader": play.people[find_leading_seat(play)],
            "must_take": find_format(play.session.tournament.format).find_taker(play.taker),
        }
        return render(self.request, template, context, status=status)


@play_page(Can.ENTER)
def play(request: HttpRequest, play: Play) -> HttpResponse:
    return show_entry(PlayDesk(request, play))


def show_entry(desk: PlayDesk) -> HttpResponse:
    """Show the form if the play has no result, else the result, for readers who may see it.

    `?correct` shows the correction form, with `version` filled in with the figures of that older version.
    """
    request = desk.request
    if request.method == "POST":
        return submit(desk)
    if desk.current is None:
        return form_page(desk, blank_form(desk))
    if not desk.open:
        return desk.page("play/closed.html")
    if "correct" in request.GET:
        if isinstance(entry_of(desk.current), GameSheet):
            return redirect(f"{session_url('sheets', desk.play.session)}?game={desk.play.position}")
        entry = entry_of(desk.find_older() or desk.current)
        kind = request.GET.get("kind") or entry.kind
        initial = initial_of(entry) if kind == entry.kind else initial_attacker(entry)
        form = blank_form(desk, initial)
        return form_page(desk, form, blank_correction(desk))
    return desk.page("play/entered.html")


def blank_correction(desk: PlayDesk) -> CorrectionForm:
    """Return the empty form of a correction. If a player asked for the correction, its reason is filled in."""
    assert desk.current is not None
    initial: dict[str, object] = {"seen_version": desk.current.version}
    asked = read_number(desk.request.GET, "request")
    found = CorrectionRequest.objects.select_related(*ASKER).filter(pk=asked, play=desk.play)
    wanted = asked and desk.directs and found.first()
    if not wanted:
        return CorrectionForm(initial=initial)
    said = _("Requested by %(name)s: %(text)s") % {"name": wanted.asker, "text": wanted.text}
    return RequestedForm(initial=initial | {"request": wanted.pk, "reason": said[:300]})


def blank_form(desk: PlayDesk, initial: dict[str, object] | None = None) -> EntryForm:
    """Return the empty form of the kind in the address. The default is the kind of the stored entry, or the facts."""
    kinds = kinds_for(desk.play)
    kind = desk.request.GET.get("kind") or (entry_of(desk.current).kind if desk.current else kinds[0])
    return FORMS[kind if kind in kinds else kinds[0]](desk.play, initial=initial)


def form_page(
    desk: PlayDesk, form: EntryForm, correction: CorrectionForm | None = None, *, status: int = 200, **context: Any
) -> HttpResponse:
    return desk.page(
        status=status,
        **context,
        form=form,
        kinds=kinds_for(desk.play),
        **show_effect(desk, form, correction),
    )


def show_effect(desk: PlayDesk, form: EntryForm, correction: CorrectionForm | None) -> dict[str, Any]:
    """Return template values about a typed result: its `summary` and, for a director's `correction`, who changes rank.

    `refused` is the reason why the correction cannot be saved. A director who has still to play étuis sees no ranks.
    """
    entry = form.entry if form.is_bound else None
    context: dict[str, Any] = {
        "correction": correction,
        "summary": summarise_entry(desk.play, entry) if entry else None,
    }
    if entry is None or correction is None or not desk.directs or desk.at_table:
        return context
    if hidden_etuis(desk.play.session, desk.user):
        return context | {"hidden": True}
    seen = read_number({"seen": str(correction["seen_version"].value())}, "seen")
    try:
        rule = partial(
            correct_result,
            play_id=desk.play.pk,
            entry=entry,
            seen_version=seen,
            reason="?",
            by=desk.user,
            now=timezone.now(),
        )
        return context | {"preview": preview_ruling(desk.play.session_id, rule)}
    except Refusal as refusal:
        return context | {"refused": say(refusal)}


def read_form(request: HttpRequest, play: Play) -> EntryForm:
    kinds = kinds_for(play)
    kind = request.POST.get("kind", "")
    return FORMS[kind if kind in kinds else kinds[0]](play, request.POST)


def submit(desk: PlayDesk) -> HttpResponse:
    request = desk.request
    form = read_form(request, desk.play)
    correction = read_correction(desk)
    form.is_valid()
    if desk.current is not None and not desk.open:
        # The answer does not tell whether the two results agree. Otherwise people could find results by guessing.
        typed = summarise_entry(desk.play, form.entry) if form.entry else None
        return desk.page("play/closed.html", status=409, typed=typed)
    if form.entry is None or request.POST.get("shown") != summarise_entry(desk.play, form.entry).shown:
        return form_page(desk, form, correction and correction.unsent())
    if correction is not None and not correction.is_valid():
        return form_page(desk, form, correction)
    with refusals_in(form):
        try:
            saved = save(desk, form.entry, correction)
        except Conflict as conflict:
            return show_conflict(desk.afresh(), form, conflict)
        asked = isinstance(correction, RequestedForm)
        to = session_url("session_requests", desk.play.session) if asked else desk.at["play"]
        return done(request, say_saved(desk.play, sign_score(desk.play, saved)), to)
    return form_page(desk, form, correction)


def read_correction(desk: PlayDesk) -> CorrectionForm | None:
    if "seen_version" not in desk.request.POST:
        return None
    requested = desk.directs and desk.request.POST.get("request")
    return (RequestedForm if requested else CorrectionForm)(desk.request.POST)


def save(desk: PlayDesk, entry: Entry, correction: CorrectionForm | None) -> ResultEntry:
    by, now = desk.user, timezone.now()
    if correction is None:
        return enter_result(play_id=desk.play.pk, entry=entry, by=by, now=now)
    given = correction.cleaned_data
    told = {"entry": entry, "reason": given["reason"], "seen_version": given["seen_version"], "by": by, "now": now}
    if given.get("request"):
        return correct_as_requested(session_id=desk.play.session_id, request_id=given["request"], **told)
    return correct_result(play_id=desk.play.pk, **told)


def show_conflict(desk: PlayDesk, form: EntryForm, conflict: Conflict) -> HttpResponse:
    """Show the typed result beside the stored one. The form now corrects the stored result."""
    if desk.current is None or not desk.open:
        typed = summarise_entry(desk.play, form.entry) if form.entry else None
        return desk.page("play/closed.html", status=409, typed=typed)
    initial = {"seen_version": desk.current.version, "reason": desk.request.POST.get("reason", "")}
    return form_page(desk, form, CorrectionForm(initial=initial), conflict=say(conflict), status=409)


@play_page(Can.ENTER, ACTION)
def play_preview(request: HttpRequest, play: Play) -> HttpResponse:
    return preview_entry(PlayDesk(request, play))


def preview_entry(desk: PlayDesk) -> HttpResponse:
    """Show the effect of the values typed so far. Nothing is saved."""
    form = read_form(desk.request, desk.play)
    form.is_valid()
    correction = read_correction(desk) if desk.open else None
    context = {"session": desk.play.session, "form": form, "refresh": True} | show_effect(desk, form, correction)
    return render(desk.request, "play/_preview.html", context)


def sign_score(play: Play, row: ResultEntry) -> str:
    return version_of(play, row).summary.fiche
