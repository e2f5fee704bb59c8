"""The planning of the rest of an evening by simulated annealing, used if no rule gives a plan.

Simulated annealing tries random exchanges and keeps those that make the plan better. At first ("hot") it also keeps
some that make it worse. A plan has a cost. Playing an étui twice costs most. Uneven rests cost less. Frequent meetings
of two players cost still less, and a repeated meeting least. A fixed number of exchanges limits the time. The same
input and seed give the same plan on every machine.

At the end of such a plan everybody has rested about equally often. The rests should be about equal before the end too,
because somebody may come or leave then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from deals.domain.dealing import BITS, numbers, shuffle
from movements.plan.plan import SEATS, LinePlan, Member, PlanStop


def with_rests_in_turn(plan: LinePlan, after: int) -> LinePlan:
    """Return the plan with its positions after `after` in another order, in which players rest in turn.

    The next position is always the one whose resting players have rested least so far. Positions change places only if
    the same players are there. In barometer the étuis stay in their positions. Seats and meetings stay the same.
    """
    exempt, present = plan.list_resting(), [frozenset(there) for there in plan.list_present()]
    rested = dict.fromkeys(plan.everybody(), 0)
    order = list(range(plan.positions))
    for place in order[:]:
        if place >= after:
            alike = [other for other in range(place, plan.positions) if present[order[other]] == present[order[place]]]
            chosen = min(alike, key=lambda other: sum(rested[member] for member in exempt[order[other]]))
            order[place], order[chosen] = order[chosen], order[place]
        for member in exempt[order[place]]:
            rested[member] += 1
    if order == sorted(order):
        return plan
    laid = {play.position: play.etuis for play in plan.stops if plan.in_barometer(play.position)}
    new = {old + 1: position for position, old in enumerate(order, start=1)}
    moved = (play._replace(position=new[play.position]) for play in plan.stops)
    plays = sorted(play._replace(etuis=laid.get(play.position, play.etuis)) for play in moved)
    return replace(plan, stops=tuple(plays))


MOVES = 100_000
# _MEETINGS[n] is the cost if two players meet n times, _REPLAYS[n] if a player plays a set n times.
_MEETINGS = (0, 0, 10, 60, 300)
_REPLAYS = (0, 0, 4000, 12000, 24000)
_REST = 200  # a player who rests n times costs n² times this
_HEAT = 12
_STAGES = 32  # stages of the search: each has less heat than the one before, the last eight have none


def anneal(
    plan: LinePlan,
    after: int,
    tables: Sequence[int],
    sets: Sequence[tuple[int, ...]],
    *,
    seed: int = 1,
    moves: int = MOVES,
) -> LinePlan:
    """Return the plan with its positions after `after` planned anew.

    `tables`: the number of tables in each of those positions. `sets`: the étuis that lie on the tables, set by set; if
    the plan is in barometer, the set of each new position.
    """
    evening = _Evening(plan, after, tables, sets, seed)
    evening.cool(numbers(seed, f"anneal {after} {plan.lines} {tuple(tables)}"), moves)
    plays = (*(play for play in plan.stops if play.position <= after), *evening.plays())
    plan = replace(plan, stops=plays, tables=max(play.table for play in plays), rule="annealed", shifts=None)
    return with_rests_in_turn(plan, after)


class _Row(NamedTuple):
    """The places of one line (or of the étui sets) in one position. Two members (or sets) of a row can be exchanged.

    `others`: the other rows of the position. Each comes with two lists of costs for meetings with a member of that row.
    One has the cost of one more meeting, the other the cost of the last meeting so far. The index in both lists is the
    number of meetings so far. `last`: the last index of the row. `resting`: whether members without a table rest; étui
    sets do not.
    """

    row: list[int]
    tables: int
    others: list[tuple[list[int], list[int], list[int]]]
    last: int
    resting: bool


class _Evening:
    """The state of the search. Every member, and every étui set that moves, has an id.

    `rows[step][line]`: the ids of a line in a new position, those at tables 1, 2 … first, then those who rest. Étui
    sets that move are a fifth row. `times[a][b]`: how often a and b have been together. `rests[a]`: how often a has
    rested.
    """

    def __init__(
        self, plan: LinePlan, after: int, tables: Sequence[int], sets: Sequence[tuple[int, ...]], seed: int
    ) -> None:
        self.first, self.tables, self.sets = after + 1, tables, sets
        self.meetings = cost_repeats(_MEETINGS, plan.positions)
        self.replays = cost_repeats(_REPLAYS, plan.positions)
        self.moving = not plan.in_barometer(self.first)
        self.members = plan.everybody()
        self.ids = {member: i for i, member in enumerate(self.members)}
        everything = len(self.members) + (len(sets) if self.moving else 0)
        self.times = [[0] * everything for _ in range(everything)]
        self.rests = [0] * everything
        self._remember(plan, after)
        self.rows = list(self._start(plan, after, numbers(seed, "start")))
        for step, seats in enumerate(self.rows):
            for table in range(tables[step]):
                self._together([row[table] for row in seats])

    def _remember(self, plan: LinePlan, after: int) -> None:
        """Count the meetings, étuis and rests of the positions that were already played."""
        for play in plan.stops:
            if play.position <= after and play.complete:
                players = [self.ids[member] for member in play.people]
                self._together(players)
                for index in range(len(self.members), len(self.times)):
                    if not set(play.etuis).isdisjoint(self.sets[index - len(self.members)]):
                        for player in players:
                            self.times[player][index] += 1
                            self.times[index][player] += 1
        for resting in plan.list_resting()[:after]:
            for member in resting:
                self.rests[self.ids[member]] += 1

    def _together(self, group: list[int]) -> None:
        for a, b in combinations(group, 2):
            self.times[a][b] += 1
            self.times[b][a] += 1

    def _start(self, plan: LinePlan, after: int, draw: Iterator[int]) -> Iterator[list[list[int]]]:
        """Yield the rows of each position from which the search starts.

        In each position, the members who have rested least so far rest. All other places are random.
        """
        for tables, there in zip(self.tables, plan.list_present()[after:], strict=True):
            seats = []
            for line in range(SEATS):
                row = shuffle(draw, [self.ids[member] for member in there if member.line == line])
                row.sort(key=lambda player: -self.rests[player])
                for player in row[tables:]:
                    self.rests[player] += 1
                seats.append(shuffle(draw, row[:tables]) + row[tables:])
            if self.moving:
                seats.append(shuffle(draw, list(range(len(self.members), len(self.times)))))
            yield seats

    def cool(self, draw: Iterator[int], moves: int) -> None:
        """Exchange two members of a random row, many times.

        An exchange that adds the cost d is made with the probability 2^(−d/heat).
        """
        places, drawn, times, rests = self._places(), draw.__next__, self.times, self.rests
        rows = len(places)
        for stage in range(_STAGES):
            heat = max(0, _HEAT * (_STAGES - 8 - stage) / (_STAGES - 8))
            for _ in range(moves // _STAGES):
                # This loop takes most of the time. So it has its own copy of the code of `below`, and of the code that
                # computes the cost of an exchange.
                row, tables, others, last, resting = place = places[drawn() * rows >> BITS]
                if not last:
                    continue
                i, j = drawn() * tables >> BITS, drawn() * last >> BITS
                j += j >= i
                x, y = row[i], row[j]
                with_x, with_y, worse = times[x], times[y], 0
                if j < tables:
                    for beside, more, less in others:
                        u, v = beside[i], beside[j]
                        worse += more[with_y[u]] - less[with_x[u]] + more[with_x[v]] - less[with_y[v]]
                else:
                    for beside, more, less in others:
                        u = beside[i]
                        worse += more[with_y[u]] - less[with_x[u]]
                    if resting:
                        worse += 2 * _REST * (rests[x] - rests[y] + 1)
                if worse <= 0 or worse <= heat * (BITS - drawn().bit_length()):
                    self._exchange(place, i, j)
            if self._flawless():
                return

    def _places(self) -> list[_Row]:
        found = []
        for tables, seats in zip(self.tables, self.rows, strict=True):
            for line, row in enumerate(seats):
                costs = [self.replays if SEATS in (line, place) else self.meetings for place in range(len(seats))]
                others = [
                    (other, costs[place], [0, *costs[place]]) for place, other in enumerate(seats) if place != line
                ]
                found.append(_Row(row, tables, others, len(row) - 1, line < SEATS))
        return found

    def _flawless(self) -> bool:
        """Return whether the plan cannot be better.

        No meeting and no étui is repeated, and the rests of a line differ by at most one.
        """
        players = len(self.members)
        for line in range(SEATS):
            rests = [self.rests[i] for i, member in enumerate(self.members) if member.line == line]
            if max(rests, default=0) - min(rests, default=0) > 1:
                return False
        return all(max(self.times[a], default=0) <= 1 for a in range(players))

    def _exchange(self, place: _Row, i: int, j: int) -> None:
        row, tables, others, _, resting = place
        x, y = row[i], row[j]
        row[i], row[j] = y, x
        times = self.times
        with_x, with_y = times[x], times[y]
        both = j < tables
        for beside, _, _ in others:
            u = beside[i]
            with_u = times[u]
            with_x[u] = with_u[x] = with_u[x] - 1
            with_y[u] = with_u[y] = with_u[y] + 1
            if both:
                v = beside[j]
                with_v = times[v]
                with_y[v] = with_v[y] = with_v[y] - 1
                with_x[v] = with_v[x] = with_v[x] + 1
        if not both and resting:
            self.rests[x] += 1
            self.rests[y] -= 1

    def plays(self) -> Iterator[PlanStop[Member]]:
        for step, seats in enumerate(self.rows):
            for table in range(self.tables[step]):
                index = seats[SEATS][table] - len(self.members) if self.moving else step
                members = tuple(self.members[row[table]] for row in seats[:SEATS])
                yield PlanStop(self.first + step, table + 1, self.sets[index], members)


def cost_repeats(costs: tuple[int, ...], most: int) -> list[int]:
    """Return the cost of one more meeting (or replay), after 0, 1, … `most` of them.

    `costs` has the whole cost of each number of times. For higher numbers, each time costs as much as the last step of
    `costs`.
    """
    return [costs[min(times, len(costs) - 2) + 1] - costs[min(times, len(costs) - 2)] for times in range(most + 1)]
