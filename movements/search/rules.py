"""The rules by which the players of each line, and the étui sets, move from table to table.

There are five classes of things that move: the lines N, E, S, W and the étui sets. A rule has, for each position, the
shift of each class: number x of a class is at table x + shift. The sum is taken in an Abelian group with as many
elements as tables. A rule is perfect if, for any two classes, the differences of their shifts are different in all
positions. Then no two numbers of these classes are at one table twice.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import gcd, prod

from deals.domain.dealing import below, numbers, shuffle
from movements.plan.bounds import check_counts, etui_set
from movements.plan.plan import CYCLIC, SEATS, LinePlan, Member, PlanStop, Shifts, make_line_plan
from movements.search.fields import minus, prime_powers, product, shift_tables
from movements.search.rule_tables import SHIFTS, SQUARES

CLASSES = 5  # the four lines and the étui sets


def search_shifts(
    moduli: tuple[int, ...], positions: int, *, seed: int = 1, tries: int = 1000
) -> tuple[tuple[int, ...], ...] | None:
    """Return random shifts of N, E, S, W and the étui sets for each position, or None.

    The difference between the shifts of any two of these five classes is another number in each position.

    It is None if none of the `tries` succeeds. The search is quick if there are far fewer positions than tables. It
    hardly ever succeeds if there are nearly as many.
    """
    draw = numbers(seed, f"shifts {moduli} {positions}")
    for _ in range(tries):
        rows: list[tuple[int, ...]] = [(0,) * CLASSES]
        used = [{0} for _ in combinations(range(CLASSES), 2)]
        while len(rows) < positions and (row := _next_row(moduli, used, draw)):
            rows.append(row)
        if len(rows) == positions:
            return tuple(rows)
    return None


def _next_row(moduli: tuple[int, ...], used: list[set[int]], draw: Iterator[int]) -> tuple[int, ...] | None:
    """Return the shifts of one more position, or None. Add the differences between its shifts to `used`.

    All of these differences are new.

    Return None if no such shifts were found.
    """
    tables = prod(moduli)
    for _ in range(8 * tables):
        row = [0]
        while len(row) < CLASSES:
            start = below(draw, tables)
            fitting = (
                shift
                for shift in (*range(start, tables), *range(start))
                if all(
                    minus(moduli, shift, earlier) not in used[_pair(one, len(row))] for one, earlier in enumerate(row)
                )
            )
            shift = next(fitting, None)
            if shift is None:
                break
            row.append(shift)
        else:
            for one, two in combinations(range(CLASSES), 2):
                used[_pair(one, two)].add(minus(moduli, row[two], row[one]))
            return tuple(row)
    return None


def _pair(one: int, two: int) -> int:
    return two * (two - 1) // 2 + one


SEARCHED = 20  # positions that a search surely reaches, for numbers of tables above those of the shift table
_TABLE = {
    prod(moduli): (moduli, tuple((0, *map(int, position.split(","))) for position in text.split()))
    for moduli, text in SHIFTS.items()
}
# With these numbers of tables, players meet more than once, and all tables play the same étuis. At 2 tables any two
# players of different lines meet twice in 4 positions, at 3 tables twice in 6: no plan does better.
_SMALL: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((0, 0, 0, 0, 0),),
    2: ((0, 0, 0, 0, 0), (0, 0, 1, 1, 0), (0, 1, 0, 1, 0), (0, 1, 1, 0, 0)),
    3: ((0, 0, 0, 0, 0), (0, 0, 1, 2, 0), (0, 1, 0, 2, 0), (0, 1, 2, 1, 0), (0, 2, 1, 1, 0), (0, 2, 2, 0, 0)),
}


Numbers = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by which the lines and the étui sets move.

    `shifts`: for each position, the shifts of N, E, S, W and the étui sets. `moduli`: the sizes of the group's
    components. A rule without shifts has `squares` instead: for each position and class, the number at each table.
    """

    name: str
    moduli: tuple[int, ...]
    shifts: tuple[tuple[int, ...], ...]
    barometer: bool = False
    announced: Shifts | None = None
    squares: tuple[Numbers, ...] = ()

    @property
    def tables(self) -> int:
        return prod(self.moduli)

    @property
    def positions(self) -> int:
        return len(self.squares or self.shifts)

    def numbers_at(self, step: int) -> Numbers:
        """Return the numbers of N, E, S, W and the étui sets at each table, for position `step`. All count from 0."""
        if self.squares:
            return self.squares[step]
        return tuple(tuple(shift_tables(self.moduli, shift)) for shift in self.shifts[step])

    def play(self, steps: Sequence[int]) -> "Rule":
        """Return the rule with only these of its positions, in this order."""
        shifts = tuple(self.shifts[step] for step in steps if self.shifts)
        return replace(self, shifts=shifts, squares=tuple(self.squares[step] for step in steps if self.squares))


