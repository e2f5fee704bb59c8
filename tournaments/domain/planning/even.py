"""Which étui lies in which set, so that everybody attacks about as often, where a position has too few étuis for that.

Pure. An étui's number names its taker; four étuis of a row name all four lines, fewer do not. The numbers of the plan
stay the same, from 1 on: two of them are exchanged between sets, again and again, a fixed number of times.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from deals.domain.board import taker_and_dealer
from tournaments.domain.movements import LINES
from tournaments.domain.planning.chance import BITS, below, numbers
from tournaments.domain.planning.figures import attacks
from tournaments.domain.planning.plan import SEATS, Plan

MOVES = 12_000
_NEVER = 4  # what it costs that somebody never attacks, beside the squares of everybody's attacks
_HEAT = 3
_STAGES = 12  # of falling heat, the last four with none


def with_even_attacks(plan: Plan, *, seed: int = 1, moves: int = MOVES) -> Plan:
    """The plan, or with other étuis in its sets if fewer then never attack, or all attack more alike. Étuis that all
    tables play at once, or four by four, are even as they are."""
    if plan.barometer_after is not None or plan.etuis_per_position % SEATS == 0:
        return plan
    sets = _Sets(plan)
    sets.cool(numbers(seed, f"attacks {plan.lines} {plan.positions} {plan.etuis_per_position}"), moves)
    laid = sets.laid()
    even = replace(plan, plays=tuple(play._replace(etuis=laid[play.etuis]) for play in plan.plays))
    return min(plan, even, key=_unevenness)


def _unevenness(plan: Plan) -> tuple[int, int, int]:
    taken = attacks(plan)
    counts = [taken[member] for member in plan.members() if member not in plan.fillers]
    return counts.count(0), max(counts) - min(counts), sum(count * count for count in counts)


class _Sets:
    """`etuis[i]` lies in set i // k; `beside[s][line]` are the ids of those of a line who play set s."""

    def __init__(self, plan: Plan) -> None:
        self.k = plan.etuis_per_position
        self.sets = sorted({play.etuis for play in plan.plays})
        self.etuis = [etui for etuis in self.sets for etui in etuis]
        self.line = {etui: LINES.index(taker_and_dealer(etui)[0]) for etui in self.etuis}
        ids = {member: i for i, member in enumerate(plan.members())}
        place = {etuis: i for i, etuis in enumerate(self.sets)}
        self.beside: list[list[set[int]]] = [[set() for _ in range(SEATS)] for _ in self.sets]
        for play in plan.plays:
            if play.complete:
                for line, member in enumerate(play.members):
                    if member not in plan.fillers:
                        self.beside[place[play.etuis]][line].add(ids[member])
        taken = attacks(plan)
        self.taken = [taken[member] for member in ids]
        self.costs = [_NEVER, *(count * count for count in range(1, len(self.etuis) + 2))]

    def cool(self, draw: Iterator[int], moves: int) -> None:
        """Exchange two étuis; what makes things worse by d is done with probability 2^(−d/heat)."""
        for stage in range(_STAGES):
            heat = max(0, _HEAT * (_STAGES - 4 - stage) / (_STAGES - 4))
            for _ in range(moves // _STAGES):
                i, j = below(draw, len(self.etuis)), below(draw, len(self.etuis))
                if i // self.k == j // self.k or self.line[self.etuis[i]] == self.line[self.etuis[j]]:
                    continue
                changes = self._changes(i, j)
                worse = sum(
                    self.costs[self.taken[player] + change] - self.costs[self.taken[player]]
                    for player, change in changes.items()
                )
                if worse <= 0 or worse <= heat * (BITS - next(draw).bit_length()):
                    self.etuis[i], self.etuis[j] = self.etuis[j], self.etuis[i]
                    for player, change in changes.items():
                        self.taken[player] += change

    def _changes(self, i: int, j: int) -> dict[int, int]:
        """How many more each would attack if étuis i and j changed places."""
        changes: dict[int, int] = {}
        here, there = self.beside[i // self.k], self.beside[j // self.k]
        for etui, old, new in ((self.etuis[i], here, there), (self.etuis[j], there, here)):
            line = self.line[etui]
            changes |= dict.fromkeys(old[line] - new[line], -1)
            changes |= dict.fromkeys(new[line] - old[line], 1)
        return changes

    def laid(self) -> Mapping[tuple[int, ...], tuple[int, ...]]:
        """What lies in each set instead."""
        return {
            etuis: tuple(sorted(self.etuis[place * self.k : (place + 1) * self.k]))
            for place, etuis in enumerate(self.sets)
        }
