"""What a full hall must keep to, and how a measured figure is held against it. Starts and measures nothing.

Milliseconds are for a machine on which a bare view takes one: they are scaled by what it takes on this one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class Unit(Enum):
    """What a figure is counted in, and whether its goal is the most or the least that it may be."""

    MS = "ms"
    BARE = "× bare"
    QUERIES = "queries"
    ERRORS = "errors"
    PER_SECOND = "/s"
    AT_LEAST = "/s at least"


@dataclass(frozen=True, slots=True)
class Goal:
    """One line of the table. `group` is what `--only` asks for."""

    group: str
    text: str
    limit: float
    unit: Unit

    def limit_here(self, bare: float) -> float:
        """The limit on a machine on which a bare view takes `bare` milliseconds, in the unit of what is measured."""
        return self.limit * bare if self.unit in (Unit.MS, Unit.BARE) else self.limit


def page(name: str, text: str, milliseconds: float, queries: int | None = None) -> dict[str, Goal]:
    """The goals of one request, by the processor's time that it takes."""
    goals = {name: Goal("cpu", text, milliseconds, Unit.MS)}
    if queries is not None:
        goals[f"{name} queries"] = Goal("cpu", f"{text}: queries", queries, Unit.QUERIES)
    return goals


def loaded(group: str, text: str, limits: Mapping[str, tuple[str, float, Unit]]) -> dict[str, Goal]:
    """The goals of one load."""
    return {
        f"{group} {name}": Goal(group, f"{text}: {what}", limit, unit) for name, (what, limit, unit) in limits.items()
    }


def entering(most: float) -> dict[str, tuple[str, float, Unit]]:
    return {"enter": ("entering, p95", most, Unit.MS)} | NO_ERROR


NO_ERROR = {"errors": ("errors", 0.0, Unit.ERRORS)}
DESK = {"desk": ("the desk’s poll, p95", 300.0, Unit.MS)}

GOALS: dict[str, Goal] = (
    loaded("joins", "every table joins at once", {"all": ("until the last has", 2000, Unit.MS)} | NO_ERROR)
    | loaded("pace", "the hall’s pace", entering(150) | DESK)
    | loaded("readers200", "and 200 readers every 10 s", entering(300) | DESK)
    | loaded("readers1000", "and 1 000 readers every 10 s", entering(300) | DESK)
    | loaded(
        "flat",
        "flat out",
        {
            "rate": ("results", 40, Unit.AT_LEAST),
            "jobs": ("computations of the standings", 1.1, Unit.PER_SECOND),
        }
        | NO_ERROR,
    )
    | {"table": Goal("cpu", "a table’s poll, 204", 4, Unit.BARE)}
    | {"table queries": Goal("cpu", "a table’s poll, 204: queries", 2, Unit.QUERIES)}
    | page("enter", "start and enter", 25)
    | {"ranking 304": Goal("cpu", "ranking, 304", 2, Unit.BARE), "ranking": Goal("cpu", "ranking, 200", 4, Unit.BARE)}
    | page("desk", "desk", 400, 15)
    | page("poll", "the desk’s poll after a result", 60, 8)
    | {"poll 204 queries": Goal("cpu", "the desk’s poll, 204: queries", 3, Unit.QUERIES)}
    | page("bulk", "bulk page", 300)
    | page("plays", "plays, by the API", 300)
    | page("live", "live standings", 300)
    | page("plan", "plan", 300)
    | {"job": Goal("cpu", "standings after one result", 60, Unit.MS)}
    | loaded(
        "laptop-flat",
        "40 tables on a laptop, flat out",
        {"rate": ("results", 25, Unit.AT_LEAST)} | NO_ERROR,
    )
    | loaded("laptop-pace", "40 tables on a laptop at their pace", entering(150))
)  # fmt: skip
GROUPS = tuple(dict.fromkeys(goal.group for goal in GOALS.values()))
LAPTOP = "laptop"


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured for the goal of that name, in milliseconds where it is a time; `beside`: what else was seen."""

    name: str
    measured: float
    beside: str = ""

    @property
    def goal(self) -> Goal:
        return GOALS[self.name]

    def is_met(self, bare: float) -> bool:
        """Nothing measured (NaN) meets nothing."""
        limit = self.goal.limit_here(bare)
        return self.measured >= limit if self.goal.unit is Unit.AT_LEAST else self.measured <= limit

    def line(self, bare: float) -> str:
        """The figure beside its goal, as the table shows it."""
        goal, limit = self.goal, self.goal.limit_here(bare)
        shown, wanted = f"{self.measured:.4g} {goal.unit.value}", f"≤ {limit:.4g}"
        if goal.unit is Unit.AT_LEAST:
            shown, wanted = f"{self.measured:.4g} /s", f"≥ {limit:.4g}"
        elif goal.unit is Unit.BARE:
            shown, wanted = f"{self.measured / bare:.3g} × bare ({self.measured:.3g} ms)", f"≤ {goal.limit:g} ×"
        elif goal.unit is Unit.MS and bare != 1:
            wanted += f" (of {goal.limit:g})"
        verdict = "met" if self.is_met(bare) else "MISSED"
        return f"{goal.text:62} {shown:>24}  {wanted:20} {verdict:7} {self.beside}".rstrip()


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` (0 to 1) of them do not exceed; NaN where there is none."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def spread(seconds: Sequence[float]) -> str:
    """How many there were, and how long they took."""
    p50, p95, most = (1000 * percentile(seconds, share) for share in (0.5, 0.95, 1))
    return f"{len(seconds)} × p50 {p50:.0f}, p95 {p95:.0f}, most {most:.0f} ms"
