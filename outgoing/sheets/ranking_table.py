"""The table of a ranking for a file, drawn from its columns. It is the same for every kind of ranking."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from outgoing.sheets.table import CellKind, SheetCell, SheetColumn, SheetTable
from rankings.columns import FILE, RankingColumn, RankingShape, ValueKind, list_columns
from rankings.events.report import TournamentReport
from rankings.publication.report import Report
from rankings.series.report import SeriesReport
from rankings.simultaneous.field.report import GENERAL, FieldReport
from scoring.formats import Unit
from tournaments.words.messages import label

RANKING = "ranking"
NOTES = (ValueKind.NOTE, ValueKind.RESULT)
WHOLES = (ValueKind.PLACE, ValueKind.RANK, ValueKind.WHOLE)
FIGURES = (*NOTES, ValueKind.TOTAL, ValueKind.STEP, ValueKind.EXACT)
IN_UNIT = (ValueKind.RESULT, ValueKind.TOTAL, ValueKind.STEP)


def make_session_ranking(report: Report) -> SheetTable:
    """Return the ranking of a session in the order of the classement alterné, with all ranks of each player."""
    return make_ranking_table(report.shape, report.alterne(), _("Ranking"))


def make_tournament_ranking(report: TournamentReport) -> SheetTable:
    """Return the ranking of a tournament, with a column for each round. Players without a rank come last."""
    return make_ranking_table(report.shape, report.players, _("Tournament ranking"))


def make_series_ranking(report: SeriesReport, title: str) -> SheetTable:
    """Return the ranking of a series, with a column for each event. Players without a rank come last."""
    return make_ranking_table(report.shape, report.players, title)


def make_field_ranking(report: FieldReport, title: str) -> SheetTable:
    """Return the ranking of a simultaneous in the order of the classement général."""
    return make_ranking_table(report.shape, report.show(report.order_rows(GENERAL)), title)


def make_ranking_table(shape: RankingShape, rows: Iterable[Any], title: str) -> SheetTable:
    """Return these rows of a ranking as a table, with the columns that files have."""
    columns = list_columns(shape, FILE)
    heads = [make_sheet_column(column, shape.unit) for column in columns]
    return SheetTable(RANKING, title, heads, [[read_cell(column, row) for column in columns] for row in rows])


def make_sheet_column(column: RankingColumn, unit: Unit) -> SheetColumn:
    """Return a column of the file. A file writes the sign of per cent in the head, because its cells are numbers."""
    in_per_cent = unit is Unit.PER_CENT and column.kind in NOTES
    head = f"{column.label} (%)" if in_per_cent else str(column.label)
    return SheetColumn(column.name, head, choose_cell_kind(column.kind, unit))


def choose_cell_kind(kind: ValueKind, unit: Unit) -> CellKind:
    if kind in IN_UNIT and unit is Unit.MATCH_POINTS:
        return CellKind.POINTS
    if kind in WHOLES:
        return CellKind.WHOLE
    return CellKind.FIGURE if kind in FIGURES else CellKind.TEXT


def read_cell(column: RankingColumn, row: Any) -> SheetCell:
    value: SheetCell = column.read_value(row)
    if column.kind is ValueKind.LINE:
        return label("letter", str(value)) if value else ""
    return value
