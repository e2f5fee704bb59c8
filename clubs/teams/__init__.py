"""The reading of a pasted list of teams: lines such as "Name: A, B, C", or a table with a heading."""

from clubs.teams.errors import TeamError
from clubs.teams.lines import TEAM_SIZES, TeamSize, TeamText, TeamWay, read_team, size_error
from clubs.teams.reading import MOST_TEAMS, PastedTeam, read_teams

__all__ = [
    "MOST_TEAMS",
    "TEAM_SIZES",
    "PastedTeam",
    "TeamError",
    "TeamSize",
    "TeamText",
    "TeamWay",
    "read_team",
    "read_teams",
    "size_error",
]
