"""The rows of a ranking page as text, for the PDF to pin up."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from outgoing.paper.ranking import PinnedRow, PinnedTable
from pages.parts.ranking_rows import RankingRow
from pages.ranking_pages import TEAMS, RankingTable
from rankings.ranking import RankedRow
from tournaments.words.figures import decimal, percent
from tournaments.words.messages import label


def pin(page: Mapping[str, Any]) -> list[PinnedTable]:
    """Return the tables of a view of a ranking."""
    ranking, tables = page["ranking"], page["tables"]
    if page["by"] == TEAMS:
        rows = [
            PinnedRow(str(team.rank), name_with_members(team), percent(team.total), first=team.rank == 1)
            for team in ranking.team_sums
        ]
        return [PinnedTable(rows)]
    points = ranking.shape.points
    many = len(tables) > 1 or any(table.title for table in tables)
    return [PinnedTable(list(pin_rows(table.rows, points=points)), *title_of(table, many=many)) for table in tables]


def title_of(table: RankingTable, *, many: bool) -> tuple[str, str]:
    """Return the title and the letter of the line to print above a table. Both are "" if the page has one table only.

    A line of teams has no letter: its name is the title.
    """
    if not many:
        return "", ""
    return (label("line", table.line), "") if len(table.line) > 1 else (table.title, table.line)


def pin_rows(rows: Iterable[RankingRow], *, points: bool) -> Iterable[PinnedRow]:
    for row in rows:
        seated = row.player.line and not row.player.team
        seat = (row.player.line, str(row.player.number)) if seated else ("", "")
        yield PinnedRow(
            "–" if row.rank is None else str(row.rank),
            name_with_members(row.player),
            decimal(row.figure, row.places) if points else percent(row.figure, row.places),
            *seat,
            row.is_first,
            row.opens_group,
        )


def name_with_members(player: RankedRow) -> str:
    """Return the name of a player. A team's name is followed by its players: "Team 7: Ada Roux, Léo Petit, Ann Lee"."""
    if not player.team:
        return player.name
    return _("%(team)s: %(players)s") % {"team": player.name, "players": ", ".join(one.name for one in player.members)}
