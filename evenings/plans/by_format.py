"""The choices that depend on a tournament's format: which deals fit, and which plan is preferred.

`scoring.formats` says how a format is played and ranked.
"""

from collections.abc import Mapping
from typing import Any

from movements import OddTables, Plan, Seating
from movements.teams import MATCH
from scoring.formats import FORMATS, IN_GAMES, QUADRETTES, TEAM_MATCH, TRIPLETTES, Format, Taker
from scoring.plays import Line
from scoring.values import Contract

GARDE_PROFILE = "garde-1"
SOUTH_PROFILE = "garde-1-south"  # South takes every étui
PLAYERS_WITH_ETUIS = 4
# By format: how the plans that are chosen for it seat people, if not in four lines. The plans of a match are known by
# their rule. No plan is chosen where tables are seated game by game.
SEATINGS: Mapping[str, tuple[Seating, ...]] = {
    TRIPLETTES.name: (Seating.SIDES, Seating.BADGES),
    QUADRETTES.name: (Seating.MIRROR,),
    TEAM_MATCH.name: (Seating.MIRROR,),
    **dict.fromkeys(IN_GAMES, ()),
}


def profile_of(format: Format) -> str:
    """Return the name of the profile that deals for this format must fit, or "" if all deals are allowed.

    If the taker is known beforehand, the profile accepts only deals whose taker has a hand good enough for a Garde.
    """
    if format.taker is Line.S:
        return SOUTH_PROFILE
    return GARDE_PROFILE if format.contract == Contract.GARDE else ""


def find_players_of_set(format: Format) -> int:
    """Return for how many players the étuis of this format are."""
    return format.size or PLAYERS_WITH_ETUIS


def list_formats_for(players: int) -> list[str]:
    """Return the names of the formats that play étuis for this number of players."""
    return [name for name, format in FORMATS.items() if format.size == players]


def find_odd_tables(format: Format, chosen: str) -> OddTables:
    """Return the kind of odd tables in this format. `chosen`: the session's setting, where there is a choice."""
    return {3: OddTables.ALL_THREES, 5: OddTables.ALL_FIVES}.get(format.size) or OddTables(chosen)


def list_seatings(format: str) -> tuple[Seating, ...]:
    """Return how the plans that are chosen for the format with this name may seat people."""
    return SEATINGS.get(format, (Seating.LINES,))


def suits_format(plan: Plan[Any], format: str) -> bool:
    """Return whether a plan is of the kind that the format with this name plays."""
    if format == TEAM_MATCH.name:
        return plan.rule == MATCH
    return plan.seating in list_seatings(format) and plan.rule != MATCH


def wants_even_attacks(format: Format) -> bool:
    """Return whether the plan should let all players take about equally often. True if the étui names the taker."""
    return format.taker is Taker.ETUI
