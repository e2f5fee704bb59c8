"""Lays the ranking of a tournament out for pages: a row a player, a column a round. The public page and the directors'
show the same partial."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from clubs.names import plain
from tournaments.events.report import TournamentReport
from tournaments.web.report_pages import ALL, RankingRow, RankingTable, decimals, parts_of, rows_in


def tournament_ranking(report: TournamentReport, asked: Mapping[str, str]) -> dict[str, Any]:
    """What the partial takes; a long ranking comes in parts, as that of a session does. `asked`: `q` is part of a name,
    whose rows are marked, `part` the part to show."""
    wanted, part = asked.get("q", "").strip()[:80], asked.get("part", "")
    table = RankingTable("", "", list(tournament_rows(report.players, wanted)))
    parts = parts_of([table])
    shown = next((one for one in parts if one.name == part), None)
    if parts and shown is None and part != ALL:
        holds = (one for one in parts if wanted and any(row.found for row in rows_in([table], one)))
        shown = next(holds, parts[0])
    return {
        "report": report,
        "wanted": wanted,
        "table": replace(table, rows=table.rows[shown.first - 1 : shown.last]) if shown else table,
        "parts": parts,
        "part": shown,
        "found": [row for row in table.rows if row.found],
    }


def tournament_rows(players: Sequence[dict[str, Any]], wanted: str) -> Iterator[RankingRow]:
    """Its group is opened by the first of those who are not in the final."""
    places = decimals([player["total"] for player in players])
    looked_for = plain(wanted).split()
    for index, player in enumerate(players):
        before = players[index - 1] if index else player
        yield RankingRow(
            player=player,
            rank=player["rank"],
            places=places[index],
            found=bool(looked_for) and all(word in plain(player["name"]) for word in looked_for),
            opens_group=before["in_final"] and not player["in_final"],
        )
