"""The ranking of teams that add up the results of their players, with the names to show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.models import Visibility
from clubs.shown import PublicPlayer
from rankings.publication.teams.names import name_number
from scoring.formats import Format
from tournaments.reports.codec import extend
from tournaments.reports.session import ReportedTeam, ReportedTeamPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class SummedPlayer(ReportedTeamPlayer):
    """A player of a team, with the result and the name to show. The other added fields are those of `PublicPlayer`."""

    name: str
    named: bool
    shown: str = Visibility.NAME
    known_as: int | None = None
    category: str = ""
    series: str = ""
    ladies: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummedTeam(ReportedTeam):
    """A team with the sum of its players' results, its name and its players' names."""

    name: str
    members: Sequence[SummedPlayer] = ()


def show_team_sums(
    rows: Sequence[ReportedTeam], format: Format, names: Mapping[int, PublicPlayer], teams: Mapping[int, str]
) -> list[SummedTeam]:
    """Return the teams of a report with names, and with figures in the unit of the format.

    `names` are those of players by id, `teams` those of teams by number.
    """
    return [
        extend(
            SummedTeam,
            row,
            name=teams.get(row.team) or name_number(row.team),
            total=format.measure(row.total or Fraction()),
            members=[
                extend(
                    SummedPlayer,
                    one,
                    **(names[one.player]._asdict() | {"total": format.measure(one.total or Fraction())}),
                )
                for one in row.members
            ],
        )
        for row in rows
    ]
