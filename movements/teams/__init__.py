"""The plans of teams: triplettes on two lines or all against all, Emmanuel 16, quadrettes and team matches.

A plan of teams has two sides a table. `propose_triplettes`, `propose_quadrettes` and `propose_matches` list the plans
to choose from.
"""

from movements.teams.circle import pair_all
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
    propose_matches,
    propose_quadrettes,
    propose_triplettes,
)
from movements.teams.replan import replan_with, replan_without
from movements.teams.triplettes import all_meet, emmanuel, two_lines
