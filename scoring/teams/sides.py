"""The two teams of a play: the attacking team in the taker's seat, the defending team in the three other seats.

In triplettes with two lines, the team North-South attacks the étuis that North or South takes. The team East-West
attacks the others (FFT 2012, the chapter on triplettes).
"""

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from scoring.errors import ScoringError
from scoring.plays import EAST_WEST, LINES, NORTH_SOUTH

ATTACK, DEFENCE = "attack", "defence"  # the parts of two teams if one of them attacks every étui of their table
Team = TypeVar("Team", bound=Hashable)
NOTHING: Mapping[Any, str] = MappingProxyType({})
TEAM_LINES: Mapping[str, str] = MappingProxyType({"": "", "N": NORTH_SOUTH, "E": EAST_WEST})


def fill_team_seats(attacking: Team, defending: Team, taker: str) -> tuple[Team, ...]:
    """Return the team in each seat, in the order of the four lines: `attacking` in the taker's seat, else `defending`.

    Raise ScoringError if the taker is none of the four lines.
    """
    if taker not in LINES:
        raise ScoringError("unknown_value", "taker", {"value": taker, "choices": ", ".join(LINES)})
    return tuple(attacking if line == taker else defending for line in LINES)


def find_line(taker: str) -> str:
    """Return the line of the team that attacks an étui with this taker: NS for North and South, else EW."""
    return NORTH_SOUTH if taker in NORTH_SOUTH else EAST_WEST


def name_team_line(line: str) -> str:
    """Return the line of a team, NS or EW, from the letter in its row: N for NS, E for EW.

    Return "" for a team that changes sides. Raise ScoringError for another text.
    """
    if line not in TEAM_LINES:
        raise ScoringError("unknown_value", "line", {"value": line, "choices": ", ".join(filter(None, TEAM_LINES))})
    return TEAM_LINES[line]
