"""The report on a tournament's standings, live or published: exact numbers, and the players' present names."""

import datetime as dt
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from clubs.shown import PublicPlayer, call_for_directors, call_in_public
from tournaments.publication.report import fraction

NOTHING: Mapping[str, int] = MappingProxyType({})


class TournamentReport:
    """The standings of a tournament. `rounds` and `players` have the form that the module `counting` describes.

    Figures are numbers instead of text. Each player has the `name` to show; `named` is True if the public may see the
    real name. A result has the `section` in which the player sat, if its round has several sections. `versions` has the
    version of each counted session, by the session's id as text.
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
        """True if any session has a coefficient other than 1."""
        return any(each["coefficient"] != 1 for each in self.rounds)

    @property
    def is_sum(self) -> bool:
        return bool(self.data["counting"] == "sum")

    @property
    def has_final(self) -> bool:
        """True if a final has been played."""
        return any(player["in_final"] for player in self.players)


def read_tournament_report(data: Mapping[str, Any], versions: Mapping[str, int] = NOTHING) -> TournamentReport:
    """Return the report with the names that everybody may see. One query."""
    return TournamentReport(data, call_in_public(row["player"] for row in data["players"]), versions)


def read_tournament_for_directors(data: Mapping[str, Any]) -> TournamentReport:
    """Return the report with the names of all its players, for directors. One query."""
    return TournamentReport(data, call_for_directors(row["player"] for row in data["players"]))


def read_round(data: Mapping[str, Any], place: int, versions: Mapping[str, int]) -> dict[str, Any]:
    """Return the round with dates and numbers instead of text. `place` is its place from 1."""
    sessions = [
        one | {"date": dt.date.fromisoformat(one["date"]), "version": versions.get(str(one["id"]), 0)}
        for one in data["sessions"]
    ]
    figures = {"coefficient": Fraction(data["coefficient"]), "parted": len(sessions) > 1}
    return {**data, **figures, "place": place, "sessions": sessions, "first": sessions[0]}


def read_player(data: Mapping[str, Any], called: PublicPlayer, sections: Mapping[int, str]) -> dict[str, Any]:
    """Return the player's row with the name to show and with numbers instead of text.

    `moved` is the number of ranks gained since the previous round. It is None if the player had no rank before or has
    none now.
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
