"""Plans as programs read and write them: the plan's own data with who rests and what it is worth. Reads no row."""

import csv
import json
from dataclasses import asdict
from typing import Any

from deals.domain.cards import LINES
from movements import Figures, Member, Plan, PlanError, Proposal, figures, from_csv, from_data, to_data
from tournaments.words.messages import announcement, say_proposal, say_worth


def plan_data(plan: Plan) -> dict[str, Any]:
    """What `from_data` reads again, and: `exempt`, who rests in each position as "N8"; `figures`."""
    return to_data(plan) | {
        "exempt": exempt_data(plan),
        "figures": figures_data(figures(plan)),
    }


def proposal_data(proposal: Proposal) -> dict[str, Any]:
    """What a proposal is, and what it is worth, without its plan."""
    return {
        "code": proposal.code,
        "text": say_proposal(proposal),
        "announcement": None if proposal.plan.shifts is None else announcement(proposal.plan.shifts),
        "worth": say_worth(proposal.plan, proposal.figures),
        "figures": figures_data(proposal.figures),
    }


def exempt_data(plan: Plan) -> list[list[str]]:
    """Who rests, position by position."""
    return [[name_of(member) for member in resting] for resting in plan.exempt()]


def figures_data(found: Figures) -> dict[str, Any]:
    return asdict(found) | {"exempt": list(found.exempt), "perfect": found.perfect}


def name_of(member: Member) -> str:
    return f"{LINES[member.line]}{member.number}"


def read_plan(text: str) -> Plan:
    """A plan in a file, as JSON or CSV. `PlanError` tells what cannot be read; what JSON says of it is its cause."""
    if not is_json(text):
        return read_csv(text)
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise PlanError("data", field="plan", expected=f"JSON: {error}") from error
    return from_data(data)


def is_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def read_csv(text: str) -> Plan:
    """As `from_csv`, also with the line ends of other machines; whatever is no CSV is a `PlanError` too."""
    try:
        return from_csv("\n".join(text.splitlines()))
    except csv.Error as error:
        raise PlanError("data", field="plan", expected=f"CSV: {error}") from error
