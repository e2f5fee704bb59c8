"""The starting numbers of teams, so that members of one team never meet."""

from collections.abc import Sequence

from movements.games.exchange import Seated
from movements.plans.plan import PlanError


def check_mates(sizes: Sequence[int], people: int, teams: Sequence[int]) -> None:
    """Raise PlanError if members of one team must meet, whatever the tables.

    `sizes`: of the tables. `teams`: the number of members of each. Each team has at most one member at a table, so
    there are as many tables as the largest team has members. And no table has more members than there are teams.
    """
    if not teams:
        return
    if sum(teams) > people:
        raise PlanError("mates_people", found=sum(teams), people=people)
    alone = people - sum(teams)
    if max(teams) > len(sizes) or sum(max(0, size - len(teams)) for size in sizes) > alone:
        raise PlanError("mates_meet", size=max(teams), tables=len(sizes))


def group_numbers(people: int, teams: Sequence[int], seated: Seated) -> tuple[tuple[int, ...], ...] | None:
    """Return for each team starting numbers that never meet in these games. None if this simple way finds none.

    Numbers of one line come first: a line of a rule never meets itself. The largest teams choose first.
    """
    meets: list[set[int]] = [set() for _ in range(people + 1)]
    for game in seated:
        for table in game:
            for number in table:
                meets[number].update(table)
    free = list(range(1, people + 1))
    chosen: dict[int, tuple[int, ...]] = {}
    for team in sorted(range(len(teams)), key=lambda place: -teams[place]):
        group = _find_group(free, meets, teams[team])
        if group is None:
            return None
        chosen[team] = group
        free = [number for number in free if number not in group]
    return tuple(chosen[team] for team in range(len(teams)))


def _find_group(free: Sequence[int], meets: Sequence[set[int]], size: int) -> tuple[int, ...] | None:
    """Return numbers that never meet, the first ones by number. None if there are none."""

    def extend(group: tuple[int, ...], rest: Sequence[int]) -> tuple[int, ...] | None:
        if len(group) == size:
            return group
        for place, number in enumerate(rest):
            left = [other for other in rest[place + 1 :] if other not in meets[number]]
            if len(left) >= size - len(group) - 1:
                found = extend((*group, number), left)
                if found:
                    return found
        return None

    return extend((), free)


def spread_mates(people: int, teams: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return consecutive starting numbers for each team."""
    numbers = iter(range(1, people + 1))
    return tuple(tuple(next(numbers) for _ in range(size)) for size in teams)
