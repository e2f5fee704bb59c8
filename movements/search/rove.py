"""The plans for few players, with which fixed lines are unfair.

Rovers may sit on any line, so all players rest equally often.

In each position all tables are full, and only the players left over rest. A fixed number of random exchanges looks for
few repeated meetings. The same input and seed give the same plan on every machine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, product

from deals.domain.dealing import BITS, numbers, shuffle
from movements.plan.bounds import MAX_TABLES, PlanError, etui_set
from movements.plan.plan import SEATS, LinePlan, Member, PlanStop, line_sizes, make_line_plan
from movements.search.anneal import cost_repeats, with_rests_in_turn

# With at most this number of players, fixed lines would let some of them rest twice, and others never.
SMALL_FIELD = 15
MOVES = 60_000
# _MEETINGS[n] is the cost if two players meet n times. A player's rests cost _REST times their square. A seat on
# another line costs _ABROAD.
_MEETINGS = (0, 0, 10, 40, 150)
_REPLAYS = (0, 0, 4000, 12000, 24000)  # [n] is the cost if a player plays a moving set n times
_REST = 400
_ABROAD = 1
_HEAT = 10
_STAGES = 24  # stages of the search (see `anneal`): each has less heat than the one before, the last six have none


def small_field(players: int, positions: int, etuis_per_position: int, *, moves: int = MOVES) -> LinePlan:
    """Return a plan in barometer for 5 players or more, with as many full tables as possible.

    Players left over are rovers. In position 1, number t of each line is at table t, and the rovers rest.
    """
    sizes = line_sizes(players)
    tables = players // SEATS
    rovers = tuple(Member(line, size) for line, size in enumerate(sizes) if size > tables)
    sets = [etui_set(step, etuis_per_position) for step in range(positions)]
    first = [
        PlanStop(1, table, sets[0], tuple(Member(line, table) for line in range(SEATS)))
        for table in range(1, tables + 1)
    ]
    plan = make_line_plan(sizes, positions, etuis_per_position, first, "roving")
    plan = replace(plan, barometer_after=0, rovers=rovers)
    return rove(plan, 1, sets[1:], moves=moves) if positions > 1 else plan


def rove(
    plan: LinePlan,
    after: int,
    sets: Sequence[tuple[int, ...]],
    *,
    seed: int = 1,
    moves: int = MOVES,
) -> LinePlan:
    """Return the plan with its positions after `after` planned anew, with as many full tables as possible.

    `sets`: if the plan is in barometer, the étuis of each of those positions; otherwise the étui sets that lie on the
    tables and move. If a line has more players than seats, its last players become rovers. Players who have rested most
    rest least from now on. Raise PlanError if fewer than four players are left.
    """
    there = plan.list_present()[after:]
    fewest = min(len(present) for present in there) // SEATS
    if not fewest:
        raise PlanError("players", found=min(map(len, there)), least=SEATS, most=SEATS * MAX_TABLES)
    fixed = [member for member in plan.everybody() if member not in plan.rovers]
    strays = [
        [member for member in fixed if member.line == line and any(member in present for present in there)][fewest:]
        for line in range(SEATS)
    ]
    plan = replace(plan, rovers=tuple(sorted({*plan.rovers, *(member for line in strays for member in line)})))
    field = _Field(plan, after, sets, seed)
    field.cool(numbers(seed, f"rove {after} {plan.lines} {plan.positions}"), moves)
    plays = [play for play in plan.stops if play.position <= after]
    plays += field.plays(after)
    plan = replace(plan, stops=tuple(plays), tables=max(play.table for play in plays), rule="roving", shifts=None)
    return with_rests_in_turn(plan, after)


class _Field:
    """The state of the search. Every member, and every étui set that moves, has an id.

    `rows[step]`: the ids in the seats of a new position, table after table and line after line, then those who rest.
    `times[a][b]`: how often a and b have been together. `rests[a]`: how often a has rested. The ids of sets follow the
    ids of members. `laid[step]` has the ids of the sets: first those at tables 1, 2 … , then those not in play.
    """

    def __init__(self, plan: LinePlan, after: int, sets: Sequence[tuple[int, ...]], seed: int) -> None:
        self.sets, self.moving = sets, not plan.in_barometer(after + 1)
        self.members = plan.everybody()
        ids = {member: i for i, member in enumerate(self.members)}
        # SEATS means: any line
        self.home = [SEATS if member in plan.rovers else member.line for member in self.members]
        self.lines = [member.line for member in self.members]
        everything = len(ids) + (len(sets) if self.moving else 0)
        self.times = [[0] * everything for _ in range(everything)]
        self.replays = cost_repeats(_REPLAYS, plan.positions)
        self.rests = [0] * len(ids)
        self.costs = cost_repeats(_MEETINGS, plan.positions)
        for play in plan.stops:
            if play.position <= after and play.complete:
                known = [number for number, laid in self._moving_sets() if not set(laid).isdisjoint(play.etuis)]
                self._together([ids[member] for member in play.people], known)
        for resting in plan.list_resting()[:after]:
            for member in resting:
                self.rests[ids[member]] += 1
        draw = numbers(seed, "seats")
        self.rows = [self._start([ids[member] for member in there], draw) for there in plan.list_present()[after:]]
        self.seats = [len(row) // SEATS * SEATS for row in self.rows]
        self.laid = [shuffle(draw, [number for number, _ in self._moving_sets()]) for _ in self.rows]
        for row, seats, laid in zip(self.rows, self.seats, self.laid, strict=True):
            for first in range(0, seats, SEATS):
                self._together(row[first : first + SEATS], laid[first // SEATS :][:1])

    def _moving_sets(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return the étui sets that move, each with its id."""
        return list(enumerate(self.sets, start=len(self.members))) if self.moving else []

    def _start(self, there: list[int], draw: Iterator[int]) -> list[int]:
        """Return the row of one position from which the search starts.

        Those who have rested most play. A member who is not a rover sits on their own line.
        """
        playing = sorted(shuffle(draw, there), key=lambda player: -self.rests[player])
        seats = len(there) // SEATS * SEATS
        resting = playing[seats:]
        for player in resting:
            self.rests[player] += 1
        row = [-1] * seats
        for player in sorted(playing[:seats], key=lambda player: self.home[player] == SEATS):
            home = self.home[player]
            free = (seat for seat in range(seats) if row[seat] < 0 and home in (seat % SEATS, SEATS))
            row[next(free)] = player
        return row + resting

    def _together(self, group: list[int], sets: Sequence[int]) -> None:
        for a, b in chain(combinations(group, 2), product(group, sets)):
            self.times[a][b] += 1
            self.times[b][a] += 1

    def cool(self, draw: Iterator[int], moves: int) -> None:
        """Exchange two ids, many times. An exchange that adds the cost d is made with the probability 2^(−d/heat)."""
        drawn, home, steps = draw.__next__, self.home, list(zip(self.rows, self.seats, self.laid, strict=True))
        for stage in range(_STAGES):
            heat = max(0, _HEAT * (_STAGES - 6 - stage) / (_STAGES - 6))
            for _ in range(moves // _STAGES):
                # the code of `below` is copied here, because a call takes longer
                row, seats, laid = steps[drawn() * len(steps) >> BITS]
                i, j = drawn() * seats >> BITS, drawn() * (len(row) + len(laid)) >> BITS
                if j >= len(row):
                    i, j = i // SEATS, j - len(row)
                    worse = self._worse_sets(row, seats, laid, i, j)
                    if i != j and (worse <= 0 or worse <= heat * (BITS - drawn().bit_length())):
                        self._exchange_sets(row, seats, laid, i, j)
                    continue
                x, y = row[i], row[j]
                both = j < seats
                if x == y or home[y] not in (i % SEATS, SEATS) or (both and home[x] not in (j % SEATS, SEATS)):
                    continue
                worse = self._worse(row, i, j, both)
                if laid and not (both and i // SEATS == j // SEATS):
                    worse += self._worse_replays(x, y, laid[i // SEATS])
                    if both:
                        worse += self._worse_replays(y, x, laid[j // SEATS])
                if worse <= 0 or worse <= heat * (BITS - drawn().bit_length()):
                    self._exchange(row, laid, i, j, both)

    def _worse_replays(self, gone: int, new: int, laid: int) -> int:
        """Return the cost that is added if player `new` plays the set `laid` instead of player `gone`."""
        return self.replays[self.times[new][laid]] - self.replays[self.times[gone][laid] - 1]

    def _worse_sets(self, row: list[int], seats: int, laid: list[int], i: int, j: int) -> int:
        """Return the cost that is added if tables i and j exchange their étui sets.

        If j is beyond the last table, its set is not in play.
        """
        worse, here, there, times = 0, laid[i], laid[j], self.times
        for player in row[i * SEATS : (i + 1) * SEATS]:
            worse += self.replays[times[player][there]] - self.replays[times[player][here] - 1]
        for player in row[j * SEATS : min(seats, (j + 1) * SEATS)]:
            worse += self.replays[times[player][here]] - self.replays[times[player][there] - 1]
        return worse

    def _exchange_sets(self, row: list[int], seats: int, laid: list[int], i: int, j: int) -> None:
        for table, old, new in ((i, laid[i], laid[j]), (j, laid[j], laid[i])):
            for player in row[table * SEATS : min(seats, (table + 1) * SEATS)]:
                for number, change in ((old, -1), (new, 1)):
                    self.times[player][number] += change
                    self.times[number][player] += change
        laid[i], laid[j] = laid[j], laid[i]

    def _worse(self, row: list[int], i: int, j: int, both: bool) -> int:
        """Return the cost that is added if the players at i and j change places. `both`: whether j is a seat too.

        If it is not, the player at j rests.
        """
        x, y = row[i], row[j]
        worse = _ABROAD * ((self.lines[y] != i % SEATS) - (self.lines[x] != i % SEATS))
        if both:
            worse += _ABROAD * ((self.lines[x] != j % SEATS) - (self.lines[y] != j % SEATS))
        else:
            worse += 2 * _REST * (self.rests[x] - self.rests[y] + 1)
        if i // SEATS == j // SEATS and both:
            return worse
        costs, with_x, with_y = self.costs, self.times[x], self.times[y]
        for u in self._beside(row, i):
            worse += costs[with_y[u]] - costs[with_x[u] - 1]
        if both:
            for v in self._beside(row, j):
                worse += costs[with_x[v]] - costs[with_y[v] - 1]
        return worse

    def _beside(self, row: list[int], seat: int) -> list[int]:
        first = seat - seat % SEATS
        return row[first:seat] + row[seat + 1 : first + SEATS]

    def _exchange(self, row: list[int], laid: list[int], i: int, j: int, both: bool) -> None:
        for change in (-1, 1):
            for seat in (i, j) if both else (i,):
                player = row[seat]
                for other in (*self._beside(row, seat), *laid[seat // SEATS :][:1]):
                    self.times[player][other] += change
                    self.times[other][player] += change
            if change < 0:
                row[i], row[j] = row[j], row[i]
        if not both:
            self.rests[row[j]] += 1
            self.rests[row[i]] -= 1

    def plays(self, after: int) -> Iterator[PlanStop[Member]]:
        for step, (row, seats, laid) in enumerate(zip(self.rows, self.seats, self.laid, strict=True)):
            for table, first in enumerate(range(0, seats, SEATS)):
                members = tuple(self.members[row[first + line]] for line in range(SEATS))
                etuis = self.sets[laid[table] - len(self.members) if laid else step]
                yield PlanStop(after + step + 1, table + 1, etuis, members)
