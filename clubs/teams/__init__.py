"""The reading of pasted lines of teams: "Name: A, B, C", or the players alone.

These modules do not know the players on the club's list; `clubs.matching` finds them.
"""

from clubs.teams.errors import TeamError
from clubs.teams.lines import TEAM_SIZES, TeamSize, TeamText, read_team
from clubs.teams.reading import MOST_TEAMS, TWO, AlikePlayers, TeamRow, read_teams, require_teams

__all__ = [
    "MOST_TEAMS",
    "TEAM_SIZES",
    "TWO",
    "AlikePlayers",
    "TeamError",
    "TeamRow",
    "TeamSize",
    "TeamText",
    "read_team",
    "read_teams",
    "require_teams",
]
