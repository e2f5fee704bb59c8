"""Reads the standings of a tournament, live or published: figures as exact numbers, players with the names of today."""

import datetime as dt
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from clubs.shown import Called, call_for_directors, call_in_public
from tournaments.publication.report import fraction

NOTHING: Mapping[str, int] = MappingProxyType({})


class TournamentReport:
    """`rounds` and `players` as `counting` describes them, read; a player has what stands for his `name`, and
    whether he is `named`; each of his results the `section` in which he sat where its round has several. `versions`: of
    each session that it counts, by its id."""

    def __init__(
        self, data: Mapping[str, Any], names: Mapping[int, Called], versions: Mapping[str, int] = NOTHING
    ) -> None:
        self.data = data
        self.rounds = [read_round(each, place, versions) for place, each in enumerate(data["rounds"], start=1)]
        sections = {one["number"]: one["section"] for each in self.rounds for one in each["sessions"] if each["parted"]}
        self.players = [read_player(player, names[player["player"]], sections) for player in data["players"]]

    @property
    def weighted(self) -> bool:
        """Whether any coefficient is not 1."""
        return any(each["coefficient"] != 1 for each in self.rounds)

    @property
    def is_sum(self) -> bool:
        return bool(self.data["counting"] == "sum")

    @property
    def has_final(self) -> bool:
        """Whether a final has been played."""
        return any(player["in_final"] for player in self.players)


def read_report(data: Mapping[str, Any], versions: Mapping[str, int] = NOTHING) -> TournamentReport:
    """As everybody may read it, by one query."""
    return TournamentReport(data, call_in_public(row["player"] for row in data["players"]), versions)


def read_for_directors(data: Mapping[str, Any]) -> TournamentReport:
    """With the names of all, by one query."""
    return TournamentReport(data, call_for_directors(row["player"] for row in data["players"]))


def read_round(data: Mapping[str, Any], place: int, versions: Mapping[str, int]) -> dict[str, Any]:
    sessions = [
        one | {"date": dt.date.fromisoformat(one["date"]), "version": versions.get(str(one["id"]), 0)}
        for one in data["sessions"]
    ]
    figures = {"coefficient": Fraction(data["coefficient"]), "parted": len(sessions) > 1}
    return {**data, **figures, "place": place, "sessions": sessions, "first": sessions[0]}


def read_player(data: Mapping[str, Any], called: Called, sections: Mapping[int, str]) -> dict[str, Any]:
    """With `moved`: ranks gained since the last round, None where he had none before."""
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
