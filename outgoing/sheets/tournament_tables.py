"""The table of a tournament's ranking: the total of each player, and the result of each round."""

from django.utils.translation import gettext as _

from outgoing.sheets.session_tables import RANKING
from outgoing.sheets.table import CellKind, SheetCell, SheetColumn, SheetTable
from rankings.events.report import ShownCompetitor, ShownRound, TournamentReport, say_round_name


def make_tournament_table(report: TournamentReport) -> SheetTable:
    """Return the ranking in its order, with a column for each round. Players without a rank come last."""
    rounds = report.rounds
    kind = CellKind.POINTS if report.in_match_points else CellKind.FIGURE
    columns = [
        SheetColumn("rank", _("Rank"), CellKind.WHOLE),
        SheetColumn("player", _("Team") if report.is_of_teams else _("Player")),
        SheetColumn("total", _("Total") if report.is_sum or report.in_match_points else _("Mean"), kind),
        SheetColumn("sessions", _("Sessions played"), CellKind.WHOLE),
        *(SheetColumn(f"round_{each.place}", name_round(each), kind) for each in rounds),
    ]
    rows = [read_tournament_player(player) for player in report.players]
    return SheetTable(RANKING, _("Tournament ranking"), columns, rows)


def name_round(played: ShownRound) -> str:
    """Return the heading of a round: the number and the date of its first session, and its name between cuts."""
    first = played.first
    name = _("Session %(number)s, %(date)s") % {"number": first.number, "date": f"{first.day:%d/%m/%Y}"}
    return f"{name} ({between_cuts})" if (between_cuts := say_round_name(played)) else name


def read_tournament_player(player: ShownCompetitor) -> list[SheetCell]:
    results = player.results
    played = sum(result is not None for result in results)
    return [
        player.rank,
        player.name,
        player.total,
        played,
        *(None if each is None else each.overall for each in results),
    ]
