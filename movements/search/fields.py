"""The small finite fields and products of them: elements are the numbers 0 … q − 1.

Pure. An element of GF(p^k) is a polynomial over Z/p written in base p. The number of a product's element has a digit
for each field. So addition is by digits (`moduli`), and only multiplication needs work.
"""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class FiniteField:
    """The field GF(p^k) by the powers of a generator: `powers[i]` = g^i, `logs` is the inverse."""

    p: int
    k: int
    powers: tuple[int, ...]
    logs: dict[int, int]

    def times(self, a: int, b: int) -> int:
        return self.powers[(self.logs[a] + self.logs[b]) % len(self.powers)] if a and b else 0


@cache
def find_field(p: int, k: int) -> FiniteField:
    """Return GF(p^k), computed with the first polynomial x^k − f whose root x generates every element but 0."""
    q = p**k
    for f in range(1, q):
        powers = [1]
        while (following := _times_x(powers[-1], f, p, q)) != 1 and len(powers) < q:
            powers.append(following)
        if len(set(powers)) == len(powers) == q - 1:
            return FiniteField(p, k, tuple(powers), {element: i for i, element in enumerate(powers)})
    raise ArithmeticError(f"{p} is not a prime")


def _times_x(element: int, f: int, p: int, q: int) -> int:
    """Return x · element modulo x^k = f, digit by digit: the digit that leaves at the top comes back times f."""
    top, rest = divmod(element * p, q)
    result, unit = 0, 1
    while unit < q:
        result += (rest // unit + top * (f // unit)) % p * unit
        unit *= p
    return result


def prime_powers(n: int) -> list[tuple[int, int]]:
    """Return n as a product of prime powers: the pairs (p, k) of p^k."""
    found = []
    p = 2
    while n > 1:
        k = 0
        while n % p == 0:
            n, k = n // p, k + 1
        if k:
            found.append((p, k))
        p += 1
    return found


@dataclass(frozen=True)
class Product:
    """The direct product of the fields of n's prime powers.

    The difference of two elements that differ in each is invertible.
    """

    fields: tuple[FiniteField, ...]

    @property
    def moduli(self) -> tuple[int, ...]:
        return tuple(find_field.p for find_field in self.fields for _ in range(find_field.k))

    def same(self, digit: int) -> int:
        """Return the element that is `digit` in every field."""
        element = 0
        for one in self.fields:
            element = element * one.p**one.k + digit
        return element

    def times(self, a: int, b: int) -> int:
        result, unit = 0, 1
        for one in reversed(self.fields):
            q = one.p**one.k
            a, digit_a = divmod(a, q)
            b, digit_b = divmod(b, q)
            result += one.times(digit_a, digit_b) * unit
            unit *= q
        return result


def product(n: int) -> Product:
    """Return the ring of `n` elements, one finite field for each prime power in `n`."""
    return Product(tuple(find_field(p, k) for p, k in prime_powers(n)))
