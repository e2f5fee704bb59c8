"""The page on which a helper types the paper sheets of a game, where the tables deal: one row for each table.

A row has one figure for each player, and the figures of a row sum to zero. Each row is saved on its own. A row that is
wrong keeps its figures and says why. The page also shows who still plays: every table in every game.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import User
from evenings.plays.desk_state import DeskPlay, desk_plays
from evenings.plays.entering import correct_result, enter_result
from evenings.plays.entries import entry_of
from evenings.plays.state import PlayState
from pages.doors import FORM, Phase, author, session_page, session_url
from pages.format_places import PLACES, SHEETS
from pages.roster_rows import tell_counted
from scoring.formats import find_format
from scoring.free import find_turn
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import Entrant, ResultEntry, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can, may_see_result, power_of, require_found
from tournaments.rules.entry import EntryError, GameSheet, ask_about_entry, seat_entry
from tournaments.words.messages import say, say_question, show_signed
from wording.figures import FigureError, read_whole_figure

MOST_SHOWN = 40  # letters of a wrong figure in a message


@dataclass(frozen=True, slots=True)
class SheetField:
    """The field of one player in a row. `stored` is the figure of the sheet that is entered already, or ""."""

    name: str
    seat: str
    entrant: Entrant
    value: str
    stored: str


@dataclass
class PaperRow:
    """A table in a game, with the figures typed for its players.

    `plays` are the deals that the same players have in the game at this table, in their order. If somebody left or came
    within the game, the table has two rows. `part` then has the first and the last deal of the row, as numbers in the
    game. `opened`: the reader may see the stored sheet.
    """

    table: int
    plays: Sequence[DeskPlay]
    typed: Mapping[str, str]
    opened: bool
    part: tuple[int, int] | None = None
    errors: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    saved: bool = False

    @cached_property
    def seated(self) -> Mapping[str, Entrant]:
        """The entrants who sit at the table, by seat, in the order of turn."""
        seats = self.target.play.seats
        return {seat: seats[seat] for seat in find_turn(seats)}

    @property
    def sheet(self) -> DeskPlay | None:
        """The deal that has the sheet of the game, or None."""
        return next((each for each in self.plays if each.entry and each.entry.kind == GameSheet.kind), None)

    @property
    def target(self) -> DeskPlay:
        """The deal whose result the sheet becomes: the one that has a sheet, or the first that waits for a result."""
        waiting = (each for each in self.plays if each.missing)
        return self.sheet or next(waiting, self.plays[0])

    @property
    def takes_sheet(self) -> bool:
        return self.sheet is not None or any(each.missing for each in self.plays)

    @property
    def fields(self) -> list[SheetField]:
        stored: Mapping[str, int] = {}
        if self.sheet is not None and self.sheet.entry is not None and self.opened:
            entry = entry_of(self.sheet.entry)
            stored = entry.by_seat if isinstance(entry, GameSheet) else {}
        return [
            SheetField(
                f"{seat}-{self.target.pk}",
                seat,
                entrant,
                self.typed.get(seat, ""),
                show_signed(stored[seat]) if seat in stored else "",
            )
            for seat, entrant in self.seated.items()
        ]

    @property
    def reason_name(self) -> str:
        return f"reason-{self.target.pk}"

    @property
    def seen_name(self) -> str:
        return f"seen-{self.target.pk}"

    @property
    def version(self) -> int | None:
        """The version of the stored sheet, which a correction names."""
        return self.sheet.entry.version if self.sheet is not None and self.sheet.entry is not None else None

    @property
    def is_typed(self) -> bool:
        return any(self.typed.get(seat, "") for seat in self.seated)

    @property
    def entered(self) -> int:
        """The number of deals that have a result of their own."""
        return sum(each.entry is not None and each.entry.kind != GameSheet.kind for each in self.plays)

    @property
    def waits(self) -> bool:
        return self.is_typed and not self.saved

    def read(self) -> GameSheet:
        """Return the typed sheet without empty fields. Raise `EntryError` for a text that is no whole number."""
        try:
            marks = {seat: read_whole_figure(text) for seat in self.seated if (text := self.typed.get(seat, ""))}
        except FigureError as error:
            raise EntryError("sheet_whole", "marks", text=error.text[:MOST_SHOWN]) from error
        return GameSheet(tuple((seat, marks[seat]) for seat in self.target.play.seats if seat in marks))

    @property
    def sure_name(self) -> str:
        return f"sure-{self.target.pk}"

    @property
    def shown(self) -> str:
        """The typed figures, which the form sends in `sure` to answer yes to the questions about them."""
        return " ".join(self.typed[seat] for seat in self.seated)

    def save(self, *, by: User) -> None:
        """Save the typed sheet. Keep its errors or, if it is unlikely, its questions until they are answered."""
        now, target = timezone.now(), self.target
        try:
            sheet = seat_entry(self.read(), [*target.play.seats])
            if self.typed["sure"] != self.shown:
                format, players = find_format(target.play.session.tournament.format), len(target.play.playing_seats)
                self.questions = [say_question(each) for each in ask_about_entry(sheet, format=format, players=players)]
                if self.questions:
                    return
            if self.typed.get("seen"):
                correct_result(
                    play_id=target.pk,
                    entry=sheet,
                    reason=self.typed.get("reason", "")[:300],
                    seen_version=read_number(self.typed, "seen"),
                    by=by,
                    now=now,
                )
            else:
                enter_result(play_id=target.pk, entry=sheet, by=by, now=now)
            self.saved = True
        except (ActionRefused, Conflict, EntryError) as refusal:
            self.errors.append(say(refusal))


def split_game(plays: Iterable[DeskPlay]) -> Iterator[PaperRow]:
    """Yield the rows of a game at a table: one for each group of deals that the same players have."""
    numbered = enumerate(plays, start=1)
    parts = [list(group) for _seats, group in groupby(numbered, key=lambda told: told[1].play.seat_ids)]
    for part in parts:
        (first, deal), (last, _deal) = part[0], part[-1]
        bounds = (first, last) if len(parts) > 1 else None
        yield PaperRow(deal.table, [each for _number, each in part], {}, opened=True, part=bounds)


@dataclass(frozen=True, slots=True)
class GameCell:
    """A table in a game, for the overview: how many of its deals are done, and whether a sheet has them."""

    position: int
    done: int
    deals: int
    on_sheet: bool

    @property
    def is_over(self) -> bool:
        return self.done == self.deals


class GameGrid:
    """The page on which directors type the paper sheets of a game, one for each table.

    `rows` has the sheets of the chosen game. `overview` has every table in every game.
    """

    def __init__(self, request: HttpRequest, session: Session) -> None:
        self.session, self.user = session, request.user
        self.power = power_of(request.user, session.tournament.club)
        self.all = desk_plays(session, flags=False, people=False)
        self.games = sorted({each.position for each in self.all})
        asked = read_number(request.GET, "game")
        first = next((each.position for each in self.all if each.missing), self.games[-1] if self.games else 0)
        self.number = require_found(asked if asked in self.games else None) if "game" in request.GET else first
        self.rows = list(self.read_rows(request.POST))

    def read_rows(self, posted: Mapping[str, str]) -> Iterable[PaperRow]:
        plays = desk_plays(self.session, flags=False, position=self.number) if self.number else []
        for row in (row for _table, group in groupby(plays, key=lambda each: each.table) for row in split_game(group)):
            pk = row.target.pk
            names = (*row.seated, "reason", "seen", "sure")
            row.typed = {name: posted.get(f"{name}-{pk}", "").strip() for name in names}
            row.opened = row.sheet is None or self.opens(row.sheet.entry)
            yield row

    def opens(self, entry: ResultEntry | None) -> bool:
        return entry is not None and may_see_result(self.user, self.power, entry.author_id)

    def save(self, *, by: User) -> None:
        for row in self.waiting:
            row.save(by=by)

    @property
    def waiting(self) -> list[PaperRow]:
        return [row for row in self.rows if row.waits]

    @property
    def saved(self) -> int:
        return sum(row.saved for row in self.rows)

    @property
    def missing(self) -> int:
        """The number of tables that still play this game, or have not handed in their sheet."""
        return len({row.table for row in self.rows if any(each.missing for each in row.plays)})

    @property
    def lost(self) -> int:
        """The number of deals of this game that no table played and no sheet has, because the game was closed."""
        played = [each for row in self.rows if row.sheet is None for each in row.plays]
        return sum(each.finest == PlayState.NOT_PLAYED for each in played)

    @property
    def following(self) -> int | None:
        return next((number for number in self.games if number > self.number), None)

    @cached_property
    def overview(self) -> list[tuple[int, list[GameCell | None]]]:
        """Each table's number with its cell for each game, None where the table has no deal, or lost all."""
        cells: dict[tuple[int, int], GameCell] = {}
        for (table, position), group in groupby(
            sorted(self.all, key=lambda each: (each.table, each.position)), key=lambda each: (each.table, each.position)
        ):
            plays = list(group)
            on_sheet = any(each.entry is not None and each.entry.kind == GameSheet.kind for each in plays)
            laid_out = [each for each in plays if each.finest != PlayState.NOT_PLAYED or on_sheet]
            done = sum(not each.missing for each in laid_out)
            if laid_out:
                cells[table, position] = GameCell(position, done, len(laid_out), on_sheet)
        tables = sorted({each.table for each in self.all})
        return [(table, [cells.get((table, game)) for game in self.games]) for table in tables]


@session_page(Can.ENTER, FORM, phase=Phase.BEGUN)
def sheets(request: HttpRequest, session: Session) -> HttpResponse:
    if PLACES[session.tournament.format].typed != SHEETS:
        return redirect(session_url("bulk", session))  # étuis have fiches, not sheets
    grid = GameGrid(request, session)
    if request.method == "POST":
        grid.save(by=author(request))
        if grid.saved:
            told = ngettext("%(count)s sheet is saved.", "%(count)s sheets are saved.", grid.saved)
            tell_counted(request, told, grid.saved)
        if not grid.waiting:
            return redirect(f"{session_url('sheets', session)}?game={grid.number}")
    words = {"zero": _("sum 0"), "off": _("sum {}: check it"), "missing": _("{} missing")}
    return render(request, "play/sheets.html", {"session": session, "grid": grid, "words": words})
