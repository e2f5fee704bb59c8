"""The removal of a person's name from texts: those that people typed, and those of the log. All functions are pure."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from clubs.names import simplify_name, words_of

WORD = re.compile(r"[^\W_]+")
PARTS = ",;/·|"
SHORTEST = 3  # a family name with fewer letters is not searched for alone
# Words of the game that may also be family names. Alone in a text, such a word means the game.
GAME = frozenset(
    {
        "petit",
        "garde",
        "prise",
        "excuse",
        "table",
        "chien",
        "roi",
        "dame",
        "cavalier",
        "valet",
        "atout",
        "donne",
        "nord",
        "est",
        "sud",
        "ouest",
    }
)

Words = tuple[str, ...]


class WordPlace(NamedTuple):
    """A word of a text: its place, its simplified form for comparison, and whether it begins with a capital."""

    start: int
    end: int
    word: str
    capital: bool


class Name:
    """All names that a person had, and the `number` that replaces them.

    `called` has pairs of first name and family name.
    """

    def __init__(self, called: Iterable[tuple[str, str]], number: str) -> None:
        names = [(tuple(words_of(first)), tuple(words_of(last))) for first, last in called]
        orders = {order for first, last in names for order in (first + last, last + first) if order}
        self.forms: list[Words] = sorted(orders, key=len, reverse=True)
        self.families = {last for _first, last in names if last and is_telling(last)}
        self.number = number

    def take_out(self, text: str, *, alone: bool = False) -> str:
        """Return the text with the number in place of each full name.

        Order of the names, accents and hyphens do not matter.

        With `alone`, the number also replaces the family name where it stands alone and begins with a capital.
        """
        whole = unicodedata.normalize("NFC", text)
        places = list(self.find(whole, [*map(place_of, WORD.finditer(whole))], alone=alone))
        for start, end in reversed(places):
            whole = whole[:start] + self.number + whole[end:]
        return whole if places else text

    def find(self, text: str, places: list[WordPlace], *, alone: bool) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each name in the text."""
        at = 0
        while at < len(places):
            length = next((len(form) for form in self.forms if stands_at(form, text, places, at)), 0)
            if not length and alone:
                length = next((len(each) for each in self.families if words_at(places, at, len(each)) == each), 0)
                length = length if any(place.capital for place in places[at : at + length]) else 0
            if length:
                yield places[at].start, places[at + length - 1].end
            at += length or 1

    def take_out_of(self, value: Any, *, alone: bool = False) -> Any:
        """Return a text, or JSON data with all its texts, with the number in place of each name."""
        if isinstance(value, str):
            return self.take_out(value, alone=alone)
        if isinstance(value, list):
            return [self.take_out_of(each, alone=alone) for each in value]
        if isinstance(value, dict):
            return {key: self.take_out_of(each, alone=alone) for key, each in value.items()}
        return value


def is_telling(family: Words) -> bool:
    """Return whether the family name may be searched for alone: it is long enough and no word of the game."""
    return len("".join(family)) >= SHORTEST and not (len(family) == 1 and family[0] in GAME)


def place_of(match: re.Match[str]) -> WordPlace:
    return WordPlace(match.start(), match.end(), simplify_name(match[0]), match[0][0].isupper())


def words_at(places: list[WordPlace], at: int, length: int) -> Words:
    return tuple(place.word for place in places[at : at + length])


def stands_at(form: Words, text: str, places: list[WordPlace], at: int) -> bool:
    """Return whether the name stands at this place of the text.

    A name of one word must stand by itself, between punctuation. Otherwise it may be the first name of somebody else.
    """
    if words_at(places, at, len(form)) != form:
        return False
    if len(form) > 1:
        return True
    before, after = text[: places[at].start].rstrip(), text[places[at].end :].lstrip()
    return (not before or before[-1] in PARTS) and (not after or after[0] in PARTS)
