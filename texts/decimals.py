"""Exact figures as decimal ones: rounded once, from the exact value; for programs, and for people."""

from fractions import Fraction

NONE = "–"


def round_half(value: Fraction | int, places: int = 0) -> int:
    """How many units of so many decimals a figure comes to, half away from 0: 175/2 is 88, with one place 875."""
    size: int = (2 * abs(value.numerator) * 10**places + value.denominator) // (2 * value.denominator)
    return -size if value < 0 else size


def decimal_text(value: Fraction | int, places: int) -> str:
    """A figure with so many decimals after a point: 175/2 with one is "87.5", -1/3 is "-0.3"."""
    scaled = round_half(value, places)
    whole, part = divmod(abs(scaled), 10**places)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{part:0{places}}" if places else f"{sign}{whole}"


def write_decimal(value: Fraction | int | None, places: int, point: str) -> str:
    """The same for people: the language's `point`, a true minus, a dash for no figure."""
    return NONE if value is None else decimal_text(value, places).replace("-", "−").replace(".", point)
