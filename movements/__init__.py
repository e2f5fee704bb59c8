"""The plans of an evening, for any number of players: making them, measuring them and checking them.

A plan says who plays which étui at which table. These modules work on data alone. `propose_plans` lists the plans from
which a director chooses, `propose_changes` the ways to go on when players come or go. `find_faults` checks every plan
before it is stored.
"""

from movements.plan.bounds import PlanError
from movements.plans.figures import PlanFigures, Takers, attack_range, attacks, compute_figures
from movements.plans.notation import csv_lines, from_csv, read_plan_data, to_csv, write_plan_data
from movements.plans.plan import Member, Plan, PlannedPlay, Span
from movements.plans.verify import Fault, find_false_claims, find_faults
from movements.proposals import MOST_WAYS, Proposal, plan_tables, propose_plans, sort_proposals, ways_to_play
from movements.replan import arrival_lines, propose_changes
from movements.search.even import is_more_even, with_even_attacks
from movements.search.rules import Rule, choose_positions, lay_out, most_perfect, rule_for, search_shifts

__all__ = [
    "MOST_WAYS",
    "Fault",
    "Member",
    "Plan",
    "PlanError",
    "PlanFigures",
    "PlannedPlay",
    "Proposal",
    "Rule",
    "Span",
    "Takers",
    "arrival_lines",
    "attack_range",
    "attacks",
    "choose_positions",
    "compute_figures",
    "csv_lines",
    "find_false_claims",
    "find_faults",
    "from_csv",
    "is_more_even",
    "lay_out",
    "most_perfect",
    "plan_tables",
    "propose_changes",
    "propose_plans",
    "read_plan_data",
    "rule_for",
    "search_shifts",
    "sort_proposals",
    "to_csv",
    "ways_to_play",
    "with_even_attacks",
    "write_plan_data",
]
