"""The reading of figures as people write them, and the text of exact figures. Each figure is rounded only once."""

import re
from decimal import Decimal
from fractions import Fraction

# Ordinary, no-break and thin spaces group the digits of thousands.
WHOLE = r"(?:[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3}){1,3}|[0-9]{1,12})"
FIGURE = re.compile(rf"(?P<sign>[-−–+]?)[ \u00a0\u2009\u202f]?(?P<digits>{WHOLE}(?:[.,][0-9]{{1,6}})?)")


class FigureError(ValueError):
    """An error: a text is no figure. `text` is that text."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)


def read_figure(text: str) -> Decimal:
    """Return the figure in a text, such as “12,5”, “+7”, “− 52”, “1 044” or “40½”. Raise `FigureError` for another."""
    match = FIGURE.fullmatch(text.strip().replace("½", ",5"))
    if match is None:
        raise FigureError(text.strip())
    size = Decimal("".join(match["digits"].split()).replace(",", "."))
    return size if match["sign"] in ("", "+") else -size


def read_whole_figure(text: str) -> int:
    """Return the whole number in a text. Raise `FigureError` for another text, also for a figure with decimals."""
    figure = read_figure(text)
    if figure % 1:
        raise FigureError(text.strip())
    return int(figure)


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
