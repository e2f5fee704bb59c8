"""The choice of the étuis in each set, so that every player's number of attacks lies between two bounds.

Each step takes a player who attacks too often or too seldom. The step looks at all exchanges of two étuis that help
this player, and makes the best one for all players. For some steps an exchange cannot be undone, so that the search
does not go round in circles. The number of steps limits the time. The same seed gives the same result.
"""

from collections.abc import Iterator
from dataclasses import replace

from deals.domain.chance import below, numbers
from movements.plans.figures import Takers, attacks
from movements.plans.plan import SEATS, Plan

_BARRED = 5  # for this number of steps, no étui of the same line may come back to a set,
_BARRED_LONGER = 8  # and then for a random number of further steps, which is below this


def lay_within(plan: Plan, lines: Takers, least: int, most: int, *, steps: int, seed: int = 1) -> Plan:
    """Return the plan with étuis exchanged between its sets, so that ranked players attack `least` to `most` times.

    `lines`: the line that takes each étui. If no such plan is found in `steps` steps, return the one that comes
    nearest. Each set keeps its number of étuis.
    """
    search = _Within(plan, lines, least, most)
    search.walk(numbers(seed, f"between {plan.lines} {plan.positions} {least}"), steps)
    return search.lay(plan)


Exchange = tuple[int, int, int, int]  # the set and the line of an étui, then those of the étui that takes its place


class _Within:
    """The state of the search: `held[s][line]` is the number of étuis in set s that the line takes.

    `beside[s][line]`: the ids of the ranked players who sit on the line when they play set s. `seats[player]`: the set
    and the line of each play of the player. `taken[player]`: how often the player attacks. `missed[count]`: the cost if
    a player attacks `count` times. `less[player]` and `more[player]`: the cost that one attack less, or more, adds.
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
        """Make at most `steps` exchanges. Keep the étuis with the lowest cost."""
        fewest, best = self._misses(), self._copy()
        # set and line that an étui left → the first step in which an étui of that line may return to that set
        left: dict[tuple[int, int], int] = {}
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
        """Return the exchanges that help this player.

        They take an étui from a player who attacks too often, or give one to a player who attacks too seldom.
        """
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
        """Return two lists: the players who attack once less, and once more, after the exchange."""
        if exchange not in self.apart:
            here, line, there, other = exchange
            one, two = self.beside[here], self.beside[there]
            self.apart[exchange] = (
                [*(one[line] - two[line]), *(two[other] - one[other])],
                [*(two[line] - one[line]), *(one[other] - two[other])],
            )
        return self.apart[exchange]

    def _worse(self, exchange: Exchange) -> int:
        """Return the cost that the exchange adds."""
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
        """Return the plan with the new étuis of each set. Each line's étuis are placed in rising order."""
        etuis = sorted(self.lines)
        mine = [iter([etui for etui in etuis if self.lines[etui] == line]) for line in range(SEATS)]
        laid = {
            old: tuple(sorted(next(mine[line]) for line in range(SEATS) for _ in range(row[line])))
            for old, row in zip(self.sets, self.held, strict=True)
        }
        return replace(plan, plays=tuple(play._replace(etuis=laid[play.etuis]) for play in plan.plays))
