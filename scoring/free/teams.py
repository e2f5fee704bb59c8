"""The ranking of teams where the tables deal: the marks of a team's players are added up.

The players are ranked alone too, so this module gets their marks, and knows no plays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoring.ties import share_ranks


@dataclass(frozen=True, slots=True)
class TeamSum:
    """The marks of a team, and its rank. `dropped` is the index of the place that does not count, or None."""

    total: Fraction
    rank: int
    dropped: int | None


def rank_team_sums(teams: Mapping[Any, Sequence[Fraction]], *, drops_worst: bool) -> dict[Any, TeamSum]:
    """Return the sum of each team, best first. Equal sums share a rank, as in 1, 1, 3.

    `teams` has the marks of each place in a team: 0 for a place whose player is missing. With `drops_worst`, the lowest
    marks of each team do not count. Of equal ones, the last place is dropped. A single player keeps the marks.
    """
    dropped = {
        team: max(range(len(marks)), key=lambda place: (-marks[place], place))
        for team, marks in teams.items()
        if drops_worst and len(marks) > 1
    }
    totals = {
        team: sum((each for place, each in enumerate(marks) if place != dropped.get(team)), Fraction())
        for team, marks in teams.items()
    }
    ranks = share_ranks({team: (0, -total) for team, total in totals.items()})
    return {team: TeamSum(totals[team], rank, dropped.get(team)) for team, rank in ranks.items()}
