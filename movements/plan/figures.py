"""The figures of a plan as a value, by which a director compares plans. `measures` computes them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from movements.plan.plan import Seating

_TEAMS = (
    *("most_meetings", "repeated", "bound", "exempt", "least_exempt", "most_exempt", "rests_bound", "balance"),
    *("etuis", "copies", "least_attacks", "most_attacks", "attack_gap", "gap_bound"),
)
FIGURES: Mapping[Seating, tuple[str, ...]] = {  # the figures that a seating has
    Seating.LINES: (
        *("most_meetings", "repeated", "replays", "exempt", "least_exempt", "most_exempt", "balance", "missing"),
        *("bound", "etuis", "copies", "least_played", "most_played", "least_attacks", "most_attacks"),
    ),
    Seating.SIDES: _TEAMS,
    Seating.MIRROR: _TEAMS,
    Seating.BADGES: _TEAMS,
    Seating.TABLES: (
        *("repeated", "bound", "most_meetings", "sizes", "most_odd", "least_odd", "most_exempt", "least_exempt"),
        "mates",
    ),
}


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """The figures of a whole plan. A figure that its seating does not have keeps its default.

    - most_meetings: the largest number of positions in which two competitors meet. In a mirrored plan, and in Emmanuel
      16, the largest number of attacks of one team on another.
    - repeated: the meetings of each pair after its first one, added up. `bound`: the least possible number of these if
      everybody plays as often as in this plan (docs/movements.md).
    - exempt: the number of competitors who rest, for each position.
    - least_exempt, most_exempt: the fewest and the most positions that a competitor rests while in the plan. In games,
      the deals in which somebody rests. `rests_bound`: the least possible `most_exempt`, because the teams of the line
      that rests have to share the rests.
    - balance: 0 to 100. 100 means that any two players of one line are compared on the same number of étuis. Of teams:
      that any two teams sit the same way (North-South or East-West) equally often.
    - etuis, copies: the étuis to fill, and the copies of each with which no table has to wait.
    - least_attacks, most_attacks: the fewest and the most étuis that a competitor attacks. `attack_gap`: the largest
      difference between the étuis that a team attacks and defends. `gap_bound`: the least possible difference, 1 if a
      team plays an odd number of étuis.
    - replays: how many times a player plays an étui again, added up over all players.
    - missing: the most étuis of the plan that a player does not play.
    - least_played, most_played: the fewest and the most étuis that a player plays.
    - sizes: for each size of a table how many there are in all games, as pairs (size, tables).
    - most_odd, least_odd: the most and the fewest games that somebody plays at an odd table.
    - mates: how many times two members of one team meet.

    Fillers count in meetings, but not in rests and comparisons. For `balance`, `missing`, `…_played` and `…_attacks`
    only players who are there from start to end count. So do they for rests and odd tables of games.
    """

    most_meetings: int
    repeated: int
    bound: int
    exempt: tuple[int, ...] = ()
    least_exempt: int = 0
    most_exempt: int = 0
    rests_bound: int = 0
    balance: int = 100
    etuis: int = 0
    copies: int = 1
    least_attacks: int = 0
    most_attacks: int = 0
    attack_gap: int = 0
    gap_bound: int = 0
    replays: int = 0
    missing: int = 0
    least_played: int = 0
    most_played: int = 0
    sizes: tuple[tuple[int, int], ...] = ()
    most_odd: int = 0
    least_odd: int = 0
    mates: int = 0

    @property
    def perfect(self) -> bool:
        """True if no two competitors meet twice, and nobody plays an étui twice."""
        return not self.repeated and not self.replays

    @property
    def exemption_gap(self) -> int:
        return self.most_exempt - self.least_exempt


def write_figures(seating: Seating, figures: PlanFigures) -> dict[str, Any]:
    """Return the figures that the seating has, as data for JSON."""
    return {name: getattr(figures, name) for name in FIGURES[seating]}


def read_figures(seating: Seating, data: Mapping[str, Any]) -> PlanFigures | None:
    """Return the figures from data of `write_figures`. Return None if an earlier release stored other figures."""
    if data.keys() != {*FIGURES[seating]}:
        return None
    pairs = {name: tuple(map(tuple, data[name])) for name in ("sizes",) if name in data}
    return PlanFigures(**{**data, "exempt": tuple(data.get("exempt", ())), **pairs})
