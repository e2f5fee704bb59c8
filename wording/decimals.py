"""The text of exact figures with decimals, for programs and for people. Each figure is rounded only once."""

from fractions import Fraction

NONE = "–"


def round_half(value: Fraction | int, places: int = 0) -> int:
    """Return the figure, rounded to `places` decimals, times 10 ** places. Halves are rounded away from 0.

    For example, 175/2 gives 88, and with one place 875.
    """
    size: int = (2 * abs(value.numerator) * 10**places + value.denominator) // (2 * value.denominator)
    return -size if value < 0 else size


def decimal_text(value: Fraction | int, places: int) -> str:
    """Return the figure as text with `places` decimals after a point.

    For example, 175/2 with one place gives "87.5", and -1/3 gives "-0.3".
    """
    scaled = round_half(value, places)
    whole, part = divmod(abs(scaled), 10**places)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{part:0{places}}" if places else f"{sign}{whole}"


def write_decimal(value: Fraction | int | None, places: int, point: str) -> str:
    """Return the figure as text for people, with `places` decimals after `point` and a real minus sign (−).

    Return a dash if there is no figure.
    """
    return NONE if value is None else decimal_text(value, places).replace("-", "−").replace(".", point)


def write_comma_decimal(value: Fraction | int, places: int) -> str:
    """Return the figure as a French spreadsheet reads it: with a decimal comma, and a minus sign of the keyboard."""
    return decimal_text(value, places).replace(".", ",")
