"""The check of the figures of games. It counts everything again in the plainest way.

This module shares no code with `figures`.
"""

from collections import defaultdict
from collections.abc import Iterator

from movements.games.figures import GameFigures
from movements.plan.laws import PlanFault, find_plan_faults
from movements.plan.tables import TablePlan


def find_game_faults(games: TablePlan, claimed: GameFigures | None = None) -> list[PlanFault]:
    """Return every fault. `claimed`: figures that the games should have; a false figure is a fault."""
    faults = find_plan_faults(games)
    if claimed is not None and not faults:
        faults += _find_false_figures(games, claimed)
    return faults


def _find_false_figures(games: TablePlan, claimed: GameFigures) -> Iterator[PlanFault]:
    numbers = range(1, games.competitors + 1)
    shared: dict[tuple[int, int], set[int]] = defaultdict(set)
    odd: dict[int, set[int]] = defaultdict(set)
    rested: dict[int, int] = defaultdict(int)
    for table in games.stops:
        for number in table.people:
            for other in table.people:
                if number < other:
                    shared[number, other].add(table.position)
            if len(table.people) != {"fives": 5, "all_fives": 5, "all_threes": 3}.get(games.odd, 4):
                odd[number].add(table.position)
        for number in table.rests:
            rested[number] += 1
    all_games = [number for number in numbers if number not in {stay.number for stay in games.stays}]
    seated = {number for table in games.stops for number in table.people}
    meetings = sum(len(met) for met in shared.values())
    pairs = sum(1 for number in seated for other in seated if number < other)
    teams = [(one, two) for team in games.mates for one in team for two in team if one < two]
    sizes = sorted({len(table.people) for table in games.stops if table.start == 1})
    found = GameFigures(
        repeated=sum(max(0, len(met) - 1) for met in shared.values()),
        bound=max(0, meetings - pairs),
        most_meetings=max((len(met) for met in shared.values()), default=0),
        sizes=tuple(
            (size, sum(1 for table in games.stops if table.start == 1 and len(table.people) == size)) for size in sizes
        ),
        most_odd=max((len(odd[number]) for number in all_games), default=0),
        least_odd=min((len(odd[number]) for number in all_games), default=0),
        most_rests=max((rested[number] for number in all_games), default=0),
        least_rests=min((rested[number] for number in all_games), default=0),
        mates=sum(len(shared[pair]) for pair in teams),
    )
    for name in GameFigures.__slots__:
        if (here := getattr(found, name)) != (said := getattr(claimed, name)):
            yield PlanFault("figure", {"figure": name, "claimed": str(said), "found": str(here)})
