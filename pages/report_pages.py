"""The layout of a session's report for pages: the feuilles de route and the list of étuis.

A report holds all figures of a session; a feuille de route is one player's list of scores, étui by étui. Rankings of
every kind are laid out in `ranking_pages`, and the page of one étui in `parts.etui`. The public pages and the
director's pages show the same templates with these values. This module knows neither where the report comes from nor
who may read it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeVar

from rankings.publication.report import FeuilleLine, PlayedEvening
from rankings.ranking import RankedRow
from scoring.formats import MarkPoints, Unit
from tournaments.words.figures import say_weights
from tournaments.words.messages import label
from tournaments.words.rulings import say_deal_role
from wording.figures import round_half

Item = TypeVar("Item")
BAR, GAP = 10, 2  # width of a bar in the chart of notes, and the space beside it


@dataclass(frozen=True, slots=True)
class FeuilleRow:
    """One étui of a feuille de route. `role` is "attack", "defence", or "" if nobody took.

    Where the tables deal it may also be "partner" of the taker, "rest", or "sheet" for the paper sheet of a game.

    On the feuille of a member of a team, it is "wait" and `waits` is True if another member attacked.
    """

    line: FeuilleLine
    role: str
    waits: bool = False

    @property
    def deal_role(self) -> str:
        """The role in words: "against Denis". Not for a team or its members."""
        taker = self.line.play.taker_player
        return self.say_role(taker.name if taker else "")

    @property
    def short_role(self) -> str:
        """The role in words, with the taker's line in place of the name: "against North"."""
        line = self.line.play.taker
        return self.say_role(label("line", line) if line else "")

    def say_role(self, taker: str) -> str:
        play = self.line.play
        return say_deal_role(self.role, taker=taker, covers=play.covers, state=play.state)

    @property
    def is_off(self) -> bool:
        """True if the étui does not count for the player."""
        return self.waits or not self.line.counts


@dataclass(frozen=True, slots=True)
class FeuilleStop:
    """The étuis that a player played in one position.

    `others` holds (line, player) of the three other players at the table, or ("", team) of the other team.
    """

    position: int
    table: int
    others: list[tuple[str, RankedRow]]
    rows: list[FeuilleRow]

    @property
    def total(self) -> Fraction | None:
        """The sum of the player's marks where the tables deal, None if none is known yet."""
        notes = [row.line.note for row in self.rows if row.line.note is not None]
        return MarkPoints(sum(notes, Fraction())) if notes else None


@dataclass(frozen=True, slots=True)
class NoteBar:
    """The bar of one note in the chart, in units of the SVG's view box.

    The bar is above the middle line if the note is over 50.
    """

    x: int
    y: int
    height: int
    row: FeuilleRow


def feuille_page(report: PlayedEvening, player: RankedRow) -> dict[str, Any]:
    """Return the template context for a player's feuille de route.

    `before` and `after` are the players next to this one in the classement général, or None.
    """
    rows = [FeuilleRow(line, line.role) for line in report.feuille(player.id)]
    before, after = find_neighbours(report.players, player)
    bars = list(note_bars(rows)) if report.unit is Unit.PER_CENT else []
    return {
        "report": report,
        "player": player,
        "stops": list(feuille_stops(rows, player)),
        "bars": bars,
        "fixed": any(row.line.fixed for row in rows),
        "chart_width": bars[-1].x + BAR if bars else 0,
        "before": before,
        "after": after,
        "ranks": True,
        "weighted": report.ranking.shape.weighted,
        "table_weights": say_weights(report.data.weights),
        "subject": player.name,
    }


def find_neighbours(listed: Sequence[Item], item: Item) -> tuple[Item | None, Item | None]:
    """Return what stands before and after an item of a list, each None at its end."""
    before, after = [None, *listed], [*listed[1:], None]
    place = listed.index(item)
    return before[place], after[place]


def feuille_stops(rows: Sequence[FeuilleRow], player: RankedRow) -> Iterator[FeuilleStop]:
    def place(row: FeuilleRow) -> tuple[int, int, Mapping[str, int] | frozenset[int]]:
        seats = row.line.play.seats  # teams change seats from étui to étui: the attacking one has the taker's
        return row.line.play.position, row.line.play.table, frozenset(seats.values()) if player.team else seats

    for (position, table, _seats), group in groupby(rows, key=place):
        stop = list(group)
        seats, players = stop[0].line.play.seats, stop[0].line.play.players
        others = [(line, players[line]) for line, entrant in seats.items() if entrant != player.id]
        if player.team:
            others = [("", other) for other in {other.id: other for _line, other in others}.values()]
        yield FeuilleStop(position, table, others, stop)


def note_bars(rows: Sequence[FeuilleRow]) -> Iterator[NoteBar]:
    """Yield a bar for each note. Bars begin at the middle line of a view box that is 100 units high.

    The bar of a note of 50 is 2 units high. The space between two positions is wider than between two bars.
    """
    x, position = 0, None
    for row in rows:
        if position is not None:
            x += BAR + (GAP if row.line.play.position == position else 3 * GAP)
        position = row.line.play.position
        if row.line.note is not None:
            note = round_half(row.line.note)
            yield NoteBar(x, min(50, 100 - note) - (note == 50), max(abs(note - 50), 2 * (note == 50)), row)


def etuis_page(report: PlayedEvening) -> dict[str, Any]:
    """Return the template context for the list of étuis, with the best and the worst base score of each.

    Both scores are None if no play of the étui counts.
    """
    rows = []
    for etui in report.data.etuis:
        scores = [play.base_score for play in etui.plays if play.base_score is not None]
        rows.append(
            {"etui": etui, "best": max(scores, default=None), "worst": min(scores, default=None), "count": len(scores)}
        )
    played = any(etui.plays for etui in report.data.etuis)
    weighted = not report.data.format.compares_seats
    return {"report": report, "rows": rows, "played": played, "weighted": weighted}
