"""The rules of the forms that teams play: triplettes, quadrettes and team matches (FFT 2012, the chapters on teams).

A team is a competitor like a player, so `scoring.ranking` ranks teams too. These modules have the rules that only teams
need. They are about the seats of two teams at a table, match points, the badges of triplettes, leagues and knock-outs.

The players have the badges blue, white and red in the alphabetical order of their family names. The colour that begins
is drawn once for a tournament. The étuis that a team attacks go to the colours in turn. The next session continues
where the last one stopped.

In triplettes with two lines, the team North-South attacks the étuis that North or South takes. The team East-West
attacks the others (FFT 2012, the chapter on triplettes).

A table mostly names the team North-South first. In a position in which a team sits at several tables, one team attacks
every étui of a table. There all tables name their teams by attack and defence.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from scoring.errors import ScoringError
from scoring.plays import EAST_WEST, LINES, NORTH_SOUTH


class Badge(StrEnum):
    """The colour of a player of a triplette, in the order of family names."""

    BLUE = "blue"
    WHITE = "white"
    RED = "red"


class AttackSlot(NamedTuple):
    """An étui that the plan lets a team attack. Slots are sorted by session, then by position, then by étui."""

    session: int
    position: int
    etui: int


NO_BADGES: Mapping[AttackSlot, Badge] = MappingProxyType({})


def colour_attacks(
    slots: Iterable[AttackSlot], first: Badge, *, kept: Mapping[AttackSlot, Badge] = NO_BADGES
) -> dict[AttackSlot, Badge]:
    """Return the colour of each étui that a team attacks, in the order of the slots.

    - `slots`: the slots of the whole plan, in any order. An étui that was annulled or not played still has a slot.
    - `first`: the colour that was drawn to begin.
    - `kept`: the slots that were played or skipped, and the colour of each, which does not change. They count even if
      the plan no longer has them.

    Without `kept`, the slots get the colours in turn: blue, white, red, beginning with `first`. With `kept`, each other
    slot gets the colour with the fewest attacks so far, so that the colours attack about equally often again. If
    several colours have equally few, it gets the first of them in that order. If the kept slots are the first ones,
    both ways give the same colours.
    """
    colours = list(Badge)
    order = colours[colours.index(first) :] + colours[: colours.index(first)]
    counts = Counter(kept.values())
    next_colours = dict(kept)
    for slot in sorted({*slots} - {*kept}):
        next_colours[slot] = min(order, key=lambda colour: counts[colour])
        counts[next_colours[slot]] += 1
    return dict(sorted(next_colours.items()))


ATTACK, DEFENCE = "attack", "defence"  # the parts of two teams if one of them attacks every étui of their table
Team = TypeVar("Team", bound=Hashable)
NO_LINES: Mapping[Any, str] = MappingProxyType({})
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


def find_facing(seats: Sequence[str]) -> dict[str, str]:
    """Return the opposite seat of each seat. `seats` are the taken seats, in their order around the table.

    If the number of seats is odd, two seats are opposite: the one that comes first is returned.
    """
    half = len(seats) // 2
    return {seat: seats[(place + half) % len(seats)] for place, seat in enumerate(seats)}


T = TypeVar("T")


class TeamTable(NamedTuple):
    """A table in a position, with the ids of its two teams."""

    position: int
    table: int
    teams: frozenset[int]


def find_parted(tables: Iterable[TeamTable]) -> Set[int]:
    """Return the positions in which a team sits at several tables. A table may be named more than once."""
    often = Counter((each.position, team) for each in set(tables) for team in each.teams)
    return {position for (position, _team), count in often.items() if count > 1}


def order_teams(attacking: T, defending: T, taker: str, *, parted: bool) -> tuple[T, T]:
    """Return the two teams of an étui, first the one that the table names first. `taker` is the seat of the taker."""
    return (attacking, defending) if parted or find_line(taker) == NORTH_SOUTH else (defending, attacking)
