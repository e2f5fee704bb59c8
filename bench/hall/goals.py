"""The goals of a full hall, and the comparison of a measured figure with its goal. Nothing is measured here.

Goals in milliseconds are for a machine on which a bare view takes one millisecond. They are multiplied by the time that
a bare view takes on this machine.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class MeasureUnit(Enum):
    """The units of figures. A goal is an upper limit; only for AT_LEAST it is a lower limit."""

    MS = "ms"
    BARE = "× bare"
    QUERIES = "queries"
    ERRORS = "errors"
    PER_SECOND = "/s"
    RATIO = "× alone"
    AT_LEAST = "/s at least"


@dataclass(frozen=True, slots=True)
class HallGoal:
    """One goal: a line of the printed table. `group` is the name that `--only` knows."""

    group: str
    text: str
    limit: float
    unit: MeasureUnit

    def limit_here(self, bare: float) -> float:
        """Return the limit on a machine on which a bare view takes `bare` milliseconds.

        It has the unit of the measured figure.
        """
        return self.limit * bare if self.unit in (MeasureUnit.MS, MeasureUnit.BARE) else self.limit


def page(name: str, text: str, milliseconds: float, queries: int | None = None) -> dict[str, HallGoal]:
    """Return the goals of one request: its processor milliseconds and, if given, its number of queries."""
    goals = {name: HallGoal("cpu", text, milliseconds, MeasureUnit.MS)}
    if queries is not None:
        goals[f"{name} queries"] = HallGoal("cpu", f"{text}: queries", queries, MeasureUnit.QUERIES)
    return goals


def make_goals(group: str, text: str, limits: Mapping[str, tuple[str, float, MeasureUnit]]) -> dict[str, HallGoal]:
    """Return the goals of one load, by name. `limits`: for each goal its text, its limit and its unit."""
    return {
        f"{group} {name}": HallGoal(group, f"{text}: {what}", limit, unit)
        for name, (what, limit, unit) in limits.items()
    }


def limit_entering(most: float) -> dict[str, tuple[str, float, MeasureUnit]]:
    return {"enter": ("entering, p95", most, MeasureUnit.MS)} | NO_ERROR


TEAM_NAMES = {"desk queries": 2}  # the public names of teams take two queries, once for each process and plan
NO_ERROR = {"errors": ("errors", 0.0, MeasureUnit.ERRORS)}
HARMLESS = {"ratio": ("entering, p95 beside that without", 1.5, MeasureUnit.RATIO)} | NO_ERROR
DESK = {"desk": ("the desk’s poll, p95", 300.0, MeasureUnit.MS)}

FIELD = {
    "ratio": ("entering, p95 beside that without", 1.5, MeasureUnit.RATIO),
    "calls": ("20 at a call, p95 beside that without", 1.5, MeasureUnit.RATIO),
} | NO_ERROR

FLAT = {"rate": ("results", 40, MeasureUnit.AT_LEAST)} | NO_ERROR
JOBS = {"jobs": ("computations of the standings", 1.1, MeasureUnit.PER_SECOND)}
# Those that come too early are counted too: they ask to be called again, and compute nothing.
EVERY_DEAL = {
    "jobs": ("jobs of the standings", 2.0, MeasureUnit.PER_SECOND),
    "left": ("deals left", 0, MeasureUnit.ERRORS),
}

GOALS: dict[str, HallGoal] = (
    make_goals("joins", "every table joins at once", {"all": ("until the last has", 2000, MeasureUnit.MS)} | NO_ERROR)
    | make_goals("pace", "the hall’s pace", limit_entering(150) | DESK)
    | make_goals("readers200", "and 200 readers every 10 s", limit_entering(300) | DESK)
    | make_goals("readers1000", "and 1 000 readers every 10 s", limit_entering(300) | DESK)
    | make_goals("backup", "backups run beside", HARMLESS)
    | make_goals("field", "4 a second in a national field", FIELD)
    | make_goals("flat", "flat out", FLAT | JOBS)
    | make_goals("free", "every free deal, flat out", FLAT | EVERY_DEAL)
    | {"table": HallGoal("cpu", "a table’s poll, 204", 4, MeasureUnit.BARE)}
    | {"table queries": HallGoal("cpu", "a table’s poll, 204: queries", 2, MeasureUnit.QUERIES)}
    | page("enter", "start and enter", 25)
    | {
        "ranking 304": HallGoal("cpu", "ranking, 304", 2, MeasureUnit.BARE),
        "ranking": HallGoal("cpu", "ranking, 200", 4, MeasureUnit.BARE),
    }
    | page("desk", "desk", 400, 15)
    | page("poll", "the desk’s poll after a result", 60, 8)
    | {"poll 204 queries": HallGoal("cpu", "the desk’s poll, 204: queries", 3, MeasureUnit.QUERIES)}
    | page("bulk", "bulk page", 300)
    | page("plays", "plays, by the API", 300)
    | page("live", "live standings", 300)
    | page("plan", "plan", 300)
    | {"job": HallGoal("cpu", "standings after one result", 60, MeasureUnit.MS)}
    | make_goals(
        "laptop-flat",
        "40 tables on a laptop, flat out",
        {"rate": ("results", 25, MeasureUnit.AT_LEAST)} | NO_ERROR,
    )
    | make_goals("laptop-backup", "40 tables on a laptop, backups run beside", HARMLESS)
    | make_goals("laptop-pace", "40 tables on a laptop at their pace", limit_entering(150))
)  # fmt: skip
GROUPS = tuple(dict.fromkeys(goal.group for goal in GOALS.values()))
LAPTOP = "laptop"
FREE = "free"  # a hall in which the tables deal, from the first deal to the last one
ON_DEMAND = {"field", FREE}  # groups with a hall of their own: they are measured only if they are asked for


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """A figure that was measured for the goal with that name. Times are in milliseconds.

    `beside`: a text with other observations. `more`: how much more teams may need than single players. `bare`: the time
    of a bare view that was asked for in turns with this one, if it was.
    """

    name: str
    measured: float
    beside: str = ""
    more: int = 0
    bare: float | None = None

    @property
    def goal(self) -> HallGoal:
        return GOALS[self.name]

    def is_met(self, bare: float) -> bool:
        """Return whether the figure meets its goal. A missing figure (NaN) does not meet it."""
        bare = self.bare or bare
        limit = self.goal.limit_here(bare) + self.more
        return self.measured >= limit if self.goal.unit is MeasureUnit.AT_LEAST else self.measured <= limit

    def line(self, bare: float) -> str:
        """Return a line of the printed table: the figure and its goal."""
        bare = self.bare or bare
        goal, limit = self.goal, self.goal.limit_here(bare) + self.more
        shown, wanted = f"{self.measured:.4g} {goal.unit.value}", f"≤ {limit:.4g}"
        if goal.unit is MeasureUnit.AT_LEAST:
            shown, wanted = f"{self.measured:.4g} /s", f"≥ {limit:.4g}"
        elif goal.unit is MeasureUnit.BARE:
            shown, wanted = f"{self.measured / bare:.3g} × bare ({self.measured:.3g} ms)", f"≤ {goal.limit:g} ×"
        elif goal.unit is MeasureUnit.MS and bare != 1:
            wanted += f" (of {goal.limit:g})"
        verdict = "met" if self.is_met(bare) else "MISSED"
        return f"{goal.text:62} {shown:>24}  {wanted:20} {verdict:7} {self.beside}".rstrip()


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` (0 to 1) of the values do not exceed; NaN without values."""
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def spread_figures(seconds: Sequence[float]) -> str:
    """Return the number of values, their median, their p95 and the largest, in milliseconds, as text."""
    p50, p95, most = (1000 * percentile(seconds, share) for share in (0.5, 0.95, 1))
    return f"{len(seconds)} × p50 {p50:.0f}, p95 {p95:.0f}, most {most:.0f} ms"
