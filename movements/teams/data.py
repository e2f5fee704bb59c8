"""The reading and writing of plans of teams as data for JSON: `read_team_plan(write_team_plan(plan)) == plan`.

Reading checks the form only; `find_team_faults` checks the plan.
"""

from collections.abc import Mapping
from typing import Any

from movements.plans.plan import MAX_TABLES, PlanError
from movements.teams.plan import TeamPlan, TeamSeating, TeamStop, make_team_plan

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
