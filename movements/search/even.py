"""The choice of the étuis in each set, so that all players take about equally often.

The number of an étui names its taker, unless its set says another. Four étuis in a row name all four lines, but fewer
étuis do not. So this choice matters if there are few étuis in a position.

The plan keeps its numbers of étuis. Two étuis are exchanged between sets, a fixed number of times. The search starts
from étuis in rising order, so the result does not depend on an earlier choice. If after two tries the attacks still
differ by more than two, `lay_within` searches for a plan with a smaller difference.

Each step takes a player who attacks too often or too seldom. The step looks at all exchanges of two étuis that help
this player, and makes the best one for all players. For some steps an exchange cannot be undone, so that the search
does not go round in circles. The number of steps limits the time. The same seed gives the same result.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, product

from deals.domain.dealing import BITS, below, numbers
from movements.plan.measures import Takers, attacks, taking_lines
from movements.plan.plan import SEATS, LinePlan

_BARRED = 5  # for this number of steps, no étui of the same line may come back to a set,
_BARRED_LONGER = 8  # and then for a random number of further steps, which is below this


def lay_within(plan: LinePlan, lines: Takers, least: int, most: int, *, steps: int, seed: int = 1) -> LinePlan:
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

    def __init__(self, plan: LinePlan, lines: Takers, least: int, most: int) -> None:
        self.lines = lines
        self.sets = sorted({play.etuis for play in plan.stops})
        place = {etuis: i for i, etuis in enumerate(self.sets)}
        ranked = plan.list_ranked()
        ids = {member: i for i, member in enumerate(ranked)}
        self.held = [[sum(lines[etui] == line for etui in etuis) for line in range(SEATS)] for etuis in self.sets]
        self.beside: list[list[set[int]]] = [[set() for _ in range(SEATS)] for _ in self.sets]
        self.seats: list[list[tuple[int, int]]] = [[] for _ in ranked]
        for play in plan.stops:
            if play.complete:
                for line, member in enumerate(play.people):
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

    def lay(self, plan: LinePlan) -> LinePlan:
        """Return the plan with the new étuis of each set. Each line's étuis are placed in rising order."""
        etuis = sorted(self.lines)
        mine = [iter([etui for etui in etuis if self.lines[etui] == line]) for line in range(SEATS)]
        laid = {
            old: tuple(sorted(next(mine[line]) for line in range(SEATS) for _ in range(row[line])))
            for old, row in zip(self.sets, self.held, strict=True)
        }
        return replace(plan, stops=tuple(play._replace(etuis=laid[play.etuis]) for play in plan.stops))


MOVES = 12_000
TRIES = 4  # the most tries, each from another seed; the search stops when the attacks are as even as possible
_NEVER = 40  # the cost of a player who never attacks, added to the squares below
_FINE = 4  # attacks are compared with their mean in quarters, because with fillers the mean may not be whole
_REACH = 2  # if the attacks of two players differ by more than this, a further search is worth its time
_STEPS = 200  # the steps of that search, for each pair of bounds
_FEW_STEPS = 15  # the steps that show whether other ways for the rovers are worth a search
_HEAT = 12
_STAGES = 12  # stages of the search (see `anneal`): each has less heat than the one before, the last four have none


def is_more_even(plan: LinePlan, than: LinePlan, takers: Takers | None = None) -> bool:
    """Return whether the plan spreads the attacks more evenly than the other plan.

    Fewer players never attack, or the numbers of attacks are more alike.
    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    return _unevenness(plan, taking_lines(plan, takers)) < _unevenness(than, taking_lines(than, takers))


def with_even_attacks(plan: LinePlan, takers: Takers | None = None, *, seed: int = 1, moves: int = MOVES) -> LinePlan:
    """Return the plan, or one with other étuis in its sets if that spreads the attacks more evenly.

    More even means that fewer players never attack, or that the numbers of attacks are more alike. A plan is returned
    unchanged if each of its sets names every line equally often, or if it is in barometer and nobody rests.

    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    lines = taking_lines(plan, takers)
    if _is_even(plan, lines) or (plan.barometer_after is not None and not any(plan.list_resting())):
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
        if number == seed + 1 and _is_worth_a_search(best, lines):
            best = _within_reach(best, lines, seed)
            if _is_worth_a_search(best, lines):
                break  # where this search fails, more random tries hardly ever succeed
    return best


def can_be_more_even(plan: LinePlan) -> bool:
    """Return whether everybody attacks, attacks differ by more than two, and a difference of two may be possible.

    The number of an étui names its taker.
    """
    return _is_worth_a_search(plan, taking_lines(plan))


def is_nearly_even(plan: LinePlan) -> bool:
    """Return whether a short search finds étuis with which the attacks differ by two at most.

    The number of an étui names its taker.
    """
    lines = taking_lines(plan)
    laid = (lay_within(plan, lines, least, least + _REACH, steps=_FEW_STEPS) for least in _bounds(plan, lines))
    return any(_unevenness(one, lines)[1] <= _REACH for one in laid)


def _is_worth_a_search(plan: LinePlan, lines: Takers) -> bool:
    never, gap, _ = _unevenness(plan, lines)
    return not never and gap > _REACH and _least_unevenness(plan, lines)[1] <= _REACH


def _within_reach(plan: LinePlan, lines: Takers, seed: int) -> LinePlan:
    """Return a plan in which attacks differ by two at most, or the most even one found."""
    best, counts = plan, counts_of(plan, lines)
    bounds = [least for least in _bounds(plan, lines) if min(counts) <= least <= max(counts) - _REACH]
    for number, least in product((seed, seed + 1), bounds):
        if not _is_worth_a_search(best, lines):
            break
        found = lay_within(plan, lines, least, least + _REACH, steps=_STEPS, seed=number)
        best = min(best, found, key=lambda one: _unevenness(one, lines))
    return best


