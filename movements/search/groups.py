"""The Abelian groups with the elements 0 … n − 1. A number has one digit for each component, the first the highest.

`moduli` are the sizes of the components: in (2, 6) the number x has the digits x div 6 and x mod 6.
"""


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
