"""The page on which a helper types the results from paper slips into a grid, with the keyboard alone.

The grid has the plays of one position, of one table in it, or of one étui, one row per play.

Each row is saved on its own and shows whether it was saved. A row is not saved if its values are wrong, or if it has a
question to answer first. Nor is it saved if somebody else has entered another result meanwhile. It then keeps the typed
values. A stored result can only be corrected, with a reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.models import User
from evenings.plays.attackers import members_of, team_ids
from evenings.plays.desk_state import DeskPlay, desk_plays
from evenings.plays.entering import correct_result, enter_result
from evenings.plays.entries import entry_of, name_attacker
from evenings.plays.state import PlayState
from pages.doors import FORM, Phase, author, session_page, session_url, takes_fields
from pages.format_places import FICHES, PLACES
from pages.play.bulk_fields import FACTS, FICHE, FieldsOfGrid, both_columns, form_of, is_typed, names_of
from pages.play.summary import EntrySummary, FicheSummary, summarise_entry, summarise_fiche
from pages.roster_rows import tell_counted
from scoring.contract import Contract, find_rules
from scoring.formats import find_format
from scoring.plausibility import MOST_FAILED, MOST_MADE
from scoring.plays import FIFTH
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import Entrant, Play, ResultEntry, Session, TeamMember
from tournaments.numbers import read_number
from tournaments.permissions import Can, may_see_result, power_of, require_found
from tournaments.rules.entry import Entry, Facts
from tournaments.words.desk_sentences import MADE
from tournaments.words.formats import say_word
from tournaments.words.messages import say
from tournaments.words.team_plans import badges_of

BESIDE = ("reason", "seen", "sure")
HEADS: Mapping[str, str | Promise] = {
    "partner": gettext_lazy("Partner"),
    "contract": gettext_lazy("Contract"),
    "bouts": gettext_lazy("Bouts"),
    "points": gettext_lazy("Points"),
    "petit_au_bout": gettext_lazy("Petit au bout"),
    "poignee_attack": gettext_lazy("Poignées"),
    "chelem": gettext_lazy("Chelem"),
    "score": gettext_lazy("Score"),
    "plus": "+",
    "minus": "−",
    "attacker": gettext_lazy("Attacker, if out of turn"),
}
POSITION, ETUI = "position", "etui"
# The most fields of a form: enough for 150 tables with 12 étuis a position and a dozen fields for each étui.
MOST_FIELDS = 30_000


@dataclass
class BulkRow:
    """A play with the values typed for it. `opened` is true if the reader may see the stored result."""

    grid: "Grid"
    each: DeskPlay
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
    def head(self) -> int:
        """The number at the head of the row: the number of its position or, in the grid of a position, of its table."""
        return self.each.position if self.grid.by == ETUI else self.each.table

    @property
    def second(self) -> int:
        """The second number of the row: the number of its table or, in the grid of a position, of its étui."""
        return self.each.table if self.grid.by == ETUI else self.each.etui

    @property
    def stored(self) -> FicheSummary | None:
        if self.current is None or not self.opened:
            return None
        return summarise_fiche(self.grid.session.tournament, entry_of(self.current))

    @property
    def must_take(self) -> str | None:
        """The seat of the player who must take, or None if the players bid."""
        return find_format(self.grid.session.tournament.format).find_taker(self.play.taker)

    @property
    def taker(self) -> str:
        """The name of the player who must take, which the number of the étui decides."""
        return self.grid.takers[self.play.pk]

    @property
    def cells(self) -> SafeString:
        """The form fields as HTML, in cells of a table."""
        return self.grid.fields.draw_cells(self.play.pk, self.typed, wrong=bool(self.errors))

    @property
    def fields(self) -> SafeString:
        return self.grid.fields.draw_fields(self.play.pk, self.typed, wrong=bool(self.errors))

    @property
    def taker_field(self) -> SafeString:
        return self.grid.fields.draw("taker", self.play.pk, self.typed["taker"])

    @property
    def is_typed(self) -> bool:
        return is_typed(self.typed, self.grid.kind)

    @property
    def waits(self) -> bool:
        """True if the row has typed values that are not saved."""
        return self.is_typed and not self.saved

    @cached_property
    def summary(self) -> EntrySummary | None:
        """The summary of the typed result, or None if the result is not valid. Its errors are added to `errors`."""
        if both_columns(self.typed):
            self.errors.append(_("Write the amount under + or under −, not under both."))
            return None
        form = form_of(self.play, self.typed, self.grid.kind, self.grid.members)
        if not form.is_valid() or form.entry is None:
            self.errors += [str(error) for errors in form.errors.values() for error in errors]
            return None
        self.entry = form.entry
        if self.typed["seen"] and not self.typed["attacker"] and self.current is not None:
            self.entry = name_attacker(self.entry, self.current.attacker_id)
        return summarise_entry(self.play, self.entry, self.grid.members)

    @property
    def made(self) -> str:
        """A text that says by how much the typed result made or failed the contract. It is "" once the row is saved."""
        return self.summary.made if self.waits and self.summary else ""

    @property
    def questions(self) -> list[str]:
        """The questions to answer before the row is saved.

        To answer yes to all of them, the form sends the text of the result in `sure`.
        """
        if not self.waits or self.summary is None or self.typed["sure"] == self.summary.shown:
            return []
        aside = [_("This étui is marked as not played here: is this the right row?")] if self.not_played else []
        return aside + self.unnamed + self.summary.questions

    @property
    def is_open(self) -> bool:
        """True if the page shows errors or questions below the row."""
        return bool(self.errors or self.questions)

    @property
    def unnamed(self) -> list[str]:
        """A list with the question "which bouts?", if only their number is typed. Otherwise it is empty.

        With the names of the bouts, the result can be better checked against the étui’s cards.
        """
        if not isinstance(self.entry, Facts) or self.entry.attack_bouts is not None:
            return []
        return [
            _("Which bouts? Type 21, P and E, such as “21 P”. If the sheet only gives their number, confirm it below.")
        ]

    @property
    def not_played(self) -> bool:
        return self.each.finest == PlayState.NOT_PLAYED

    def save(self, *, by: User) -> None:
        """Save the typed result, unless it is not valid or the row asks a question first."""
        if self.summary is None or self.entry is None or self.questions:
            return
        now = timezone.now()
        try:
            if self.current is not None and self.each.closed:
                raise Conflict("result_already_entered")  # the message does not say whether the two results agree
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
        except ActionRefused as refusal:
            self.errors.append(say(refusal))


class Grid:
    """The rows of one position, ordered by table and étui, or of one étui, ordered by position and table.

    `table` is the number of the only table whose rows the grid has, or None for all tables.
    """

    def __init__(self, request: HttpRequest, session: Session, posted: Mapping[str, str]) -> None:
        self.session = session
        self.user, self.power = request.user, power_of(request.user, session.tournament.club)
        self.all = self.all_plays()
        self.positions = sorted({each.position for each in self.all})
        self.etuis = sorted({each.etui for each in self.all})
        self.by = ETUI if ETUI in request.GET else POSITION
        self.number = self.ask(request.GET)
        self.table = self.ask_table(request.GET)
        self.kind = FACTS if request.GET.get("by") == FACTS else FICHE
        self.posted = bool(posted)
        self.rows = list(self.read(posted))

    def ask(self, given: Mapping[str, str]) -> int:
        """Return the number of the position or étui in the address. The default is the first position without a result.

        Raise Http404 if the session has no position or étui with this number.
        """
        if not given.get(self.by) and self.by == POSITION:
            return next((each.position for each in self.all if each.missing), self.positions[-1])
        known, number = self.positions if self.by == POSITION else self.etuis, read_number(given, self.by)
        return require_found(number if number in known else None)

    def ask_table(self, given: Mapping[str, str]) -> int | None:
        """Return the number of the table in the address, or None. Raise Http404 if it does not play the position."""
        if self.by == ETUI or not given.get("table"):
            return None
        number = read_number(given, "table")
        played = any(each.table == number for each in self.all if each.position == self.number)
        return require_found(number if played else None)

    def read(self, posted: Mapping[str, str]) -> Iterator[BulkRow]:
        names = (*names_of(self.kind), *BESIDE)
        for each in self.plays():
            play = each.play
            typed = {name: posted.get(f"{name}-{play.pk}", "").strip() for name in names}
            yield BulkRow(self, each, typed, self.opens(each))

    def all_plays(self) -> list[DeskPlay]:
        directs = self.power >= Can.DIRECT
        return desk_plays(self.session, flags=False, user=self.user if directs else None, people=False)

    def plays(self) -> list[DeskPlay]:
        """Return the plays of the grid.

        Their players are read from the database only after a POST, because only then forms name them.
        """
        if not self.posted:
            here = [each for each in self.all if (each.position if self.by == POSITION else each.etui) == self.number]
            return [each for each in here if self.table in (None, each.table)]
        closed = {each.play.etui_id for each in self.all if each.closed}
        where: dict[str, Any] = {"position" if self.by == POSITION else "etui__number": self.number}
        if self.table is not None:
            where["table__number"] = self.table
        found = desk_plays(self.session, flags=False, **where)
        return [replace(each, closed=each.play.etui_id in closed) for each in found]

    @cached_property
    def takers(self) -> Mapping[int, str]:
        """The name of the player who must take, by the id of the play. The number of each étui decides who takes."""
        wanted = {row.play.pk: row.play.seat_ids[row.play.taker] for row in self.rows}
        people = Entrant.objects.select_related("player", "stand_in", "team").in_bulk(set(wanted.values()))
        return {play: people[entrant].name for play, entrant in wanted.items()}

    def opens(self, each: DeskPlay) -> bool:
        """Return whether this reader may know the stored result of the play."""
        row = each.entry
        return row is not None and not each.closed and may_see_result(self.user, self.power, row.author_id)

    def save(self, *, by: User) -> None:
        """Save the grid row by row, then read the stored results again."""
        for row in self.waiting:
            row.save(by=by)
        self.all = self.all_plays()
        fresh = {each.play.pk: each for each in self.plays()}
        for row in self.rows:
            row.each = fresh[row.play.pk]
            row.opened = self.opens(row.each)
            if row.saved:
                row.typed = dict.fromkeys(row.typed, "")

    @cached_property
    def members(self) -> list[TeamMember]:
        """The members of the teams, former ones too, or [] if single players play."""
        return members_of(team_ids(self.session.entrants.all())) if self.attacker else []

    @cached_property
    def attacker(self) -> list[tuple[str]]:
        """The field for who attacked, if the members of a team attack in turn; otherwise none."""
        named = any(row.play.badge for row in self.rows)
        return [("attacker",)] if named and badges_of(self.session.tournament.format) else []

    @property
    def in_columns(self) -> bool:
        """True if the grid looks like a fiche, with a column for + and a column for −."""
        return self.by == ETUI and self.kind == FICHE

    @property
    def waiting(self) -> list[BulkRow]:
        return [row for row in self.rows if row.waits]

    @property
    def saved(self) -> int:
        return sum(row.saved for row in self.rows)

    @property
    def empty(self) -> int:
        """The number of rows without a result, where one can be typed."""
        return sum(row.current is None for row in self.rows)

    @property
    def address(self) -> str:
        """The address of this grid, as a query string without the path."""
        return f"?{self.query}" + (f"&by={FACTS}" if self.kind == FACTS else "")

    @property
    def query(self) -> str:
        """The part of the address that says which rows the grid has."""
        return f"{self.by}={self.number}" + (f"&table={self.table}" if self.table is not None else "")

    @property
    def following(self) -> int | None:
        """The number of the next position or étui. None after the last one, and for the rows of one table."""
        if self.table is not None:
            return None
        numbers = self.positions if self.by == POSITION else self.etuis
        return next((number for number in numbers if number > self.number), None)

    @property
    def made(self) -> dict[str, Any]:
        """The texts and numbers that the page's script needs to show the text of `say_made` beside a typed figure."""
        rules = find_rules(self.session.tournament.rules)
        contract = find_format(self.session.tournament.format).contract
        times = 0 if contract is None else rules.coefficients[Contract.GARDE]
        texts = {code: str(text).replace("%(difference)s", "{}") for code, text in MADE.items()}
        most = {"made": MOST_MADE, "failed": MOST_FAILED}
        return {"texts": texts, "times": times, "base": rules.base, "petit": rules.petit_au_bout, "most": most}

    @cached_property
    def fields(self) -> FieldsOfGrid:
        format = find_format(self.session.tournament.format)
        contract = [("contract",)] if format.contract is None else []
        partner = [("partner",)] if FIFTH in format.seats else []
        poignees = ("poignee_attack", "poignee_defence")
        cells = [
            *partner,
            *contract,
            ("bouts",),
            ("points",),
            ("petit_au_bout",),
            poignees,
            ("chelem",),
            *self.attacker,
        ]
        if self.in_columns:
            cells = [*partner, ("plus",), ("minus",)]
        elif self.kind == FICHE:
            cells = [*partner, ("score",)]
        return FieldsOfGrid([*cells, *self.attacker], format.contracts, format.seats)

    @property
    def heads(self) -> list[str]:
        """The heads of the columns before the last one."""
        first = (self.say("position_head"), _("Table")) if self.by == ETUI else (_("Table"), _("Étui"))
        return [*first, _("Taker"), *(str(HEADS[names[0]]) for names in self.fields.cells)]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.heads) + 1

    @property
    def heading(self) -> str:
        """The heading of the page: which fiches it has."""
        if self.by == ETUI:
            return _("Fiche of étui %(number)s") % {"number": self.number}
        key = "fiches" if self.table is None else "fiches_of_table"
        return self.say(key, number=self.number, table=self.table)

    @property
    def following_words(self) -> str:
        """The words of the way to the next position or étui."""
        return self.say("next_etui" if self.by == ETUI else "next_position", number=self.following)

    def say(self, key: str, **names: Any) -> str:
        """Return the sentence with this key in the words of the session's format."""
        return say_word(self.session.tournament.format, key, names)

    @cached_property
    def play_address(self) -> str:
        """The address of a play's page, up to the play's number."""
        return session_url("play", self.session, 0).removesuffix("0/")


@takes_fields(MOST_FIELDS)
def bulk(request: HttpRequest, **address: Any) -> HttpResponseBase:
    """Show or save the grid.

    A user whose login has expired during typing logs in again and comes back to the grid. The browser has kept the
    typed values.
    """
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return show_grid(request, **address)


@session_page(Can.ENTER, FORM, phase=Phase.BEGUN)
def show_grid(request: HttpRequest, session: Session) -> HttpResponse:
    if PLACES[session.tournament.format].typed != FICHES:  # games have sheets, not fiches
        game = read_number(request.GET, "position")
        return redirect(session_url("sheets", session) + (f"?game={game}" if game else ""))
    grid = Grid(request, session, request.POST)
    if request.method == "POST":
        grid.save(by=author(request))
        if grid.saved:
            told = ngettext("%(count)s result is saved.", "%(count)s results are saved.", grid.saved)
            tell_counted(request, told, grid.saved)
        if not grid.waiting:
            return redirect(session_url("bulk", session) + grid.address)
    return render(request, "play/bulk.html", {"session": session, "grid": grid})
