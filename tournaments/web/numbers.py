"""Numbers as strangers write them, in addresses and in posted choices: read within bounds, none of them an error.

Only the digits 0 to 9 count, so that what is read is what `str` writes; and so few of them that every database can
look for the number.
"""

import re
from collections.abc import Mapping

from django.urls.converters import IntConverter

MOST_DIGITS = 18
MOST_PAGES = 10_000
NUMBER = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}", re.ASCII)


class NumberConverter(IntConverter):
    """`<number:name>` in an address; whatever else is written there is no address."""

    regex = rf"[0-9]{{1,{MOST_DIGITS}}}"


def read_number(given: Mapping[str, str], name: str, *, none: int = 0) -> int:
    """The whole number under that name; `none` where there is nothing, or nothing of the kind."""
    return number_of(given.get(name, ""), none=none)


def number_of(text: str, *, none: int = 0) -> int:
    return int(text) if NUMBER.fullmatch(text) else none
