"""The random search for the shifts of a rule, for numbers of tables for which nothing better is known.

`rules.py` explains shifts.
"""

from collections.abc import Iterator
from itertools import combinations
from math import prod

from deals.domain.chance import below, numbers
from movements.search.groups import minus

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
