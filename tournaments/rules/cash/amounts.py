"""The reading of amounts of money that people type."""

import re

AMOUNT = re.compile(r"(\d{1,5})(?:[.,](\d{1,2}))?")
SPACES = re.compile(r"[\s\u00a0\u202f]")
EURO = re.compile(r"€|euros?|eur", re.IGNORECASE)


class AmountError(ValueError):
    """An error: a text is no amount of money of 0 to 99 999,99 euros."""


def read_amount(text: str) -> int:
    """Return the cents in a typed amount, such as "12,50", "12.5 €" or "€ 12".

    Raise `AmountError` for any other text, such as a negative amount or one with tenths of a cent.
    """
    bare = EURO.sub("", SPACES.sub("", text), count=1)
    found = AMOUNT.fullmatch(bare)
    if found is None or not bare.isascii():
        raise AmountError(text)
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))
