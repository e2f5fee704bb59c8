"""The search for the strengths that explain the notes best: conjugate gradients, with a fixed number of passes.

The variances of few players are computed exactly instead, from the inverse of the whole matrix of the equations.
"""

from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from operator import mul
from typing import NamedTuple, Protocol

PASSES = 30  # the number of passes of the search for the best strengths
MOST_EXACT = 200  # players whose variances are exact; the work grows with their third power
ENOUGH = 1e-8  # a pass changes no variance if its error is below this share of the first error


class Strengths:
    """Two lists of numbers, one for each player: attack and defence. With one strength a player, `defence` is empty."""

    __slots__ = ("attack", "defence")

    def __init__(self, attack: list[float], defence: list[float]) -> None:
        self.attack, self.defence = attack, defence

    def plus(self, other: "Strengths", times: float) -> "Strengths":
        """Return the sum of these numbers and of the other ones, which are multiplied by `times`."""
        return Strengths(add_times(self.attack, other.attack, times), add_times(self.defence, other.defence, times))

    def dot(self, other: "Strengths") -> float:
        """Return the sum of the products of all numbers, player after player."""
        return fsum(map(mul, self.attack, other.attack)) + fsum(map(mul, self.defence, other.defence))


def add_times(ones: Sequence[float], others: Sequence[float], times: float) -> list[float]:
    """Return the sums of `ones` and of `others`, which are multiplied by `times`."""
    return [one + times * two for one, two in zip(ones, others, strict=True)]


class Solution(NamedTuple):
    """The strengths of all players, and the variance of the error of each player's figure."""

    attack: list[float]
    defence: list[float]
    variance: list[float]


class Equations(Protocol):
    """The equations of one model. `noise` is the variance of chance in a note."""

    noise: float

    def gather(self) -> Strengths:
        """Return the weighted sums of each player's notes."""

    def apply(self, strengths: Strengths) -> Strengths:
        """Return the sums of `gather` for the notes that these strengths predict, plus the term of the prior."""

    def scale(self, rest: Strengths) -> Strengths:
        """Return `rest` with each player's numbers divided by that player's block on the diagonal of the equations."""

    def list_figures(self, strengths: Strengths) -> list[float]:
        """Return the figure of each player."""

    def list_variances(self) -> list[float]:
        """Return the variance of each player's figure over `noise`, as if the strengths of all others were known."""

    def make_matrix(self) -> list[list[float]]:
        """Return the matrix by which `apply` multiplies the strengths: first those of attack, then those of defence."""

    def list_parts(self, player: int) -> dict[int, float]:
        """Return the share of each strength in a player's figure, by its place in the matrix."""


def find_solution(equations: Equations) -> Solution:
    """Return the strengths that explain the notes best. The search goes over all plays PASSES times.

    The variances of at most MOST_EXACT players are exact. For more players, the variance of a player is first computed
    as if the strengths of all others were known. Each pass adds a part for its search direction. After all directions
    the variance would be exact, but the search ends before.
    """
    rest = equations.gather()
    solution = Strengths([0.0] * len(rest.attack), [0.0] * len(rest.defence))
    step = equations.scale(rest)
    direction = Strengths(list(step.attack), list(step.defence))
    size = first = rest.dot(step)
    variance = equations.list_variances()
    for _pass in range(PASSES):
        if not size:
            break
        image = equations.apply(direction)
        across = direction.dot(image)
        if size > ENOUGH * first:
            figures = zip(variance, equations.list_figures(direction), equations.list_figures(step), strict=True)
            variance = [precision + one * one / across - two * two / size for precision, one, two in figures]
        solution = solution.plus(direction, size / across)
        rest = rest.plus(image, -size / across)
        step = equations.scale(rest)
        larger = rest.dot(step)
        direction = step.plus(direction, larger / size)
        size = larger
    if len(variance) <= MOST_EXACT:
        variance = find_exact_variances(equations, len(variance))
    return Solution(solution.attack, solution.defence, [equations.noise * max(each, 0.0) for each in variance])


def find_exact_variances(equations: Equations, players: int) -> list[float]:
    """Return the variance of each player's figure over `noise`, by Cholesky's decomposition of the matrix."""
    lower = decompose(equations.make_matrix())
    return [measure_parts(lower, equations.list_parts(player)) for player in range(players)]


def add_products(matrix: list[list[float]], terms: Sequence[Mapping[int, float]], weight: float) -> None:
    """Add to the matrix what the plays of an étui bring. `terms` has the strengths in each play, with their factors.

    The mean of an étui is taken off its plays, so the product of all their terms is taken off, too.
    """
    for each in terms:
        for at, one in each.items():
            row, part = matrix[at], weight * one
            for other, two in each.items():
                row[other] += part * two
    share = weight / len(terms)
    for each in terms:
        for at, one in each.items():
            row, part = matrix[at], share * one
            for others in terms:
                for other, two in others.items():
                    row[other] -= part * two


def decompose(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the rows of the lower triangle whose product with its transpose is the matrix."""
    lower: list[list[float]] = []
    for at, row in enumerate(matrix):
        own: list[float] = []
        for other, above in enumerate(lower):
            own.append((row[other] - fsum(map(mul, own, above))) / above[other])
        own.append(sqrt(row[at] - fsum(each * each for each in own)))
        lower.append(own)
    return lower


def measure_parts(lower: Sequence[Sequence[float]], parts: Mapping[int, float]) -> float:
    """Return the variance of the sum of these parts of the strengths: the squares of what `lower` divides them into."""
    first = min(parts)
    solved: list[float] = []
    for at in range(first, len(lower)):
        row = lower[at]
        solved.append((parts.get(at, 0.0) - fsum(map(mul, solved, row[first:]))) / row[at])
    return fsum(each * each for each in solved)
