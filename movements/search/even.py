"""Which étui lies in which set, so that everybody attacks about as often, where a position has too few étuis for that.

Pure. An étui's number names its taker, unless its set says another; four étuis of a row name all four lines, fewer do
not. The numbers of the plan stay the same, from 1 on: two of them are exchanged between sets, again and again, a fixed
number of times. It begins with them in order, so that a plan laid before is laid as if it had not been.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from movements.plans.figures import Takers, attacks, taking_lines
from movements.plans.plan import SEATS, Plan
from movements.search.chance import BITS, numbers

MOVES = 12_000
TRIES = 4  # from other seeds, until one is as even as can be
_NEVER = 40  # what it costs that somebody never attacks, beside the squares below
_FINE = 4  # attacks are held against their mean in quarters, as there may be fillers who take some off everybody else
_HEAT = 12
_STAGES = 12  # of falling heat, the last four with none


def is_more_even(plan: Plan, than: Plan, takers: Takers | None = None) -> bool:
    """Return whether fewer players never attack in the plan than in the other one, or all attack more alike."""
    return _unevenness(plan, taking_lines(plan, takers)) < _unevenness(than, taking_lines(than, takers))


def with_even_attacks(plan: Plan, takers: Takers | None = None, *, seed: int = 1, moves: int = MOVES) -> Plan:
    """The plan, or with other étuis in its sets if fewer then never attack, or all attack more alike. `takers` as for
    `attacks`. Sets that name all lines alike are even as they are, and so are those that nobody rests from and all
    tables play at once."""
    lines = taking_lines(plan, takers)
    if _is_even(plan, lines) or (plan.barometer_after is not None and not any(plan.exempt())):
        return plan
    ordered = _in_order(plan)
    if ordered is None or _is_even(ordered, lines):
        return ordered or plan
    best, fewest = ordered, _least_unevenness(ordered, lines)
    for number in range(seed, seed + TRIES):
        if _unevenness(best, lines)[:2] <= fewest:
            break
        sets = _Sets(ordered, lines)
        sets.cool(numbers(number, f"attacks {plan.lines} {plan.positions} {plan.etuis_per_position}"), moves)
        best = min(best, _relaid(ordered, sets.lay()), key=lambda one: _unevenness(one, lines))
    return best


def _in_order(plan: Plan) -> Plan | None:
    """The plan with its étuis in rising order, set after set as they are met first; None where sets share étuis."""
    sets = list(dict.fromkeys(play.etuis for play in plan.plays))
    etuis = sorted(etui for etuis in sets for etui in etuis)
    if len(set(etuis)) < len(etuis):
        return None
    k = plan.etuis_per_position
    laid = {old: tuple(etuis[place * k : (place + 1) * k]) for place, old in enumerate(sets)}
    return plan if all(old == new for old, new in laid.items()) else _relaid(plan, laid)


def _relaid(plan: Plan, laid: Mapping[tuple[int, ...], tuple[int, ...]]) -> Plan:
    return replace(plan, plays=tuple(play._replace(etuis=laid[play.etuis]) for play in plan.plays))


def _is_even(plan: Plan, lines: Takers) -> bool:
    """Whether each set names all lines alike."""
    taking = ([lines[etui] for etui in etuis] for etuis in {play.etuis for play in plan.plays})
    return all(named.count(line) * SEATS == len(named) for named in taking for line in range(SEATS))


def _unevenness(plan: Plan, lines: Takers) -> tuple[int, int, int]:
    taken = attacks(plan, takers=lines)
    counts = [taken[member] for member in plan.members() if member not in plan.fillers]
    return counts.count(0), max(counts) - min(counts), sum(count * count for count in counts)


def _least_unevenness(plan: Plan, lines: Takers) -> tuple[int, int]:
    """Return how many never attack at least, and by how much attacks differ at least: a line's étuis are taken by its
    own members alone. With fillers and rovers nothing is known of it."""
    if plan.rovers or plan.fillers:
        return 0, 0
    shares = []
    for line, size in enumerate(plan.lines):
        taken = sum(lines[etui] == line for play in plan.plays if play.complete for etui in play.etuis)
        shares.append((taken, size))
    never = sum(max(0, size - taken) for taken, size in shares)
    return never, max(-(-taken // size) for taken, size in shares) - min(taken // size for taken, size in shares)


class _Sets:
    """`etuis[i]` lies in set i // k; `beside[s][line]` are the ids of those of a line who play set s."""

    def __init__(self, plan: Plan, lines: Takers) -> None:
        self.k = plan.etuis_per_position
        self.sets = sorted({play.etuis for play in plan.plays})
        self.etuis = [etui for etuis in self.sets for etui in etuis]
        self.line = lines
        ids = {member: i for i, member in enumerate(plan.members())}
        place = {etuis: i for i, etuis in enumerate(self.sets)}
        self.beside: list[list[set[int]]] = [[set() for _ in range(SEATS)] for _ in self.sets]
        for play in plan.plays:
            if play.complete:
                for line, member in enumerate(play.members):
                    if member not in plan.fillers:
                        self.beside[place[play.etuis]][line].add(ids[member])
        taken = attacks(plan, takers=lines)
        self.taken = [taken[member] for member in ids]
        self.apart: dict[tuple[int, int, int], list[int]] = {}
        mean = _FINE * sum(self.taken) // len(self.taken)
        costs = [(_FINE * count - mean) ** 2 for count in range(len(self.etuis) + 2)]
        costs[0] += _NEVER
        self.once_more = [more - now for now, more in pairwise(costs)]

    def cool(self, draw: Iterator[int], moves: int) -> None:
        """Exchange two étuis; what makes things worse by d is done with probability 2^(−d/heat)."""
        drawn, etuis, taken, costs = draw.__next__, self.etuis, self.taken, self.once_more
        many = len(etuis)
        for stage in range(_STAGES):
            heat = max(0, _HEAT * (_STAGES - 4 - stage) / (_STAGES - 4))
            for _ in range(moves // _STAGES):
                i, j = drawn() * many >> BITS, drawn() * many >> BITS  # `below`, written out
                if i // self.k == j // self.k or self.line[etuis[i]] == self.line[etuis[j]]:
                    continue
                fewer, more = self._changes(i, j)
                worse = sum([costs[taken[player]] for player in more])
                worse -= sum([costs[taken[player] - 1] for player in fewer])
                if worse <= 0 or worse <= heat * (BITS - drawn().bit_length()):
                    etuis[i], etuis[j] = etuis[j], etuis[i]
                    for player in fewer:
                        taken[player] -= 1
                    for player in more:
                        taken[player] += 1

    def _changes(self, i: int, j: int) -> tuple[list[int], list[int]]:
        """Who would attack once less, and once more, if étuis i and j changed places."""
        line, other = self.line[self.etuis[i]], self.line[self.etuis[j]]
        here, there = i // self.k, j // self.k
        fewer = self._apart(line, here, there) + self._apart(other, there, here)
        more = self._apart(line, there, here) + self._apart(other, here, there)
        return fewer, more

    def _apart(self, line: int, one: int, other: int) -> list[int]:
        """Those of a line who play one set and not the other."""
        key = line, one, other
        if key not in self.apart:
            self.apart[key] = list(self.beside[one][line] - self.beside[other][line])
        return self.apart[key]

    def lay(self) -> Mapping[tuple[int, ...], tuple[int, ...]]:
        """What lies in each set instead."""
        return {
            etuis: tuple(sorted(self.etuis[place * self.k : (place + 1) * self.k]))
            for place, etuis in enumerate(self.sets)
        }
