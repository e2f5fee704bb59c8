"""Plans for any number of tables or players: how they are made, what they achieve, whether they hold, as data.

Pure. `proposals` is what a director chooses from, `changes` what he does when people come or go; `verify` is asked
before any plan is stored.
"""

from movements.plans.figures import Figures, Takers, attack_range, attacks, figures
from movements.plans.notation import csv_lines, from_csv, from_data, to_csv, to_data
from movements.plans.plan import Member, Plan, PlanError, PlannedPlay, Span
from movements.plans.verify import Fault, false_claims, verify
from movements.proposals import MOST_WAYS, Proposal, plan_tables, proposals, the_best_first, ways_to_play
from movements.replan import arrival_line, changes
from movements.search.choose import choose_positions
from movements.search.even import is_more_even, with_even_attacks
from movements.search.rules import Rule, lay_out, most_perfect, rule_for
from movements.search.shifts import search_shifts

__all__ = [
    "MOST_WAYS",
    "Fault",
    "Figures",
    "Member",
    "Plan",
    "PlanError",
    "PlannedPlay",
    "Proposal",
    "Rule",
    "Span",
    "Takers",
    "arrival_line",
    "attack_range",
    "attacks",
    "changes",
    "choose_positions",
    "csv_lines",
    "false_claims",
    "figures",
    "from_csv",
    "from_data",
    "is_more_even",
    "lay_out",
    "most_perfect",
    "plan_tables",
    "proposals",
    "rule_for",
    "search_shifts",
    "the_best_first",
    "to_csv",
    "to_data",
    "verify",
    "ways_to_play",
    "with_even_attacks",
]
