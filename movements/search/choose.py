"""The choice of some positions of a rule, so that players of one line share about equally many étuis."""

from dataclasses import replace

from deals.domain.chance import numbers, shuffle
from movements.plans.plan import SEATS
from movements.search.groups import minus
from movements.search.rules import Rule


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
