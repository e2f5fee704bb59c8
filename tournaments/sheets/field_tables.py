"""The table of the ranking of a simultaneous over all its clubs."""

from django.utils.translation import gettext as _

from tournaments.sheets.session_tables import RANKING
from tournaments.sheets.table import CellKind, SheetCell, SheetColumn, SheetTable
from tournaments.simultaneous.field.report import GENERAL, FieldPlayer, FieldReport


def make_field_table(report: FieldReport, title: str) -> SheetTable:
    """Return the ranking in the order of the classement général. Players without a rank come last."""
    columns = [
        SheetColumn("rank", _("Rank"), CellKind.WHOLE),
        *([SheetColumn("alterne", _("Alterné"), CellKind.WHOLE)] if report.has_alterne else []),
        SheetColumn("line", _("Line")),
        SheetColumn("player", _("Player")),
        SheetColumn("club", _("Club")),
        SheetColumn("deals", _("Deals"), CellKind.WHOLE),
        SheetColumn("attack", _("Attack"), CellKind.FIGURE),
        SheetColumn("defence", _("Defence"), CellKind.FIGURE),
        SheetColumn("overall", _("Global"), CellKind.FIGURE),
        SheetColumn("penalty", _("Penalty"), CellKind.FIGURE),
    ]
    players = report.show(report.order_rows(GENERAL))
    return SheetTable(RANKING, title, columns, [read_field_row(each, report) for each in players])


def read_field_row(player: FieldPlayer, report: FieldReport) -> list[SheetCell]:
    alterne = [player.rank_alterne] if report.has_alterne else []
    figures = [player.attack, player.defence, player.overall, player.penalty]
    return [player.rank_general, *alterne, player.line, player.name, player.club, player.deals, *figures]
