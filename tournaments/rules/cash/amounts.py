"""The reading of amounts of money that people type."""

import re

from wording.figures import FigureError, read_figure

MOST_CENTS = 9_999_999
EURO = re.compile(r"€|euros?|eur", re.IGNORECASE)


class AmountError(ValueError):
    """An error: a text is no amount of money of 0 to 99 999,99 euros."""


def read_amount(text: str) -> int:
    """Return the cents in a typed amount, such as "12,50", "12.5 €" or "€ 12".

    Raise `AmountError` for any other text, such as a negative amount or one with tenths of a cent.
    """
    try:
        cents = read_figure(EURO.sub("", text, count=1)) * 100
    except FigureError as error:
        raise AmountError(text) from error
    if "+" in text or cents % 1 or not 0 <= cents <= MOST_CENTS:
        raise AmountError(text)
    return int(cents)
