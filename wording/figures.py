"""The reading of a figure as people write it: with a decimal comma, a real minus sign, or blanks between thousands."""

import re
from decimal import Decimal

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
    found = FIGURE.fullmatch(text.strip().replace("½", ",5"))
    if found is None:
        raise FigureError(text.strip())
    size = Decimal("".join(found["digits"].split()).replace(",", "."))
    return size if found["sign"] in ("", "+") else -size


def read_whole_figure(text: str) -> int:
    """Return the whole number in a text. Raise `FigureError` for another text, also for a figure with decimals."""
    figure = read_figure(text)
    if figure % 1:
        raise FigureError(text.strip())
    return int(figure)
