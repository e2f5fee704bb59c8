"""The words, the resting players and the figures of a plan, for pages, programs and files. It reads no rows."""

import csv
import json
from dataclasses import dataclass
from typing import Any

from movements import (
    LinePlan,
    Plan,
    PlanError,
    PlanFigures,
    Proposal,
    Seating,
    compute_figures,
    from_csv,
    read_line_plan,
    write_figures,
    write_plays,
)
from tournaments.words.messages import announcement, say_proposal, say_worth


@dataclass(frozen=True)
class ShownPlan:
    """A plan of four lines or of teams, in words and figures. `code` names the kind of plan, and `text` describes it.

    With `imposed`, the étuis name the taker, so that all should attack equally often.
    """

    plan: Plan[Any]
    figures: PlanFigures
    code: str
    text: str
    imposed: bool = True

    @property
    def announcement(self) -> str | None:
        """The sentence that the arbiter announces, or None if players need guide cards."""
        return None if self.plan.shifts is None else announcement(self.plan.shifts)

    @property
    def worth(self) -> list[str]:
        """The sentences about what the plan needs and how good it is."""
        return say_worth(self.plan, self.figures, imposed=self.imposed)


def show_proposal(proposal: Proposal) -> ShownPlan:
    """Return a proposed plan as it is shown."""
    return ShownPlan(proposal.plan, proposal.figures, proposal.code, say_proposal(proposal))


def plan_data(plan: LinePlan) -> dict[str, Any]:
    """Return the plan as data for JSON, with `exempt` (the resting players of each position) and its `figures`.

    `read_line_plan` reads such data.
    """
    return write_plays(plan) | {
        "exempt": exempt_data(plan),
        "figures": figures_data(compute_figures(plan)),
    }


def proposal_data(proposal: Proposal) -> dict[str, Any]:
    """Return a description of a proposal as data for JSON: its texts and figures, without the plan itself."""
    shown = show_proposal(proposal)
    told = {name: getattr(shown, name) for name in ("code", "text", "announcement", "worth")}
    return told | {"figures": figures_data(proposal.figures)}


def exempt_data(plan: LinePlan) -> list[list[str]]:
    """Return the names of the seats that rest, such as "N8", position by position."""
    return [[member.name for member in resting] for resting in plan.list_resting()]


def figures_data(found: PlanFigures) -> dict[str, Any]:
    return write_figures(Seating.LINES, found) | {"exempt": list(found.exempt), "perfect": found.perfect}


def read_plan_text(text: str) -> LinePlan:
    """Return the plan from the text of a file, in JSON or CSV.

    Raise `PlanError` if it cannot be read. If the text is not valid JSON, the `__cause__` of this error is the error of
    the JSON decoder.
    """
    if not is_json(text):
        return read_plan_csv(text)
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise PlanError("data", field="plan", expected=f"JSON: {error}") from error
    return read_line_plan(data)


def is_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def read_plan_csv(text: str) -> LinePlan:
    """Return the plan from CSV text with any kind of line ends. Raise `PlanError` if it cannot be read."""
    try:
        return from_csv("\n".join(text.splitlines()))
    except csv.Error as error:
        raise PlanError("data", field="plan", expected=f"CSV: {error}") from error
