"""The plans of triplettes on two lines: North-South stay, East-West go up one table, the étuis down one (Mitchell).

With an even number of tables, East-West skip one table after half of the positions. Otherwise they would meet the étuis
of the first half again. Teams of one line never meet.
"""

from movements.plans.plan import MAX_TABLES
from movements.teams.plan import TeamPlan, TeamSeating, TeamStop, check_wish, make_team_plan, turn_set


def moving_positions(tables: int) -> int:
    """Return the number of positions for which étuis can move: the number of tables, one less if it is even."""
    return tables if tables % 2 else tables - 1


def two_lines(teams: int, positions: int, etuis_per_position: int = 4, *, barometer: bool = False) -> TeamPlan:
    """Return the plan in which one line of teams always sits North-South, and the other one East-West.

    If the étuis cannot move for this number of positions, all tables play the same étuis (barometer). With an odd
    number of teams, one team of North-South, the longer line, rests in each position. Nobody rests twice before all
    have rested. Raise PlanError if a count is out of range.
    """
    check_wish(teams=teams, least=4, most=2 * MAX_TABLES, positions=positions, etuis_per_position=etuis_per_position)
    tables = (teams + 1) // 2
    barometer = barometer or positions > max(1, moving_positions(tables))
    stops = []
    for step in range(positions):
        skip = 0 if barometer or tables % 2 or step < tables // 2 else 1
        for table in range(tables):
            east_west = (table - step - skip) % tables
            etuis = (step, table) if barometer else ((table + step) % tables, 0)
            stops.append(
                TeamStop(
                    step + 1,
                    table + 1,
                    turn_set(etuis[0], etuis_per_position, etuis[1]),
                    table + 1,
                    None if east_west >= teams - tables else tables + east_west + 1,
                )
            )
    rule = "two_lines_barometer" if barometer else "two_lines"
    return make_team_plan(TeamSeating.SIDES, teams, stops, rule, (tables, teams - tables))
