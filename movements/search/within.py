"""The choice of the étuis in each set, so that all attacks lie between two bounds.

Pure. Each step helps one player who attacks too often or not often enough. Of all exchanges of two étuis between sets
that change the attacks of this player, it makes the one that is best for all players. An exchange cannot be undone for
some steps, so the search does not go round in circles. The number of steps bounds the time; chance follows from the
seed.
"""

from collections.abc import Iterator
from dataclasses import replace

from movements.plans.figures import Takers, attacks
from movements.plans.plan import SEATS, Plan
from movements.search.chance import below, numbers

_BARRED = 5  # the steps until an étui of the same line may come back to a set,
_BARRED_LONGER = 8  # and fewer than so many more by chance


def lay_within(plan: Plan, lines: Takers, least: int, most: int, *, steps: int, seed: int = 1) -> Plan:
    """Return the plan with its étuis in other sets, so that each ranked player attacks `least` to `most` times.

    `lines` has the line that takes each étui. If no such plan is found in so many steps, the plan that misses the
    bounds by least is returned. The sets keep the numbers of étuis that they have.
    """
    search = _Within(plan, lines, least, most)
    search.walk(numbers(seed, f"between {plan.lines} {plan.positions} {least}"), steps)
    return search.lay(plan)


Exchange = tuple[int, int, int, int]  # an étui's set and line, then those of the étui that it is exchanged with


class _Within:
    """The state of the search: `held[s][line]` is how many étuis of the line are in set s.

    `beside[s][line]` has the ids of the ranked players who sit on the line when they play set s. `seats[player]` has
    the set and line of each play of the player, and `taken[player]` how often the player attacks. `missed[count]` is
    the cost of so many attacks, `less[player]` and `more[player]` what one attack less or more adds to it.
    """

    def __init__(self, plan: Plan, lines: Takers, least: int, most: int) -> None:
        self.lines = lines
        self.sets = sorted({play.etuis for play in plan.plays})
        place = {etuis: i for i, etuis in enumerate(self.sets)}
        ranked = [member for member in plan.members() if member not in plan.fillers]
        ids = {member: i for i, member in enumerate(ranked)}
        self.held = [[sum(lines[etui] == line for etui in etuis) for line in range(SEATS)] for etuis in self.sets]
        self.beside: list[list[set[int]]] = [[set() for _ in range(SEATS)] for _ in self.sets]
        self.seats: list[list[tuple[int, int]]] = [[] for _ in ranked]
        for play in plan.plays:
            if play.complete:
                for line, member in enumerate(play.members):
                    if member in ids:
                        self.beside[place[play.etuis]][line].add(ids[member])
                        self.seats[ids[member]].append((place[play.etuis], line))
        taken = attacks(plan, takers=lines)
        self.taken = [taken[member] for member in ranked]
        counts = range(plan.etuis_per_position * plan.positions + 2)
        self.missed = [max(0, least - count, count - most) ** 2 for count in counts]
        self.less = [self.missed[count - 1] - self.missed[count] for count in self.taken]
        self.more = [self.missed[count + 1] - self.missed[count] for count in self.taken]
        self.most = most
        self.apart: dict[Exchange, tuple[list[int], list[int]]] = {}

    def walk(self, draw: Iterator[int], steps: int) -> None:
        """Make so many exchanges at most. End with the étuis that missed the bounds by least."""
        fewest, best = self._misses(), self._copy()
        left: dict[tuple[int, int], int] = {}  # a set that an étui of a line left → the step until none comes back
        for step in range(steps):
            outside = [player for player, count in enumerate(self.taken) if self.missed[count]]
            if not outside:
                break
            exchanges = self._exchanges(outside[below(draw, len(outside))])
            first, now = below(draw, len(exchanges) or 1), self._misses()
            found = None
            for exchange in exchanges[first:] + exchanges[:first]:
                here, line, there, other = exchange
                worse = self._worse(exchange)
                barred = max(left.get((there, line), 0), left.get((here, other), 0)) > step
                if (found is None or worse < found[0]) and not (barred and now + worse >= fewest):
                    found = worse, exchange
            if found is None:
                continue
            here, line, there, other = found[1]
            self._make(found[1])
            left[here, line] = step + _BARRED + below(draw, _BARRED_LONGER)
            left[there, other] = step + _BARRED + below(draw, _BARRED_LONGER)
            if self._misses() < fewest:
                fewest, best = self._misses(), self._copy()
        self.held = best

    def _misses(self) -> int:
        return sum([self.missed[count] for count in self.taken])

    def _copy(self) -> list[list[int]]:
        return [row[:] for row in self.held]

    def _exchanges(self, player: int) -> list[Exchange]:
        """Return the exchanges that take an étui from a player who attacks too often, or give one to another."""
        sets, too_often = range(len(self.sets)), self.taken[player] > self.most
        found = []
        for mine, line in self.seats[player]:
            for other_set in sets:
                if player in self.beside[other_set][line]:
                    continue
                here, there = (mine, other_set) if too_often else (other_set, mine)
                if self.held[here][line]:
                    found += [
                        (here, line, there, other)
                        for other in range(SEATS)
                        if other != line and self.held[there][other]
                    ]
        return found

    def _changes(self, exchange: Exchange) -> tuple[list[int], list[int]]:
        """Return the players who attack once less, and once more, after the exchange."""
        if exchange not in self.apart:
            here, line, there, other = exchange
            one, two = self.beside[here], self.beside[there]
            self.apart[exchange] = (
                [*(one[line] - two[line]), *(two[other] - one[other])],
                [*(two[line] - one[line]), *(one[other] - two[other])],
            )
        return self.apart[exchange]

    def _worse(self, exchange: Exchange) -> int:
        """Return by how much the exchange adds to what misses the bounds."""
        fewer, more = self._changes(exchange)
        return sum(map(self.less.__getitem__, fewer)) + sum(map(self.more.__getitem__, more))

    def _make(self, exchange: Exchange) -> None:
        here, line, there, other = exchange
        fewer, more = self._changes(exchange)
        for player in fewer:
            self.taken[player] -= 1
        for player in more:
            self.taken[player] += 1
        for player in fewer + more:
            count = self.taken[player]
            self.less[player] = self.missed[count - 1] - self.missed[count]
            self.more[player] = self.missed[count + 1] - self.missed[count]
        for place, gone, come in ((here, line, other), (there, other, line)):
            self.held[place][gone] -= 1
            self.held[place][come] += 1

    def lay(self, plan: Plan) -> Plan:
        """Return the plan with the new étuis of each set. Each line's étuis are given out in rising order."""
        etuis = sorted(self.lines)
        mine = [iter([etui for etui in etuis if self.lines[etui] == line]) for line in range(SEATS)]
        laid = {
            old: tuple(sorted(next(mine[line]) for line in range(SEATS) for _ in range(row[line])))
            for old, row in zip(self.sets, self.held, strict=True)
        }
        return replace(plan, plays=tuple(play._replace(etuis=laid[play.etuis]) for play in plan.plays))
