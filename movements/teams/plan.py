"""A plan of teams as data: which two teams sit at each table in each position, with which étuis, and who rests.

Teams are numbers from 1. This module does not know who the players are, or how the plan was made.

Reading checks the form only; `find_team_faults` checks the plan.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from movements.plans.plan import MAX_TABLES, PlanError, check_counts, etui_set


class TeamSeating(StrEnum):
    """The ways in which two teams share a table.

    - SIDES: the first team sits North-South, the second East-West; the taker of each étui says which team attacks.
    - MIRROR: the first team attacks with one player, the second defends with three. At another table the second team
      attacks the first team on the same étuis.
    - BADGES: the first team attacks with one of its three players, the second defends. A team may attack at three
      tables at once, with a different player at each. Only Emmanuel 16 uses this.
    """

    SIDES = "sides"
    MIRROR = "mirror"
    BADGES = "badges"


class TeamStop(NamedTuple):
    """A table in a position: its étuis in the order in which they are played, and its two teams.

    If a team is None, it is missing, and the other team rests. `badge`: the player with whom the first team attacks, 1
    to 3 in the order of the badges. It is 0 if the plan does not say it.
    """

    position: int
    table: int
    etuis: tuple[int, ...]
    first: int | None
    second: int | None
    badge: int = 0

    @property
    def complete(self) -> bool:
        return self.first is not None and self.second is not None

    @property
    def teams(self) -> tuple[int, ...]:
        """The teams that are at the table: two, or one if the other team is missing."""
        return tuple(team for team in (self.first, self.second) if team is not None)


@dataclass(frozen=True, slots=True)
class TeamPlan:
    """The tables of an event of teams, sorted by position and table.

    - `seating`: how two teams share a table.
    - `teams`: their number. `tables`: the most tables that play in a position.
    - `rule`: the name of the way in which the plan was made.
    - `lines`: the number of teams that always sit North-South, then the number that always sit East-West. The lowest
      numbers sit North-South. Empty if teams change sides.
    """

    seating: TeamSeating
    teams: int
    tables: int
    positions: int
    etuis_per_position: int
    stops: tuple[TeamStop, ...]
    rule: str
    lines: tuple[int, ...] = ()

    def at(self, position: int) -> Iterator[TeamStop]:
        """Yield the tables of a position."""
        return (stop for stop in self.stops if stop.position == position)

    def in_barometer(self, position: int) -> bool:
        """Return whether several tables play in that position, all with the same étuis."""
        sets = [frozenset(stop.etuis) for stop in self.at(position)]
        return len(sets) > 1 and len({*sets}) == 1

    def list_resting(self) -> tuple[tuple[int, ...], ...]:
        """Return the teams that rest, as one tuple for each position."""
        playing: list[set[int]] = [set() for _ in range(self.positions)]
        for stop in self.stops:
            if stop.complete:
                playing[stop.position - 1].update(stop.teams)
        return tuple(tuple(team for team in range(1, self.teams + 1) if team not in there) for there in playing)


def make_team_plan(
    seating: TeamSeating, teams: int, stops: Iterable[TeamStop], rule: str, lines: tuple[int, ...] = ()
) -> TeamPlan:
    """Return the plan with these stops; all other figures follow from them. Raise PlanError if a count is too large."""
    laid = tuple(sorted(stops, key=lambda stop: stop[:2]))
    tables, positions = max(stop.table for stop in laid), max(stop.position for stop in laid)
    etuis = len(laid[0].etuis)
    check_counts(tables=tables, positions=positions, etuis_per_position=etuis)
    return TeamPlan(seating, teams, tables, positions, etuis, laid, rule, lines)


def check_wish(*, teams: int, least: int, most: int, positions: int, etuis_per_position: int) -> None:
    """Raise PlanError if the number of teams, positions or étuis per position is out of range."""
    if not least <= teams <= most:
        raise PlanError("teams", found=teams, least=least, most=most)
    check_counts(tables=1, positions=positions, etuis_per_position=etuis_per_position)


def turn_set(index: int, etuis_per_position: int, start: int = 0) -> tuple[int, ...]:
    """Return the étuis of set `index`, counted from 0, in the order of play. The étui at place `start` comes first.

    Tables that play the same étuis begin with different ones, so that few copies are needed.
    """
    etuis = etui_set(index, etuis_per_position)
    start %= etuis_per_position
    return etuis[start:] + etuis[:start]


def drop_team(plan: TeamPlan, team: int, *, after: int) -> TeamPlan:
    """Return the plan without this team in the positions after `after`. Its opponents rest there."""
    stops = (
        stop._replace(
            first=None if stop.first == team else stop.first, second=None if stop.second == team else stop.second
        )
        if stop.position > after
        else stop
        for stop in plan.stops
    )
    return replace(plan, stops=tuple(stops))


_LARGEST = 9999  # the largest number in a plan


def write_team_plan(plan: TeamPlan) -> dict[str, Any]:
    """Return the plan as lists, numbers, texts and None, which JSON can hold."""
    return {
        "seating": str(plan.seating),
        "teams": plan.teams,
        "tables": plan.tables,
        "positions": plan.positions,
        "etuis_per_position": plan.etuis_per_position,
        "lines": list(plan.lines),
        "rule": plan.rule,
        "stops": [
            {
                "position": stop.position,
                "table": stop.table,
                "etuis": list(stop.etuis),
                "first": stop.first,
                "second": stop.second,
                "badge": stop.badge,
            }
            for stop in plan.stops
        ],
    }


def is_team_plan(data: Any) -> bool:
    """Return whether the data are of a plan of teams, not of single players."""
    return isinstance(data, Mapping) and "stops" in data


def read_team_plan(data: Any) -> TeamPlan:
    """Return the plan from data. Raise PlanError if they are not a plan of teams."""
    if not is_team_plan(data) or not isinstance(data["stops"], list) or not data["stops"]:
        raise PlanError("data", field="stops", expected="a list of tables")
    try:
        seating = TeamSeating(data.get("seating"))
    except ValueError as error:
        raise PlanError("data", field="seating", expected=", ".join(TeamSeating)) from error
    stops = [_read_stop(stop) for stop in data["stops"]]
    lines = data.get("lines") or []
    if not isinstance(lines, list) or len(lines) not in (0, 2):
        raise PlanError("data", field="lines", expected="no number, or two")
    lines = tuple(_read_number(size, "lines", least=0) for size in lines)
    teams = _read_number(data.get("teams"), "teams", most=2 * MAX_TABLES)
    return make_team_plan(seating, teams, stops, str(data.get("rule", ""))[:40], lines)


def _read_stop(data: Any) -> TeamStop:
    if not isinstance(data, Mapping) or not isinstance(data.get("etuis"), list) or not data["etuis"]:
        raise PlanError("data", field="etuis", expected="a list of numbers")
    first, second = (None if data.get(side) is None else _read_number(data[side], side) for side in ("first", "second"))
    return TeamStop(
        _read_number(data.get("position"), "position"),
        _read_number(data.get("table"), "table"),
        tuple(_read_number(etui, "etuis") for etui in data["etuis"]),
        first,
        second,
        _read_number(data.get("badge", 0), "badge", least=0),
    )


def _read_number(value: Any, field: str, *, least: int = 1, most: int = _LARGEST) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise PlanError("data", field=field, expected=f"{least}–{most}")
    return value
