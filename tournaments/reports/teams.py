"""The values of the ranking of teams in a report of donnes libres, in which players play alone and teams add up marks.

The keys under which the fields are stored never change, because old publications have them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tournaments.reports.codec import Exact, StoredValue, each_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedTeamPlayer(StoredValue):
    """A player of a team with the marks that the ranking of players has.

    `player` is the id in the club's list. `counts` is False if the team's lowest marks are dropped, and these are they.
    """

    player: int
    total: Exact = None
    counts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedTeam(StoredValue):
    """A team with the sum of its players' marks. `team` is its number in the tournament.

    `absent` is the number of its places without a player in the ranking; each of them brings 0.
    """

    team: int
    rank: int
    total: Exact = None
    absent: int = 0
    members: Annotated[Sequence[ReportedTeamPlayer], each_of(ReportedTeamPlayer)] = ()
