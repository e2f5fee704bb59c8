"""The three forms of teams by name, and the ranking of teams (FFT 2012, the chapters on teams)."""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoring.errors import ScoringError
from scoring.formats import QUADRETTES, TEAM_MATCH, TRIPLETTES, Format
from scoring.plays import ScoringPlay
from scoring.ranking import NOTHING, Standings, standings
from scoring.teams.sides import check_team_plays
from scoring.ties import SHARED, TieRules

TEAM_FORMATS: Mapping[str, Format] = {each.name: each for each in (TRIPLETTES, QUADRETTES, TEAM_MATCH)}


def find_team_format(name: str) -> Format:
    """Return the form of teams with this name. Raise ScoringError if the name is unknown."""
    if name not in TEAM_FORMATS:
        raise ScoringError("unknown_value", "format", {"value": name, "choices": ", ".join(TEAM_FORMATS)})
    return TEAM_FORMATS[name]


def rank_teams(
    plays: Sequence[ScoringPlay],
    rules: Format,
    *,
    lines: Mapping[Any, str] = NOTHING,
    penalties: Mapping[Hashable, Fraction] = NOTHING,
    ties: TieRules = SHARED,
) -> Standings:
    """Return the notes, totals and ranks of the teams of these plays, as `scoring.ranking.standings` has them.

    - `lines`: the line of each team, NS or EW, if the form has lines and the teams keep theirs. Then there is a
      classement alterné; otherwise only a classement général.
    - `penalties`: the figures taken off the totals, in the unit of the form. A bonus, such as the one in a match, is
      below 0.
    - `ties`: the rules that order equal teams. If match points are added up, only lots may separate teams.

    In a form with match points, the `attacks` of a team are the number of its étuis that count. Raise ScoringError for
    a play that `check_team_plays` refuses.
    """
    check_team_plays(plays, lines)
    lines = lines if rules.lines else NOTHING
    return standings(plays, rules, lines=lines, penalties=penalties, ties=ties)
