"""The reader of records that people type: capitals or not, French or English words, cards in any usual form.

The reader knows the same lines as `notation`. A line that begins with a card is a trick. The number before a trick,
empty lines, and text after a `#` are ignored.
"""

import re
import unicodedata
from collections.abc import Iterator

from referee.records.cards import read_typed_card
from referee.records.notation import KEYS, LONGEST, PASS, parse, show
from referee.records.values import DealRecord, RecordError

WORDS = {
    "donneur": "dealer", "donne": "deal", "mains": "deal", "hands": "deal", "encheres": "bids", "annonces": "bids",
    "preneur": "taker", "appel": "called", "call": "called", "discard": "ecart", "slam": "chelem",
    "poignees": "poignee", "pli": "trick", "entame": "trick", "lead": "trick", "reste": "claim", "partie": "record",
    "fiche": "record",
}  # fmt: skip
VALUES = {
    "attaque": "attack", "defense": "defence", "passe": PASS, "-": PASS, "nord": "N", "north": "N", "est": "E",
    "east": "E", "sud": "S", "south": "S", "ouest": "W", "west": "W", "o": "W", "cinquieme": "F", "fifth": "F",
    "sans": "garde_sans", "contre": "garde_contre", "petite": "prise", "garde-sans": "garde_sans",
    "garde-contre": "garde_contre",
}  # fmt: skip
CARDS = ("called", "ecart", "poignee", "trick")
SEATS = ("n", "e", "s", "w", "f")
NUMBERED = re.compile(r"^\s*\d+\s*[.):]\s*(?=\S)")


def read_record(text: str, language: str | None = None) -> DealRecord:
    """Return the record of a typed text. `language` ("fr" or "en") says what the letters C and T mean as suits.

    Raise RecordError with the line of the first fault.
    """
    if len(text) > LONGEST:
        raise RecordError("long", most=LONGEST)
    return parse("\n".join(_rewrite(text, language)))


def _rewrite(text: str, language: str | None) -> Iterator[str]:
    """Yield each line as `notation.parse` reads it. Lines keep their numbers."""
    lines = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").splitlines()
    started = False
    for number, line in enumerate(lines, 1):
        words = re.split(r"[\s,;]+", NUMBERED.sub("", line.partition("#")[0]).strip().replace(":", " "))
        if words == [""]:
            if started:  # the first line must be the one with the number of players
                yield ""
            continue
        started = True
        yield _rewrite_line(words, number, language)


def _rewrite_line(words: list[str], number: int, language: str | None) -> str:
    first = _fold(words[0])
    key = WORDS.get(first, first)
    if key == "record":
        return f"record {' '.join(words[1:])}"
    if key not in KEYS:
        key, words = "trick", ["", *words]
    rest = [word for word in words[1:] if word]
    if key == "deal":
        return f"deal {' '.join(rest)}"
    if key in CARDS:
        seat = [_value(rest.pop(0))] if key == "poignee" and rest else []
        return " ".join([key, *seat, show(read_typed_card(word, number, language) for word in rest)])
    return " ".join([key, *map(_value, rest)])


def _value(word: str) -> str:
    folded = _fold(word)
    return folded.upper() if folded in SEATS else VALUES.get(folded, folded)


def _fold(word: str) -> str:
    """Return the word in small letters without accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(letter)
    )
