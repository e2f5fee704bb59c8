"""The search for the strengths that explain the notes best: conjugate gradients, with a fixed number of passes."""

from collections.abc import Sequence
from math import fsum
from operator import mul
from typing import NamedTuple, Protocol

PASSES = 30  # the number of passes of the search for the best strengths
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


def find_solution(equations: Equations) -> Solution:
    """Return the strengths that explain the notes best. The search goes over all plays PASSES times.

    At first, the variance of a player is computed as if the strengths of all others were known. Each pass adds a part
    for its search direction. After all directions, the variance is exact.
    """
    rest = equations.gather()
    found = Strengths([0.0] * len(rest.attack), [0.0] * len(rest.defence))
    step = equations.scale(rest)
    way = Strengths(list(step.attack), list(step.defence))
    size = first = rest.dot(step)
    variance = equations.list_variances()
    for _pass in range(PASSES):
        if not size:
            break
        image = equations.apply(way)
        across = way.dot(image)
        if size > ENOUGH * first:
            figures = zip(variance, equations.list_figures(way), equations.list_figures(step), strict=True)
            variance = [known + one * one / across - two * two / size for known, one, two in figures]
        found = found.plus(way, size / across)
        rest = rest.plus(image, -size / across)
        step = equations.scale(rest)
        larger = rest.dot(step)
        way = step.plus(way, larger / size)
        size = larger
    return Solution(found.attack, found.defence, [equations.noise * max(each, 0.0) for each in variance])
