"""The grid for paper slips, for the keyboard alone: a position of all tables, or an étui's fiche, one row a play.

Each row is saved by itself and says what became of it. What is not saved is shown again as it was typed: refused by
arithmetic, asked about once, entered otherwise by somebody else meanwhile. What is stored is only corrected, with a
reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import User
from scoring.contract import Contract, find_rules
from scoring.plausibility import MOST_FAILED, MOST_MADE
from tournaments.errors import Conflict, Refused
from tournaments.models import Entrant, Play, ResultEntry, Session, Tournament
from tournaments.permissions import Can, may_see_result, power_of, require_found
from tournaments.plays.desk_state import DeskPlay, desk_plays
from tournaments.plays.entering import correct_result, enter_result
from tournaments.plays.entries import entry_of
from tournaments.plays.state import State
from tournaments.rules.entry import Entry, Facts
from tournaments.web.doors import FORM, Phase, author, session_page, session_url, takes_fields
from tournaments.web.numbers import read_number
from tournaments.web.play.bulk_forms import FACTS, FICHE, both_columns, form_of, is_typed, names_of
from tournaments.web.play.entry_forms import FORMS
from tournaments.web.play.summary import Summary, summarise
from tournaments.words.desk_sentences import MADE
from tournaments.words.messages import LABELS, say

BESIDE = ("reason", "seen", "sure")
POSITION, ETUI = "position", "etui"
# 150 tables with 12 étuis a position, a dozen fields each.
MOST_FIELDS = 30_000


@dataclass
class BulkRow:
    """A play with what is typed for it. `opened`: whether its reader may know the result that is stored."""

    each: DeskPlay
    kind: str
    typed: Mapping[str, str]
    opened: bool
    errors: list[str] = field(default_factory=list)
    saved: bool = False
    conflict: bool = False
    entry: Entry | None = None

    @property
    def play(self) -> Play:
        return self.each.play

    @property
    def current(self) -> ResultEntry | None:
        return self.each.entry

    @property
    def stored(self) -> Summary | None:
        return summarise(self.play, entry_of(self.current)) if self.current and self.opened else None

    @property
    def taker(self) -> Entrant | None:
        return self.play.seats.get(self.play.etui.taker)

    @property
    def is_typed(self) -> bool:
        return is_typed(self.typed, self.kind)

    @property
    def waits(self) -> bool:
        """Whether something typed here is not saved."""
        return self.is_typed and not self.saved

    @cached_property
    def summary(self) -> Summary | None:
        """What the typed result comes to; with its errors noted where it comes to nothing."""
        if both_columns(self.typed):
            self.errors.append(_("A figure stands under + or under −, not under both."))
            return None
        form = form_of(self.play, self.typed, self.kind)
        if not form.is_valid() or form.entry is None:
            self.errors += [str(error) for errors in form.errors.values() for error in errors]
            return None
        self.entry = form.entry
        return summarise(self.play, form.entry)

    @property
    def made(self) -> str:
        """By how much the contract was made or failed by what is typed, until it is saved."""
        return self.summary.made if self.waits and self.summary else ""

    @property
    def questions(self) -> list[str]:
        """What is asked before it is saved; sent back with the very result, the answer is yes."""
        if not self.waits or self.summary is None or self.typed["sure"] == self.summary.shown:
            return []
        aside = [_("This étui is marked as not played here: is the row the right one?")] if self.not_played else []
        return aside + self.unnamed + self.summary.questions

    @property
    def unnamed(self) -> list[str]:
        """Asks which bouts they are where only their number is typed: the étui’s cards tell more of their names."""
        if not isinstance(self.entry, Facts) or self.entry.attack_bouts is not None:
            return []
        return [_("Which bouts? Type 21, P and E, such as “21 P”. If the slip only tells their number, say so below.")]

    @property
    def not_played(self) -> bool:
        return self.each.finest == State.NOT_PLAYED

    def save(self, *, by: User) -> None:
        """Saves what is typed, unless it cannot be, or is asked about first."""
        if self.summary is None or self.entry is None or self.questions:
            return
        now = timezone.now()
        try:
            if self.current is not None and self.each.closed:
                raise Conflict("result_already_entered")  # whether the two agree is not told either
            if self.typed["seen"]:
                correct_result(
                    play_id=self.play.pk,
                    entry=self.entry,
                    reason=self.typed["reason"][:300],
                    seen_version=read_number(self.typed, "seen"),
                    by=by,
                    now=now,
                )
            else:
                enter_result(play_id=self.play.pk, entry=self.entry, by=by, now=now)
            self.saved = True
        except Conflict as conflict:
            self.conflict = True
            self.errors.append(say(conflict))
        except Refused as refusal:
            self.errors.append(say(refusal))


class Grid:
    """The rows of a position by table and étui, or of an étui by position and table."""

    def __init__(self, request: HttpRequest, session: Session, posted: Mapping[str, str]) -> None:
        self.session = session
        self.user, self.power = request.user, power_of(request.user, session.tournament.club)
        self.all = self.all_plays()
        self.positions = sorted({each.position for each in self.all})
        self.etuis = sorted({each.etui for each in self.all})
        self.by = ETUI if ETUI in request.GET else POSITION
        self.number = self.ask(request.GET)
        self.kind = FACTS if request.GET.get("by") == FACTS else FICHE
        self.rows = list(self.read(posted))

    def ask(self, given: Mapping[str, str]) -> int:
        """The number in the address; the first position that lacks a result by default. 404 where there is none."""
        if not given.get(self.by) and self.by == POSITION:
            return next((each.position for each in self.all if each.missing), self.positions[-1])
        known, number = self.positions if self.by == POSITION else self.etuis, read_number(given, self.by)
        return require_found(number if number in known else None)

    def read(self, posted: Mapping[str, str]) -> Iterator[BulkRow]:
        names = (*names_of(self.kind), *BESIDE)
        for each in self.plays():
            play = each.play
            typed = {name: posted.get(f"{name}-{play.pk}", "").strip() for name in names}
            yield BulkRow(each, self.kind, typed, self.opens(each))

    def all_plays(self) -> list[DeskPlay]:
        directs = self.power >= Can.DIRECT
        return desk_plays(self.session, flags=False, user=self.user if directs else None, people=False)

    def plays(self) -> list[DeskPlay]:
        """Those of the grid, with their people."""
        closed = {each.play.etui_id for each in self.all if each.closed}
        where: dict[str, Any] = {"position" if self.by == POSITION else "etui__number": self.number}
        found = desk_plays(self.session, flags=False, **where)
        return [replace(each, closed=each.play.etui_id in closed) for each in found]

    def opens(self, each: DeskPlay) -> bool:
        """Whether this reader may know the result that is stored."""
        row = each.entry
        return row is not None and not each.closed and may_see_result(self.user, self.power, row.author_id)

    def save(self, *, by: User) -> None:
        """Saves row by row, and looks again at what is stored then."""
        for row in self.waiting:
            row.save(by=by)
        self.all = self.all_plays()
        fresh = {each.play.pk: each for each in self.plays()}
        for row in self.rows:
            row.each = fresh[row.play.pk]
            row.opened = self.opens(row.each)
            if row.saved:
                row.typed = dict.fromkeys(row.typed, "")

    @property
    def imposed(self) -> bool:
        return self.session.tournament.auction == Tournament.Auction.IMPOSED

    @property
    def in_columns(self) -> bool:
        """Laid out as the fiche, with a column for + and one for −."""
        return self.by == ETUI and self.kind == FICHE

    @property
    def waiting(self) -> list[BulkRow]:
        return [row for row in self.rows if row.waits]

    @property
    def saved(self) -> int:
        return sum(row.saved for row in self.rows)

    @property
    def empty(self) -> int:
        """Rows for which a result can be typed."""
        return sum(row.current is None for row in self.rows)

    @property
    def address(self) -> str:
        """This grid's own, without its path."""
        return f"?{self.by}={self.number}" + (f"&by={FACTS}" if self.kind == FACTS else "")

    @property
    def following(self) -> int | None:
        numbers = self.positions if self.by == POSITION else self.etuis
        return next((number for number in numbers if number > self.number), None)

    @property
    def made(self) -> dict[str, Any]:
        """What the page's script says beside a figure while it is typed, as `say_made` does."""
        rules = find_rules(self.session.tournament.rules)
        times = rules.coefficients[Contract.GARDE] if self.imposed else 0
        texts = {code: str(text).replace("%(difference)s", "{}") for code, text in MADE.items()}
        most = {"made": MOST_MADE, "failed": MOST_FAILED}
        return {"texts": texts, "times": times, "base": rules.base, "petit": rules.petit_au_bout, "most": most}

    @property
    def choices(self) -> dict[str, list[tuple[Any, Any]]]:
        """The values of the fields that are chosen from, as the form of a single result has them."""
        fields = FORMS[FACTS].base_fields
        chosen = ("petit_au_bout", "poignee_attack", "poignee_defence", "chelem", "contract")
        told = {name: list(fields[name].choices) for name in chosen}  # type: ignore[attr-defined]
        return told | {"taker": list(LABELS["letter"].items())}


@takes_fields(MOST_FIELDS)
def bulk(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """After a log-in in between, back to this very grid: the browser has kept what was typed."""
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return page(request, **address)


@session_page(Can.ENTER, FORM, phase=Phase.BEGUN)
def page(request: HttpRequest, session: Session) -> HttpResponse:
    grid = Grid(request, session, request.POST)
    if request.method == "POST":
        grid.save(by=author(request))
        if grid.saved:
            told = ngettext("%(count)s result is saved.", "%(count)s results are saved.", grid.saved)
            messages.success(request, told % {"count": grid.saved})
        if not grid.waiting:
            return redirect(session_url("bulk", session) + grid.address)
    return render(request, "play/bulk.html", {"session": session, "grid": grid})
