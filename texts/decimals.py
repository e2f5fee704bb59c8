"""The decimal text of exact figures, for programs and for people. Each figure is rounded once, from its exact value."""

from fractions import Fraction

NONE = "–"


def round_half(value: Fraction | int, places: int = 0) -> int:
    """Return the figure in units of the last of `places` decimals, rounded half away from 0.

    For example, 175/2 is 88, and with one place 875.
    """
    size: int = (2 * abs(value.numerator) * 10**places + value.denominator) // (2 * value.denominator)
    return -size if value < 0 else size


def decimal_text(value: Fraction | int, places: int) -> str:
    """Return the figure as text with `places` decimals after a point.

    For example, 175/2 with one place is "87.5", and -1/3 is "-0.3".
    """
    scaled = round_half(value, places)
    whole, part = divmod(abs(scaled), 10**places)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{part:0{places}}" if places else f"{sign}{whole}"


def write_decimal(value: Fraction | int | None, places: int, point: str) -> str:
    """Return the figure as text for people, with the language's decimal `point` and a true minus sign.

    Return a dash if there is no figure.
    """
    return NONE if value is None else decimal_text(value, places).replace("-", "−").replace(".", point)