def _bounds(plan: LinePlan, lines: Takers) -> list[int]:
    """Return the possible values for the fewest attacks of a player, if attacks are to differ by two at most."""
    counts = counts_of(plan, lines)
    mean = sum(counts) // len(counts)
    shares = [] if plan.rovers or plan.fillers else _shares(plan, lines)
    return [
        least
        for least in range(max(1, mean - _REACH), mean + 1)
        if all(least * size <= taken <= (least + _REACH) * size for taken, size in shares)
    ]


def _in_order(plan: LinePlan) -> LinePlan | None:
    """Return the plan with its étuis numbered in the order of play. Return None if two sets share an étui."""
    sets = list(dict.fromkeys(play.etuis for play in plan.stops))
    etuis = sorted(etui for etuis in sets for etui in etuis)
    if len(set(etuis)) < len(etuis):
        return None
    k = plan.etuis_per_position
    laid = {old: tuple(etuis[place * k : (place + 1) * k]) for place, old in enumerate(sets)}
    return plan if all(old == new for old, new in laid.items()) else _relaid(plan, laid)


def _relaid(plan: LinePlan, laid: Mapping[tuple[int, ...], tuple[int, ...]]) -> LinePlan:
    return replace(plan, stops=tuple(play._replace(etuis=laid[play.etuis]) for play in plan.stops))


def _is_even(plan: LinePlan, lines: Takers) -> bool:
    """Return whether each set names every line equally often."""
    taking = ([lines[etui] for etui in etuis] for etuis in {play.etuis for play in plan.stops})
    return all(named.count(line) * SEATS == len(named) for named in taking for line in range(SEATS))


def _unevenness(plan: LinePlan, lines: Takers) -> tuple[int, int, int]:
    counts = counts_of(plan, lines)
    return counts.count(0), max(counts) - min(counts), sum(count * count for count in counts)


def counts_of(plan: LinePlan, lines: Takers) -> list[int]:
    """Return how often each ranked player attacks."""
    taken = attacks(plan, takers=lines)
    return [taken[member] for member in plan.list_ranked()]


def _least_unevenness(plan: LinePlan, lines: Takers) -> tuple[int, int]:
    """Return two figures that no choice of étuis goes below.

    They are the number of players who never attack, and the largest difference between attacks. An étui is taken by a
    member of the line that it names. If there are fillers or rovers, both figures are 0.
    """
    if plan.rovers or plan.fillers:
        return 0, 0
    shares = _shares(plan, lines)
    never = sum(max(0, size - taken) for taken, size in shares)
    return never, max(-(-taken // size) for taken, size in shares) - min(taken // size for taken, size in shares)


def _shares(plan: LinePlan, lines: Takers) -> list[tuple[int, int]]:
    """Return the number of times that each line takes an étui, and its number of members, in the order of lines."""
    taken = Counter(lines[etui] for play in plan.stops if play.complete for etui in play.etuis)
    return [(taken[line], size) for line, size in enumerate(plan.lines)]


class _Sets:
    """The state of the search. Each set has `k` étuis, and `etuis[i]` is in set i // k.

    `beside[s][line]`: the ids of the members of the line who play set s.
    """

    def __init__(self, plan: LinePlan, lines: Takers) -> None:
        self.k = plan.etuis_per_position
        self.sets = sorted({play.etuis for play in plan.stops})
        self.etuis = [etui for etuis in self.sets for etui in etuis]
        self.line = lines
        ids = {member: i for i, member in enumerate(plan.everybody())}
        place = {etuis: i for i, etuis in enumerate(self.sets)}
        self.beside: list[list[set[int]]] = [[set() for _ in range(SEATS)] for _ in self.sets]
        for play in plan.stops:
            if play.complete:
                for line, member in enumerate(play.people):
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
        """Exchange two étuis, many times. An exchange that adds the cost d is made with the probability 2^(−d/heat)."""
        drawn, etuis, taken, costs = draw.__next__, self.etuis, self.taken, self.once_more
        many = len(etuis)
        for stage in range(_STAGES):
            heat = max(0, _HEAT * (_STAGES - 4 - stage) / (_STAGES - 4))
            for _ in range(moves // _STAGES):
                # the code of `below` is copied here, because a call takes longer
                i, j = drawn() * many >> BITS, drawn() * many >> BITS
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
        """Return two lists: the players who would attack once less, and once more, if étuis i and j changed places."""
        line, other = self.line[self.etuis[i]], self.line[self.etuis[j]]
        here, there = i // self.k, j // self.k
        fewer = self._apart(line, here, there) + self._apart(other, there, here)
        more = self._apart(line, there, here) + self._apart(other, here, there)
        return fewer, more

    def _apart(self, line: int, one: int, other: int) -> list[int]:
        """Return the members of a line who play one set but not the other."""
        key = line, one, other
        if key not in self.apart:
            self.apart[key] = list(self.beside[one][line] - self.beside[other][line])
        return self.apart[key]

    def lay(self) -> Mapping[tuple[int, ...], tuple[int, ...]]:
        """Return the new étuis of each set. The keys are the old étuis."""
        return {
            etuis: tuple(sorted(self.etuis[place * self.k : (place + 1) * self.k]))
            for place, etuis in enumerate(self.sets)
        }
