"""The table of a leaderboard for a file."""

from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from outgoing.sheets.files import CellKind, SheetCell, SheetColumn, SheetTable
from pages.public.boards.words import MEASURES
from rankings.leaderboards.reading import BoardState, read_all_rows
from rankings.leaderboards.sums import PERCENTAGES
from tournaments.models import BoardMeasure

LEADERBOARD = "leaderboard"


def make_board_table(state: BoardState) -> SheetTable:
    """Return the whole leaderboard as a table, with the columns of its page. It takes two database queries."""
    measure = state.choice.measure
    exact = measure == BoardMeasure.RATING or measure in PERCENTAGES
    rated = [SheetColumn("within", "±", CellKind.FIGURE)] if measure == BoardMeasure.RATING else []
    columns = [
        SheetColumn("position", pgettext("on a leaderboard", "Position"), CellKind.WHOLE),
        SheetColumn("player", _("Player")),
        SheetColumn(measure.value, str(MEASURES[measure]), CellKind.FIGURE if exact else CellKind.WHOLE),
        *rated,
        SheetColumn("sessions", _("Sessions"), CellKind.WHOLE),
        SheetColumn("deals", _("Deals"), CellKind.WHOLE),
        SheetColumn("country", _("Country")),
        SheetColumn("club", _("Club")),
    ]
    rows: list[list[SheetCell]] = []
    for listed in read_all_rows(state):
        row, figure = listed.row, Fraction(listed.row.figure)
        within = [Fraction(row.within or 0)] if rated else []
        player = listed.player
        shown = figure if exact else int(figure)
        told: list[SheetCell] = [row.position, player.name, shown, *within, row.sessions, row.deals]
        rows.append([*told, player.country, player.club.name])
    return SheetTable(LEADERBOARD, _("Leaderboard"), columns, rows)
