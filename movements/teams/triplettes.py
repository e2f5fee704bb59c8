"""The plans of triplettes: on two lines, round robins in which every team meets every other one, and Emmanuel 16.

With an even number of tables, East-West skip one table after half of the positions. Otherwise they would meet the étuis
of the first half again. Teams of one line never meet.

The regulation names the Howell movement for few teams, and Emmanuel 16 for finals (FFT 2012, the chapter on
triplettes). It does not print the plans, so the plans here are our own.
"""

from movements.plan.bounds import MAX_TABLES, PlanError, check_wish, turn_set
from movements.plan.plan import Plan, PlanStop, Seating, make_team_plan
from movements.teams.circle import pair_all, with_even_sides
from movements.teams.tables import EMMANUEL_16, STARTERS


def moving_positions(tables: int) -> int:
    """Return the number of positions for which étuis can move: the number of tables, one less if it is even."""
    return tables if tables % 2 else tables - 1


def two_lines(teams: int, positions: int, etuis_per_position: int = 4, *, barometer: bool = False) -> Plan[int]:
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
                PlanStop(
                    step + 1,
                    table + 1,
                    turn_set(etuis[0], etuis_per_position, etuis[1]),
                    (table + 1, None if east_west >= teams - tables else tables + east_west + 1),
                )
            )
    rule = "two_lines_barometer" if barometer else "two_lines"
    return make_team_plan(Seating.SIDES, teams, stops, rule, (tables, teams - tables))


EMMANUEL_TEAMS, EMMANUEL_ROUND = 16, 4


def can_move(teams: int, positions: int) -> bool:
    """Return whether étuis can move in a round robin with these numbers of teams and positions.

    `STARTERS` has the numbers of places for which they can.
    """
    places = _count_places(teams)
    return places in STARTERS and positions <= places


def _count_places(teams: int) -> int:
    """Return the number of rounds in which every team meets every other one."""
    return teams if teams % 2 else teams - 1


def all_meet(teams: int, positions: int, etuis_per_position: int = 4, *, moving: bool = False) -> Plan[int]:
    """Return the plan of a round robin: all tables play the same étuis in a position, or the étuis move.

    If there are more positions than rounds, the rounds begin again. If the number of teams is odd, one team rests in
    each position. The sides are chosen so that any two teams sit the same way about equally often. Raise PlanError if a
    count is out of range, or if étuis cannot move.
    """
    check_wish(teams=teams, least=3, most=2 * MAX_TABLES, positions=positions, etuis_per_position=etuis_per_position)
    if moving and not can_move(teams, positions):
        places = _count_places(teams)
        raise PlanError("moving_etuis", found=teams, positions=positions, most=places if places in STARTERS else 0)
    if moving:
        cells = [_cells(teams, step) for step in range(positions)]
    else:
        rounds = pair_all(teams)
        cells = [
            [(pair, step, table) for table, pair in enumerate(rounds[step % len(rounds)])] for step in range(positions)
        ]
    sided = with_even_sides([[pair for pair, _, _ in tables] for tables in cells], teams)
    stops = [
        PlanStop(step + 1, table + 1, turn_set(index, etuis_per_position, start), (first, second))
        for step, tables in enumerate(cells)
        for table, ((_, index, start), (first, second)) in enumerate(zip(tables, sided[step], strict=True))
    ]
    return make_team_plan(Seating.SIDES, teams, stops, "all_meet_moving" if moving else "all_meet")


def _cells(teams: int, step: int) -> list[tuple[tuple[int, int], int, int]]:
    """Return, for each table of a position with moving étuis, the pair, the index of the étui set and its first étui.

    In each position, every pair moves on by one place, and so does its set. In position 1 the set is at place −a, and a
    is the adder of the pair. So each team plays each set once.
    """
    places = _count_places(teams)
    last = [] if teams % 2 else [((teams, step % places + 1), step % places, 0)]
    return last + [
        (((start + step) % places + 1, (start + distance + step) % places + 1), (step - adder) % places, 0)
        for distance, (start, adder) in enumerate(STARTERS[places], start=1)
    ]


def emmanuel(positions: int = 20, etuis_per_position: int = 4) -> Plan[int]:
    """Return Emmanuel 16. In each position four teams attack three other teams each, with one player at each table.

    In every four positions, each team attacks in one position. Over 20 positions it attacks every other team once.
    Étuis are in barometer. Raise PlanError unless `positions` is 4, 8, 12, 16 or 20.
    """
    groups = [line.split() for line in EMMANUEL_16.split("\n") if line.strip()]
    check_wish(
        teams=EMMANUEL_TEAMS,
        least=EMMANUEL_TEAMS,
        most=EMMANUEL_TEAMS,
        positions=positions,
        etuis_per_position=etuis_per_position,
    )
    if positions > len(groups) or positions % EMMANUEL_ROUND:
        raise PlanError("emmanuel_positions", found=positions, most=len(groups))
    stops = []
    for step, tables in enumerate(groups[:positions]):
        for place, group in enumerate(tables):
            attacking, *defending = (ord(letter) - ord("a") + 1 for letter in group)
            for badge, team in enumerate(defending, start=1):
                table = len(defending) * place + badge
                stops.append(
                    PlanStop(step + 1, table, turn_set(step, etuis_per_position, table - 1), (attacking, team), badge)
                )
    return make_team_plan(Seating.BADGES, EMMANUEL_TEAMS, stops, "emmanuel16")
