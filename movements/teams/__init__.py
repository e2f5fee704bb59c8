"""The plans of teams: triplettes on two lines or all against all, Emmanuel 16, quadrettes and team matches.

A plan of teams has two sides a table, so it is a value of its own beside `movements.plans.plan.Plan`.
`propose_triplettes`, `propose_quadrettes` and `propose_matches` list the plans to choose from. `find_team_faults`
checks every plan before it is stored.
"""

from movements.plan.laws import PlanFault
from movements.plan.notation import read_table_plan, write_table_plan
from movements.plan.tables import PlanStop, TablePlan, TableSeating, drop_competitor
from movements.teams.circle import pair_all
from movements.teams.figures import TeamFigures, compute_team_figures
from movements.teams.matches import (
    LEAST_OF_QUARTER,
    MATCH_QUARTERS,
    MOST_OF_QUARTER,
    EtuiSets,
    plan_matches,
    plan_quadrettes,
)
from movements.teams.proposals import (
    MATCH,
    TeamProposal,
    propose_matches,
    propose_quadrettes,
    propose_triplettes,
)
from movements.teams.replan import replan_with, replan_without
from movements.teams.triplettes import all_meet, emmanuel, two_lines
from movements.teams.verify import find_false_team_claims, find_team_faults

__all__ = [
    "LEAST_OF_QUARTER",
    "MATCH",
    "MATCH_QUARTERS",
    "MOST_OF_QUARTER",
    "EtuiSets",
    "PlanFault",
    "PlanStop",
    "TablePlan",
    "TableSeating",
    "TeamFigures",
    "TeamProposal",
    "all_meet",
    "compute_team_figures",
    "drop_competitor",
    "emmanuel",
    "find_false_team_claims",
    "find_team_faults",
    "pair_all",
    "plan_matches",
    "plan_quadrettes",
    "propose_matches",
    "propose_quadrettes",
    "propose_triplettes",
    "read_table_plan",
    "replan_with",
    "replan_without",
    "two_lines",
    "write_table_plan",
]
