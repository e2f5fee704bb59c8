"""The best attacks that the étuis of a plan allow, found by exhaustive search.

It shows whether uneven attacks can be avoided at all. The unknowns are numbers: how many étuis of each line lie in each
set. Their sums are known for each set and for each line. For each player, the sum over the étuis that the player takes
must lie between two bounds. The search tries one value after another, and narrows the other unknowns by the sums.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from movements import LinePlan
from movements.plan.measures import taking_lines
from movements.plan.plan import SEATS

MOST_STEPS = 20_000


class Sum(NamedTuple):
    """The sum of the unknowns at these places, and its bounds."""

    of: Sequence[int]
    least: int
    most: int


class Share(NamedTuple):
    """The fewest and the most attacks that the étuis of a line give to its ranked players, and their number."""

    least: int
    most: int
    players: int


def can_be_met(sums: Sequence[Sum], unknowns: int, highest: int) -> bool:
    """Return True if there are numbers from 0 to `highest` with these sums. Raise `AssertionError` after many steps."""
    low, high = [0] * unknowns, [highest] * unknowns
    touching = [[i for i, one in enumerate(sums) if unknown in one.of] for unknown in range(unknowns)]
    weight, steps = [1] * len(sums), 0

    def narrow(first: Sequence[int]) -> list[tuple[int, int, int]] | None:
        """Return the unknowns that were narrowed, each with its bounds before, or None if a sum cannot be met."""
        waiting, before = set(first), []
        while waiting:
            i = waiting.pop()
            of, least, most = sums[i]
            spare, lacking = most - sum(low[one] for one in of), sum(high[one] for one in of) - least
            if spare < 0 or lacking < 0:
                weight[i] += 1
                restore(before)
                return None
            for one in of:
                if high[one] - low[one] > min(spare, lacking):
                    before.append((one, low[one], high[one]))
                    low[one], high[one] = max(low[one], high[one] - lacking), min(high[one], low[one] + spare)
                    waiting.update(touching[one])
        return before

    def restore(before: Sequence[tuple[int, int, int]]) -> None:
        for one, lowest, highest in reversed(before):
            low[one], high[one] = lowest, highest

    def try_all() -> bool:
        nonlocal steps
        steps += 1
        assert steps < MOST_STEPS, "too much to try"
        open_ones = [one for one in range(unknowns) if low[one] < high[one]]
        if not open_ones:
            return True
        one = min(open_ones, key=lambda one: (high[one] - low[one] + 1) / sum(weight[i] for i in touching[one]))
        lowest, highest = low[one], high[one]
        for number in sorted(range(lowest, highest + 1), key=lambda number: abs(2 * number - lowest - highest)):
            low[one] = high[one] = number
            narrowed = narrow(touching[one])
            if narrowed is not None:
                if try_all():
                    return True
                restore(narrowed)
            low[one], high[one] = lowest, highest
        return False

    return narrow(range(len(sums))) is not None and try_all()


class Laying:
    """The étuis of a plan: how many there are for each line, and who takes the étuis of a line in each set.

    `seats[player]` has the set and line of each play of the player.
    """

    def __init__(self, plan: LinePlan) -> None:
        sets = sorted({play.etuis for play in plan.stops})
        self.sets, self.size = len(sets), plan.etuis_per_position
        named = Counter(taking_lines(plan).values())
        self.etuis = [named[line] for line in range(SEATS)]
        self.seats = {member: [] for member in plan.everybody() if member not in plan.fillers}
        for play in plan.stops:
            if play.complete:
                for line, member in enumerate(play.people):
                    if member in self.seats:
                        self.seats[member].append((sets.index(play.etuis), line))
        self.all_of_them = plan.etuis_per_position * plan.positions
        self.on_own_line = not plan.rovers

    def allows(self, least: int, most: int) -> bool:
        """Return True if the étuis can lie so that each ranked player attacks `least` to `most` times.

        What a line does not allow by itself, no way to lay the étuis of all lines gives.
        """
        if not self.on_own_line:
            return self.allows_lines(range(SEATS), least, most)
        enough = all(one.most >= least * one.players and one.least <= most * one.players for one in self.shares())
        alone = enough and all(self.allows_lines([line], least, most) for line in range(SEATS))
        return alone and self.allows_lines(range(SEATS), least, most)

    def shares(self) -> Iterator[Share]:
        for line, etuis in enumerate(self.etuis):
            takers = Counter(at for at, on in (seat for seats in self.seats.values() for seat in seats) if on == line)
            players = sum(member.line == line for member in self.seats)
            at_each = [takers[at] for at in range(self.sets)]
            yield Share(min(at_each) * etuis, max(at_each) * etuis, players)

    def allows_lines(self, lines: Sequence[int], least: int, most: int) -> bool:
        """Return True if the étuis of these lines can lie so that their players attack `least` to `most` times."""
        place = {(at, line): i for i, (at, line) in enumerate((at, line) for at in range(self.sets) for line in lines)}
        sums = [Sum([place[at, line] for at in range(self.sets)], self.etuis[line], self.etuis[line]) for line in lines]
        if len(lines) == SEATS:
            sums += [Sum([place[at, line] for line in lines], self.size, self.size) for at in range(self.sets)]
        for member, seats in self.seats.items():
            if member.line not in lines:
                continue
            sums.append(Sum([place[seat] for seat in seats], least, most))
            if {line for _, line in seats} == {member.line}:  # the same, said of the étuis that others take
                etuis, others = self.etuis[member.line], set(range(self.sets)) - {at for at, _ in seats}
                sums.append(Sum([place[at, member.line] for at in others], etuis - most, etuis - least))
        return can_be_met(sums, len(place), self.size)


def everybody_can_attack(plan: LinePlan) -> bool:
    """Return True if the étuis can lie so that everybody attacks once at least."""
    laying = Laying(plan)
    return laying.allows(1, laying.all_of_them)


def least_gap(plan: LinePlan, most: int) -> int:
    """Return the least difference between attacks that is possible. None above `most` is examined."""
    laying = Laying(plan)
    ways = ((gap, low) for gap in range(most) for low in range(laying.all_of_them + 1))
    return next((gap for gap, low in ways if laying.allows(low, low + gap)), most)
