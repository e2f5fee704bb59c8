"""The small finite fields and their products, and the Abelian groups. Elements are numbers from 0.

An element of GF(p^k) is a polynomial over Z/p, written as a number in base p. An element of a product has the digits of
an element of each field, one after another. So addition works digit by digit (`moduli`); only multiplication is
computed here.

`moduli` are the sizes of the components: in (2, 6) the number x has the digits x div 6 and x mod 6.
"""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class FiniteField:
    """The field GF(p^k), given by the powers of a generator g: `powers[i]` is g^i, and `logs[powers[i]]` is i."""

    p: int
    k: int
    powers: tuple[int, ...]
    logs: dict[int, int]

    def times(self, a: int, b: int) -> int:
        return self.powers[(self.logs[a] + self.logs[b]) % len(self.powers)] if a and b else 0


@cache
def find_field(p: int, k: int) -> FiniteField:
    """Return the field GF(p^k). Raise ArithmeticError if p is not a prime.

    It is built with the first polynomial x^k − f whose root x generates every element except 0.
    """
    q = p**k
    for f in range(1, q):
        powers = [1]
        while (following := _times_x(powers[-1], f, p, q)) != 1 and len(powers) < q:
            powers.append(following)
        if len(set(powers)) == len(powers) == q - 1:
            return FiniteField(p, k, tuple(powers), {element: i for i, element in enumerate(powers)})
    raise ArithmeticError(f"{p} is not a prime")


def _times_x(element: int, f: int, p: int, q: int) -> int:
    """Return x · element, where x^k equals f.

    The highest digit of the element leaves at the top. It comes back multiplied by f.
    """
    top, rest = divmod(element * p, q)
    result, unit = 0, 1
    while unit < q:
        result += (rest // unit + top * (f // unit)) % p * unit
        unit *= p
    return result


def prime_powers(n: int) -> list[tuple[int, int]]:
    """Return the prime powers whose product is n, as pairs (p, k) for p^k."""
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
    """The direct product of the fields for the prime powers of n.

    If two elements differ in every field, their difference has an inverse.
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


def minus(moduli: tuple[int, ...], a: int, b: int) -> int:
    """Return a − b in the group."""
    if len(moduli) == 1:
        return (a - b) % moduli[0]
    result, unit = 0, 1
    for modulus in reversed(moduli):
        result += (a // unit - b // unit) % modulus * unit
        unit *= modulus
    return result


def shift_tables(moduli: tuple[int, ...], shift: int) -> list[int]:
    """Return the number at each table after a shift in the group of `moduli`: number x goes to table x + `shift`."""
    digits = []
    for modulus in reversed(moduli):
        shift, digit = divmod(shift, modulus)
        digits.append(digit)
    found = [0]
    for modulus, digit in zip(moduli, reversed(digits), strict=True):
        found = [high * modulus + (table - digit) % modulus for high in found for table in range(modulus)]
    return found
