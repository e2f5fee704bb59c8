"""The data of plans for programs: the plan itself, with the rests and the figures. This module reads no row."""

import csv
import json
from dataclasses import asdict
from typing import Any

from deals.domain.cards import LINES
from movements import (
    Member,
    Plan,
    PlanError,
    PlanFigures,
    Proposal,
    compute_figures,
    from_csv,
    read_plan_data,
    write_plan_data,
)
from tournaments.words.messages import announcement, say_proposal, say_worth


def plan_data(plan: Plan) -> dict[str, Any]:
    """Return the data that `read_plan_data` reads, with its figures and `exempt`: those who rest, as "N8"."""
    return write_plan_data(plan) | {
        "exempt": exempt_data(plan),
        "figures": figures_data(compute_figures(plan)),
    }


def proposal_data(proposal: Proposal) -> dict[str, Any]:
    """Return the description and worth of a proposal, without its plan."""
    return {
        "code": proposal.code,
        "text": say_proposal(proposal),
        "announcement": None if proposal.plan.shifts is None else announcement(proposal.plan.shifts),
        "worth": say_worth(proposal.plan, proposal.figures),
        "figures": figures_data(proposal.figures),
    }


def exempt_data(plan: Plan) -> list[list[str]]:
    """Return the resting players, position by position."""
    return [[name_of(member) for member in resting] for resting in plan.exempt()]


def figures_data(found: PlanFigures) -> dict[str, Any]:
    return asdict(found) | {"exempt": list(found.exempt), "perfect": found.perfect}


def name_of(member: Member) -> str:
    return f"{LINES[member.line]}{member.number}"


def read_plan(text: str) -> Plan:
    """Read a plan from a file, as JSON or CSV.

    `PlanError` says what cannot be read. For a file that is not valid JSON, its `__cause__` is the error of the
    JSON decoder.
    """
    if not is_json(text):
        return read_plan_csv(text)
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise PlanError("data", field="plan", expected=f"JSON: {error}") from error
    return read_plan_data(data)


def is_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def read_plan_csv(text: str) -> Plan:
    """Read a plan from CSV as `from_csv` does, with any line ends. Raise `PlanError` if the text is no CSV."""
    try:
        return from_csv("\n".join(text.splitlines()))
    except csv.Error as error:
        raise PlanError("data", field="plan", expected=f"CSV: {error}") from error
