"""The reading of numbers from addresses and forms, and the converters of parts of addresses.

Only the digits 0 to 9 count, not the digits of other scripts. The number of digits is limited, so that the database can
look for every number that is read.
"""

import re
from collections.abc import Mapping

from django.http import QueryDict
from django.urls.converters import IntConverter, StringConverter

MOST_DIGITS = 18
MOST_PAGES = 10_000
NUMBER = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}", re.ASCII)


class NumberConverter(IntConverter):
    """A path converter for `<number:name>`. It accepts only the digits 0 to 9, at most MOST_DIGITS of them."""

    regex = rf"[0-9]{{1,{MOST_DIGITS}}}"


def read_number(given: Mapping[str, str], name: str, *, none: int = 0) -> int:
    """Return the whole number under that name, or `none` if there is no whole number."""
    return parse_number(given.get(name, ""), none=none)


def read_numbers(given: QueryDict, name: str) -> list[int]:
    """Return the whole numbers above 0 under that name, in their order. Other values are left out."""
    return [number for text in given.getlist(name) if (number := parse_number(text)) > 0]


def parse_number(text: str, *, none: int = 0) -> int:
    return int(text) if NUMBER.fullmatch(text) else none


class SecretConverter(StringConverter):
    """A path converter for `<secret:name>`: a token, a link or a key, which opens something for whoever has it.

    Lines of the log leave these parts out (`config.logs`).
    """


class Base36Converter(StringConverter):
    """A path converter for `<base36:name>`, a number of an account as the library writes it."""

    regex = "[0-9A-Za-z]+"
