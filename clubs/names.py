"""How people's names are compared when they are sorted and looked up, whatever the database's own order; what no name
may hold. Pure."""

import re
import unicodedata
from functools import lru_cache

# Controls, line ends, and what turns the direction of writing: nobody sees them, and they disguise what he does see.
HIDDEN = re.compile(r"[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
# Letters that are written as two, or without their stroke, where a keyboard lacks them.
SPELT = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
# Within a name, never at its beginning.
SMALL_WORDS = {"d", "de", "des", "du", "et", "van", "von", "der", "den", "zu"}
BETWEEN = re.compile(r"[\W_]+")


def hidden_in(text: str) -> str:
    """The first character that no name may hold, as "U+202E"; "" where there is none."""
    found = HIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


@lru_cache(maxsize=4_096)
def plain(text: str) -> str:
    """A name without accents, capitals and hyphens: "Élise Saint-Jean" is found as "elise saint jean"."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return bare.casefold().translate(SPELT).replace("-", " ").replace("’", "'")


def words_of(text: str) -> list[str]:
    """The words of a name as it is compared: "D’Artagnan, Élise" gives "d", "artagnan", "elise"."""
    return BETWEEN.sub(" ", plain(text)).split()


def initials_of(first_name: str, last_name: str) -> str:
    """ "Jean-Pierre", "de La Tour" gives "J.-P. L. T."; particles in small letters are left out, unless that is all."""
    return " ".join(filter(None, map(letters_of, (first_name, last_name))))


def letters_of(name: str) -> str:
    parts = re.split(r"([\s-]+)", unicodedata.normalize("NFC", name))
    words = [
        (between, found[0])
        for between, word in zip(["", *parts[1::2]], parts[::2], strict=True)
        if (found := re.search(r"[^\W\d_]", word))
    ]
    capitals = [each for each in words if each[1].isupper()] or words
    letters = [("-" if "-" in between else " ") + f"{letter.upper()[0]}." for between, letter in capitals]
    return "".join(letters)[1:]


def is_in_capitals(name: str) -> bool:
    """Return whether a name stands in capitals and could stand in small letters: “DUPONT”, and no initial."""
    return len(name) > 1 and name.isupper() and write_small(name).upper() == name != write_small(name)


def write_small(name: str) -> str:
    """Return a name in small letters with its capitals: “DE LA TOUR-D'AUVERGNE” is “De La Tour-d'Auvergne”."""
    parts = re.split(r"([\s'’.-]+)", name.lower())
    words = [word if place and word in SMALL_WORDS else word.capitalize() for place, word in enumerate(parts)]
    return "".join(words)