@dataclass(frozen=True, slots=True)
class _Kind:
    """A way to make a rule for one number of tables.

    The rule is perfect for at most `reach` positions. `make` returns the rule for a number of positions.
    """

    reach: int
    make: Callable[[int], Rule]
    by_shifts: bool = True


def cyclic_reach(tables: int) -> int:
    """Return the number of positions for which the announced (cyclic) rule is perfect.

    Two classes whose shifts differ by k are at one table again after tables / gcd(tables, k) positions. The shifts of
    N, E, S, W and the étuis differ by 1, 2, 3 or 4.
    """
    return tables // max(gcd(tables, k) for k in range(1, 5))


def most_perfect(tables: int, *, barometer: bool = False) -> int:
    """Return the largest number of positions for which this module has a perfect rule."""
    return max(kind.reach for kind in _kinds(tables, barometer))


def rules_for(tables: int, positions: int, *, barometer: bool = False) -> Iterator[Rule]:
    """Yield every rule that is perfect for this number of positions, the simplest first."""
    for kind in _kinds(tables, barometer):
        if kind.reach >= positions:
            yield kind.make(positions)


def rule_for(tables: int, positions: int, *, barometer: bool = False) -> Rule:
    """Return the simplest rule for this number of positions.

    A perfect rule with moving étuis is preferred, then a perfect one in barometer, then a rule with repeated meetings.
    """
    check_counts(tables=tables, positions=positions, etuis_per_position=1)
    for each_plays_the_same in (False, True)[barometer:]:
        for rule in rules_for(tables, positions, barometer=each_plays_the_same):
            return rule
    return _again_and_again(tables, positions)


def widest_rule(tables: int) -> Rule:
    """Return the rule with the most positions among the perfect rules with shifts and moving étuis."""
    widest = max((kind for kind in _kinds(tables, False) if kind.by_shifts), key=lambda kind: kind.reach)
    return widest.make(widest.reach)


def lay_out(rule: Rule, etuis_per_position: int) -> LinePlan:
    """Return the plan that follows a rule, sorted by position and table.

    If the first shifts of the rule are 0, player t of each line and set t are at table t in position 1.
    """
    tables = rule.tables
    sets = [etui_set(index, etuis_per_position) for index in range(max(tables, rule.positions))]
    members = [[Member(line, number + 1) for number in range(tables)] for line in range(SEATS)]
    stops = []
    for step in range(rule.positions):
        *lines, laid = rule.numbers_at(step)
        seated = [[line[number] for number in row] for line, row in zip(members, lines, strict=True)]
        for table, seats in enumerate(zip(*seated, strict=True)):
            etuis = sets[step if rule.barometer else laid[table]]
            stops.append(PlanStop(step + 1, table + 1, etuis, seats))
    plan = make_line_plan((tables,) * SEATS, rule.positions, etuis_per_position, stops, rule.name)
    return replace(plan, barometer_after=0 if rule.barometer else None, shifts=rule.announced)


def _kinds(tables: int, barometer: bool) -> list[_Kind]:
    """Return the ways to make a rule for this number of tables, the simplest first."""
    small = _SMALL.get(tables)
    reach = tables // max(gcd(tables, k) for k in (1, 2, 3)) if barometer else cyclic_reach(tables)
    kinds = [_Kind(reach, lambda positions: _cyclic(tables, positions, barometer))]
    if small is None:
        if all(p**k >= CLASSES - barometer for p, k in prime_powers(tables)):
            kinds.append(_Kind(tables, lambda positions: _product(tables, positions, barometer)))
        if tables in _TABLE:
            moduli, rows = _TABLE[tables]
            table = Rule("table", moduli, rows, barometer)
            kinds.append(_Kind(len(rows), lambda positions: table.play(range(positions))))
        elif tables > max(_TABLE):
            kinds.append(_Kind(SEARCHED, lambda positions: _search(tables, barometer).play(range(positions))))
        if tables in SQUARES:
            squares = Rule("squares", (tables,), (), barometer, squares=_squares(tables))
            kinds.append(_Kind(tables, lambda positions: squares.play(range(positions)), by_shifts=False))
    return kinds


@cache
def _squares(tables: int) -> tuple[Numbers, ...]:
    """Return the numbers at each table for each position, from the table of squares. North does not move."""
    north = tuple(range(tables))
    return tuple(
        (north, *(tuple(int(sign, 32) for sign in word) for word in position.split()))
        for position in SQUARES[tables].strip().splitlines()
    )


