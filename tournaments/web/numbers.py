"""The numbers in addresses and in posted choices. They are read within bounds, and no text leads to an error.

Only the digits 0 to 9 count, so a number that is read equals what `str` writes. The number of digits is limited, so
that every database can look for the number.
"""

import re
from collections.abc import Mapping

from django.urls.converters import IntConverter

MOST_DIGITS = 18
MOST_PAGES = 10_000
NUMBER = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}", re.ASCII)


class NumberConverter(IntConverter):
    """A path converter for `<number:name>`. An address with anything else in that place does not exist."""

    regex = rf"[0-9]{{1,{MOST_DIGITS}}}"


def read_number(given: Mapping[str, str], name: str, *, none: int = 0) -> int:
    """Return the whole number under that name, or `none` if there is no whole number."""
    return parse_number(given.get(name, ""), none=none)


def parse_number(text: str, *, none: int = 0) -> int:
    return int(text) if NUMBER.fullmatch(text) else none
