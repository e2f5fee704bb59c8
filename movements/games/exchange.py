"""The search for tables at which people meet as seldom as possible, and members of one team never.

The cost counts, in this order: members of one team at one table, repeated meetings, times at odd tables. The search is
simulated annealing: at first it also keeps some exchanges that make the tables worse. A fixed number of steps limits
the time. The same input and seed give the same tables on every machine.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from deals.domain.dealing import BITS, numbers
from movements.plan.bounds import PlanError

Seated = list[list[list[int]]]  # for each game, for each table, its people

_MATES = 5_000
_REPEATED = 12  # the cost of the second meeting of a pair; a third one costs more
_ODD = 1  # somebody who sits n times at an odd table costs n² times this
_HEAT = 14.0
_COOLED = 0.75  # the share of the steps after which no worse tables are kept any more


class Hall:
    """The state of a search: the tables of all games, who has met, and how often each sits at an odd table."""

    def __init__(
        self, seated: Seated, usual: int, mates: Sequence[Collection[int]] = (), *, after: int = 0, flat: bool = False
    ) -> None:
        """Read the tables. The first `after` games never change.

        `flat`: a third meeting costs as much as a second one, so that the fewest repeated meetings come first.
        """
        self.seated, self.usual, self.after = seated, usual, after
        people = max((number for game in seated for table in game for number in table), default=0)
        self.met = [[0] * (people + 1) for _ in range(people + 1)]
        self.odd = [0] * (people + 1)
        self.mates = {(one, two) for team in mates for one in team for two in team if one != two}
        most = len(seated) + 2
        self.more = [0, *(_REPEATED * (1 if flat else times) for times in range(1, most))]
        for game in seated:
            for table in game:
                for one, two in combinations(table, 2):
                    self.met[one][two] += 1
                    self.met[two][one] += 1
                if len(table) != usual:
                    for number in table:
                        self.odd[number] += 1

    def count_repeated(self) -> int:
        """Return how many meetings are not the first one of a pair."""
        return sum(max(0, times - 1) for one, row in enumerate(self.met) for times in row[:one])

    def count_mates(self) -> int:
        """Return how many times members of one team meet."""
        return sum(self.met[one][two] for one, two in self.mates) // 2

    def find_cost(self, here: list[int], one: int, there: list[int], two: int) -> int:
        """Return the cost of an exchange of player `one` of table `here` with player `two` of table `there`.

        A cost below 0 makes the tables better. Both tables are of one game.
        """
        more, mates = self.more, self.mates
        mine, yours = self.met[one], self.met[two]
        cost = 0
        for other in here:
            if other != one:
                cost += more[yours[other]] - more[mine[other] - 1]
                if mates:
                    cost += _MATES * (((two, other) in mates) - ((one, other) in mates))
        for other in there:
            if other != two:
                cost += more[mine[other]] - more[yours[other] - 1]
                if mates:
                    cost += _MATES * (((one, other) in mates) - ((two, other) in mates))
        change = (len(there) != self.usual) - (len(here) != self.usual)
        if change:
            # (n + 1)² − n² for the one who comes to an odd table, n² − (n − 1)² for the one who leaves it
            comes, leaves = (one, two) if change > 0 else (two, one)
            cost += _ODD * (2 * self.odd[comes] + 1 - 2 * self.odd[leaves] + 1)
        return cost

    def exchange(self, here: list[int], one: int, there: list[int], two: int) -> None:
        """Exchange `one` of table `here` with `two` of table `there`, in the same game."""
        for other in here:
            if other != one:
                self._note(one, other, -1)
                self._note(two, other, 1)
        for other in there:
            if other != two:
                self._note(two, other, -1)
                self._note(one, other, 1)
        here[here.index(one)], there[there.index(two)] = two, one
        change = (len(there) != self.usual) - (len(here) != self.usual)
        self.odd[one] += change
        self.odd[two] -= change

    def _note(self, one: int, two: int, times: int) -> None:
        self.met[one][two] += times
        self.met[two][one] += times


def anneal_tables(hall: Hall, *, steps: int, seed: int = 1, heat: float = _HEAT) -> None:
    """Exchange people of the games that may change, for this number of steps."""
    games = [game for game in hall.seated[hall.after :] if len(game) > 1]
    if not games:
        return
    draw = numbers(seed, "games")
    cooling = int(steps * _COOLED)
    for step in range(steps):
        chance = next(draw)
        game = games[chance % len(games)]
        chance //= len(games)
        first = chance % len(game)
        chance //= len(game)
        second = (first + 1 + chance % (len(game) - 1)) % len(game)
        places = next(draw)
        here, there = game[first], game[second]
        one, two = here[places % len(here)], there[(places >> 8) % len(there)]
        cost = hall.find_cost(here, one, there, two)
        # A threshold in place of an exponential: floats would differ from one machine to another.
        warmth = heat * (1 - step / cooling) if step < cooling else 0
        if cost <= warmth * (places >> 16) / (1 << (BITS - 16)):
            hall.exchange(here, one, there, two)


def even_odd_tables(hall: Hall) -> None:
    """Exchange people so that all sit about equally often at an odd table, without one more repeated meeting.

    Stop if no exchange of a person who sits there too often makes it better.
    """
    improved = True
    while improved:
        improved = False
        top = max(hall.odd)
        for game in hall.seated[hall.after :]:
            for here in (table for table in game if len(table) != hall.usual):
                for one in [number for number in here if hall.odd[number] == top]:
                    improved |= _send_away(hall, game, here, one)
        improved = improved and max(hall.odd) > 1


def _send_away(hall: Hall, game: list[list[int]], here: list[int], one: int) -> bool:
    """Exchange somebody of an odd table with a person of a usual one if that is better. Return whether it was done."""
    for there in game:
        if len(there) == hall.usual:
            for two in there:
                if hall.odd[two] < hall.odd[one] - 1 and hall.find_cost(here, one, there, two) < 0:
                    hall.exchange(here, one, there, two)
                    return True
    return False


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


def slice_people(people: Iterable[int], sizes: Iterable[int]) -> list[list[int]]:
    """Return tables of these sizes, or teams, with the people in their order."""
    numbers = iter(people)
    return [[next(numbers) for _ in range(size)] for size in sizes]
