"""The rules by which each line and the étui sets move: the announced rule, constructed ones, searched ones.

Pure. A rule is an Abelian group with as many elements as tables and, for each position, the shifts of N, E, S, W and
the étui sets in it: number x of a class is at table x + shift. A rule is perfect if for any two classes the differences
of their shifts are all different: then two numbers are at one table at most once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import gcd, prod

from movements.plans.plan import CYCLIC, Plan, PlannedPlay, Shifts, check_counts, etui_set
from movements.search.fields import prime_powers, product
from movements.search.groups import shift_tables
from movements.search.shift_table import SHIFTS
from movements.search.shifts import CLASSES, search_shifts
from movements.search.square_table import SQUARES

SEARCHED = 20  # positions that a search surely reaches, from the first table count that the shift table lacks
_TABLE = {
    prod(moduli): (moduli, tuple((0, *map(int, position.split(","))) for position in text.split()))
    for moduli, text in SHIFTS.items()
}
# The fields too small for two players to meet only once, always in barometer. At 2 tables any two players of different
# lines meet twice in 4 positions, at 3 tables twice in 6: no plan does better.
_SMALL: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((0, 0, 0, 0, 0),),
    2: ((0, 0, 0, 0, 0), (0, 0, 1, 1, 0), (0, 1, 0, 1, 0), (0, 1, 1, 0, 0)),
    3: ((0, 0, 0, 0, 0), (0, 0, 1, 2, 0), (0, 1, 0, 2, 0), (0, 1, 2, 1, 0), (0, 2, 1, 1, 0), (0, 2, 2, 0, 0)),
}


Numbers = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    `shifts` has a row of N, E, S, W, étui sets for each position; `moduli` are the sizes of the group's components.

    If there are no shifts, `squares` has the numbers of each position instead, class by class and table by table.
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
        """Return the numbers of N, E, S, W, étui sets at each table of the position after `step` others, all from 0."""
        if self.squares:
            return self.squares[step]
        return tuple(tuple(shift_tables(self.moduli, shift)) for shift in self.shifts[step])

    def play(self, steps: Sequence[int]) -> "Rule":
        """Return the rule with these of its positions, in this order."""
        shifts = tuple(self.shifts[step] for step in steps if self.shifts)
        return replace(self, shifts=shifts, squares=tuple(self.squares[step] for step in steps if self.squares))


@dataclass(frozen=True, slots=True)
class _Kind:
    """A construction for one table count.

    It is perfect for `reach` positions; `make` returns the rule for a number of positions.
    """

    reach: int
    make: Callable[[int], Rule]
    by_shifts: bool = True


def cyclic_reach(tables: int) -> int:
    """Return the number of positions for which the cyclic rule stays perfect.

    Two classes whose shifts differ by k are at one table again after tables / gcd(tables, k) positions, and the shifts
    of N, E, S, W and the étuis differ by 1, 2, 3 and 4.
    """
    return tables // max(gcd(tables, k) for k in range(1, 5))


def most_perfect(tables: int, *, barometer: bool = False) -> int:
    """Return the largest number of positions for which a rule in this module stays perfect."""
    return max(kind.reach for kind in _kinds(tables, barometer))


def rules_for(tables: int, positions: int, *, barometer: bool = False) -> Iterator[Rule]:
    """Yield every rule that is perfect for this many positions, the simplest first."""
    for kind in _kinds(tables, barometer):
        if kind.reach >= positions:
            yield kind.make(positions)


def rule_for(tables: int, positions: int, *, barometer: bool = False) -> Rule:
    """Return the simplest rule that reaches the positions. A perfect rule comes first, then barometer, then repeats."""
    check_counts(tables=tables, positions=positions, etuis_per_position=1)
    for each_plays_the_same in (False, True)[barometer:]:
        for rule in rules_for(tables, positions, barometer=each_plays_the_same):
            return rule
    return _again_and_again(tables, positions)


def widest_rule(tables: int) -> Rule:
    """Return the rule by shifts that is perfect for the most positions, with all of them to choose from. Sets move."""
    widest = max((kind for kind in _kinds(tables, False) if kind.by_shifts), key=lambda kind: kind.reach)
    return widest.make(widest.reach)


def lay_out(rule: Rule, etuis_per_position: int) -> Plan:
    """Return the plan of a rule, sorted by position and table.

    If the rule's first shifts are 0, number t and set t are at table t in position 1.
    """
    tables = rule.tables
    sets = [etui_set(index, etuis_per_position) for index in range(max(tables, rule.positions))]
    plays = []
    for step in range(rule.positions):
        *lines, laid = rule.numbers_at(step)
        for table, players in enumerate(zip(*lines, strict=True)):
            etuis = sets[step if rule.barometer else laid[table]]
            plays.append(PlannedPlay(step + 1, table + 1, etuis, tuple(number + 1 for number in players)))
    return Plan(
        tables,
        rule.positions,
        etuis_per_position,
        (tables,) * 4,
        tuple(plays),
        rule.name,
        0 if rule.barometer else None,
        rule.announced,
    )


def _kinds(tables: int, barometer: bool) -> list[_Kind]:
    """Return the constructions for a table count, the simplest first."""
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
    """Return the numbers of each position from the table of squares. North stays."""
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
    """Return the rule with shift α·m in the product of the fields for position α.

    Any two of the five m have an invertible difference.
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
    """Return the most perfect rule over and over, in barometer, because the étui sets would come round again."""
    if tables in _SMALL:
        once = Rule("small", (tables,), _SMALL[tables])
    else:
        widest = max(_kinds(tables, True), key=lambda kind: kind.reach)
        once = widest.make(widest.reach)
    again = once.play([step % once.positions for step in range(positions)])
    return replace(again, name="repeated", barometer=True, announced=None)
