"""The report on a tournament's standings, live or published: exact numbers, and players with the names of today."""

import datetime as dt
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from clubs.shown import PublicPlayer, call_for_directors, call_in_public
from tournaments.publication.report import fraction

NOTHING: Mapping[str, int] = MappingProxyType({})


class TournamentReport:
    """The standings of a tournament, with `rounds` and `players` as the module `counting` describes them.

    The figures are numbers. A player has the `name` to show, and `named` says whether the public may see it. Each
    result has the `section` in which the player sat, if its round has several sections. `versions`: the version of each
    session that the standings count, by the session's id.
    """

    def __init__(
        self, data: Mapping[str, Any], names: Mapping[int, PublicPlayer], versions: Mapping[str, int] = NOTHING
    ) -> None:
        self.data = data
        self.rounds = [read_round(each, place, versions) for place, each in enumerate(data["rounds"], start=1)]
        sections = {one["number"]: one["section"] for each in self.rounds for one in each["sessions"] if each["parted"]}
        self.players = [read_player(player, names[player["player"]], sections) for player in data["players"]]

    @property
    def weighted(self) -> bool:
        """True if any coefficient is not 1."""
        return any(each["coefficient"] != 1 for each in self.rounds)

    @property
    def is_sum(self) -> bool:
        return bool(self.data["counting"] == "sum")

    @property
    def has_final(self) -> bool:
        """True if a final has been played."""
        return any(player["in_final"] for player in self.players)


def read_tournament_report(data: Mapping[str, Any], versions: Mapping[str, int] = NOTHING) -> TournamentReport:
    """Return the report as everybody may read it, by one query."""
    return TournamentReport(data, call_in_public(row["player"] for row in data["players"]), versions)


def read_tournament_for_directors(data: Mapping[str, Any]) -> TournamentReport:
    """Return the report with the names of all players, by one query."""
    return TournamentReport(data, call_for_directors(row["player"] for row in data["players"]))


def read_round(data: Mapping[str, Any], place: int, versions: Mapping[str, int]) -> dict[str, Any]:
    sessions = [
        one | {"date": dt.date.fromisoformat(one["date"]), "version": versions.get(str(one["id"]), 0)}
        for one in data["sessions"]
    ]
    figures = {"coefficient": Fraction(data["coefficient"]), "parted": len(sessions) > 1}
    return {**data, **figures, "place": place, "sessions": sessions, "first": sessions[0]}


def read_player(data: Mapping[str, Any], called: PublicPlayer, sections: Mapping[int, str]) -> dict[str, Any]:
    """Return the player with the name to show, and with the figures as numbers.

    `moved`: the number of ranks gained since the last round, or None if the player had no rank before or has none now.
    """
    results = [
        result
        and result
        | {figure: fraction(result[figure]) for figure in ("overall", "attack", "defence")}
        | {"section": sections.get(result["session"], "")}
        for result in data["results"]
    ]
    both = data["rank"] is not None and data["before"] is not None
    figures = {"total": fraction(data["total"]), "moved": data["before"] - data["rank"] if both else None}
    return {**data, **figures, **called._asdict(), "results": results}
