"""The table of the ranking of a simultaneous over all its clubs."""

from django.utils.translation import gettext as _

from outgoing.sheets.session_tables import RANKING, say_line_letter, whole
from outgoing.sheets.table import CellKind, SheetCell, SheetColumn, SheetTable
from rankings.simultaneous.field.report import GENERAL, FieldPlayer, FieldReport


def make_field_table(report: FieldReport, title: str) -> SheetTable:
    """Return the ranking in the order of the classement général. Players without a rank come last.

    The heads and letters are those of the pages and of a club's own ranking.
    """
    parts = [
        SheetColumn("attack", _("Attack (%)"), CellKind.FIGURE),
        SheetColumn("defence", _("Defence (%)"), CellKind.FIGURE),
    ]
    columns = [
        whole("rank", _("Général")),
        *([whole("alterne", _("Alterné"))] if report.has_alterne else []),
        SheetColumn("line", _("Line")),
        SheetColumn("player", _("Player")),
        SheetColumn("club", _("Club")),
        whole("deals", _("Deals")),
        *(parts if report.weighted else []),
        SheetColumn("overall", _("Global (%)"), CellKind.FIGURE),
        SheetColumn("penalty", _("Points off"), CellKind.FIGURE),
    ]
    players = report.show(report.order_rows(GENERAL))
    return SheetTable(RANKING, title, columns, [read_field_row(each, report) for each in players])


def read_field_row(player: FieldPlayer, report: FieldReport) -> list[SheetCell]:
    alterne = [player.rank_alterne] if report.has_alterne else []
    parts = [player.attack, player.defence] if report.weighted else []
    who = [say_line_letter(player.line), player.name, player.club]
    return [player.rank_general, *alterne, *who, player.deals, *parts, player.overall, player.penalty]