def _cyclic(tables: int, positions: int, barometer: bool) -> Rule:
    announced = CYCLIC._replace(etuis=0) if barometer else CYCLIC
    rows = tuple(tuple(step * shift % tables for shift in announced) for step in range(positions))
    return Rule("cyclic", (tables,), rows, barometer, announced)


def _product(tables: int, positions: int, barometer: bool) -> Rule:
    """Return the rule with the shift α·m in position α, computed in a product of finite fields.

    Each class has its own m. The difference of any two m has an inverse.
    """
    ring = product(tables)
    factors = [ring.same(digit) for digit in range(CLASSES - barometer)] + [0] * barometer
    rows = tuple(tuple(ring.times(element, factor) for factor in factors) for element in range(positions))
    return Rule("field" if len(ring.fields) == 1 else "product", ring.moduli, rows, barometer)


@cache
def _search(tables: int, barometer: bool) -> Rule:
    rows = search_shifts((tables,), SEARCHED)
    if rows is None:
        raise ArithmeticError(f"no shifts for {tables} tables")
    return Rule("search", (tables,), rows, barometer)


def _again_and_again(tables: int, positions: int) -> Rule:
    """Return the perfect rule with the most positions, repeated, in barometer.

    It is in barometer because the étui sets would come back to the same players.
    """
    if tables in _SMALL:
        once = Rule("small", (tables,), _SMALL[tables])
    else:
        widest = max(_kinds(tables, True), key=lambda kind: kind.reach)
        once = widest.make(widest.reach)
    again = once.play([step % once.positions for step in range(positions)])
    return replace(again, name="repeated", barometer=True, announced=None)


def choose_positions(rule: Rule, positions: int, *, seed: int = 1) -> Rule:
    """Return the rule with only `positions` of its positions, chosen for a good comparison of players.

    Any two players of a line should have played about equally many étui sets in common. In each position, take the
    shift of the sets minus the shift of the line. Two players whose numbers differ by δ share a set for every two
    positions in which these differences differ by δ. The search exchanges one position for another as long as this
    lowers the sum of the squares of the shared sets. No announcement describes the chosen positions.
    """
    rows = len(rule.shifts)
    # spread[line][a][b]: the δ that positions a and b give to the line.
    spread = []
    for line in range(SEATS):
        at = [minus(rule.moduli, row[-1], row[line]) for row in rule.shifts]
        spread.append([[minus(rule.moduli, a, b) for b in at] for a in at])
    draw = numbers(seed, f"positions {rule.moduli} {rows} {positions}")
    starts = [list(range(rows))] + [shuffle(draw, list(range(rows))) for _ in range(3)]
    climbs = [_climb(spread, start[:positions], rule.tables) for start in starts]
    _, chosen = min(climbs)
    return replace(rule.play(chosen), announced=None)


def _climb(spread: list[list[list[int]]], chosen: list[int], tables: int) -> tuple[int, list[int]]:
    """Return the lowest sum of squares to which exchanges lead from `chosen`, and the positions with this sum."""
    rows = len(spread[0])
    counts = [[0] * tables for _ in spread]
    for line, gaps in enumerate(spread):
        for a in chosen:
            for b in chosen:
                counts[line][gaps[a][b]] += a != b
    improved = True
    while improved:
        improved = False
        for index in range(len(chosen)):
            rest = chosen[:index] + chosen[index + 1 :]
            gone = chosen[index]
            for line, gaps in enumerate(spread):
                _note(counts[line], gaps, gone, rest, -1)
            costs = {
                candidate: sum(_count_cost(counts[line], gaps, candidate, rest) for line, gaps in enumerate(spread))
                for candidate in range(rows)
                if candidate not in rest
            }
            best = min(costs, key=lambda candidate: (costs[candidate], candidate != gone, candidate))
            improved = improved or best != gone
            chosen[index] = best
            for line, gaps in enumerate(spread):
                _note(counts[line], gaps, best, rest, 1)
    return sum(count * count for line in counts for count in line), sorted(chosen)


def _note(counts: list[int], gaps: list[list[int]], position: int, rest: list[int], change: int) -> None:
    for other in rest:
        counts[gaps[position][other]] += change
        counts[gaps[other][position]] += change


def _count_cost(counts: list[int], gaps: list[list[int]], position: int, rest: list[int]) -> int:
    """Return the increase of the sum of squares if this position is added."""
    added: dict[int, int] = {}
    for other in rest:
        for gap in (gaps[position][other], gaps[other][position]):
            added[gap] = added.get(gap, 0) + 1
    return sum(count * (2 * counts[gap] + count) for gap, count in added.items())
