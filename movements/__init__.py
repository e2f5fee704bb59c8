"""The plans of an evening, for any number of players: making them, measuring them and checking them.

A plan says who plays which étui at which table. These modules work on data alone. `propose_plans` lists the plans of
four lines from which a director chooses, `propose_changes` the ways to go on when players come or go. `teams` and
`games` have those of other seatings. `find_faults` checks every plan before it is stored.
"""

from movements.plan.bounds import PlanError
from movements.plan.csv_text import csv_lines, from_csv, to_csv
from movements.plan.figures import PlanFigures, read_figures, write_figures
from movements.plan.laws import LineFault, PlanFault, find_faults
from movements.plan.measures import Takers, attack_range, attacks, compute_figures
from movements.plan.notation import find_seating, read_line_plan, read_plan, write_plan, write_plays
from movements.plan.plan import (
    ALIKE,
    LinePlan,
    Member,
    OddTables,
    Plan,
    PlanStop,
    Seating,
    Stay,
    drop_competitor,
)
from movements.proposals import MOST_WAYS, Proposal, plan_tables, propose_plans, sort_proposals, ways_to_play
from movements.replan import arrival_lines, propose_changes
from movements.search.even import is_more_even, with_even_attacks
from movements.search.rules import choose_positions, lay_out, most_perfect, rule_for, search_shifts
