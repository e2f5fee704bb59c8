"""The table of the ranking of a series: the total of each player, and what each event brought."""

from django.utils.translation import gettext as _

from outgoing.sheets.session_tables import RANKING
from outgoing.sheets.table import CellKind, SheetCell, SheetColumn, SheetTable
from rankings.series.report import SeriesCompetitor, SeriesReport, ShownEvent
from tournaments.words.figures import say_table_size


def make_series_table(report: SeriesReport, title: str) -> SheetTable:
    """Return the ranking in its order, with a column for each event. Players without a rank come last."""
    columns = [
        SheetColumn("rank", _("Rank"), CellKind.WHOLE),
        SheetColumn("player", _("Player")),
        SheetColumn("total", _("Total"), CellKind.FIGURE),
        SheetColumn("events", _("Events played"), CellKind.WHOLE),
        *(
            SheetColumn(f"event_{each.place}", f"{name_event(each)} {each.day:%d/%m/%Y}", CellKind.FIGURE)
            for each in report.events
        ),
    ]
    return SheetTable(RANKING, title, columns, [read_series_player(player) for player in report.players])


def name_event(event: ShownEvent) -> str:
    """Return the title of an event, with the number of players at each table if these are not four."""
    return ", ".join(filter(None, (event.title, say_table_size(event.table_size))))


def read_series_player(player: SeriesCompetitor) -> list[SheetCell]:
    values = [None if each is None else each.value for each in player.results]
    return [player.rank, player.name, player.total, player.played, *values]
