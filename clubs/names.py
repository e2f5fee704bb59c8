"""The comparison of people's names for sorting and search, which does not depend on the database.

It also finds characters that are forbidden in names.
"""

import re
import unicodedata
from functools import lru_cache

# Control characters, line ends, marks that change the direction of writing, signs without width, soft hyphens, tags,
# and letters without a picture. Nobody sees them, but they can make a text look like another text, or like none.
HIDDEN = re.compile(
    r"[\0-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\u2800\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff]"
)
JOINING = "\u200c\u200d"  # these join or part the letters of some scripts, and the pictures of an emoji
JOINED = {"Lo", "Mn", "Mc", "So", "Sk"}  # the categories of signs that they join
SELECTING = re.compile(r"[\ufe00-\ufe0f]")  # they choose the form of the sign before them, which is no Latin letter
MARKS = {"Mn", "Me"}
MOST_MARKS = 4  # on one letter, as in Tibetan; more cover the lines beside a name
# Letters that a keyboard may lack, and the letters that people then write.
SPELT = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
# Words that stay in small letters inside a name, but not at its beginning.
SMALL_WORDS = {"d", "de", "des", "du", "et", "van", "von", "der", "den", "zu"}
BETWEEN = re.compile(r"[\W_]+")


def hidden_in(text: str) -> str:
    """Return the first character that a name may not hold, such as "U+202E", or "" if there is none.

    Characters that nobody sees are forbidden. So are more than MOST_MARKS accents on one letter, and accents without a
    letter.
    """
    if match := HIDDEN.search(text):
        return f"U+{ord(match[0]):04X}"
    return "" if text.isascii() else find_misplaced(unicodedata.normalize("NFC", text))


def find_misplaced(text: str) -> str:
    """Return the first joining sign or accent of a text that has nothing to join or to stand on, or ""."""
    kinds = ["Zs", *map(unicodedata.category, text), "Zs"]
    marks = 0
    for place, letter in enumerate(text, start=1):
        before, after = kinds[place - 1], kinds[place + 1]
        marks = marks + 1 if kinds[place] in MARKS and not SELECTING.match(letter) else 0
        is_misplaced = marks > MOST_MARKS or (marks > 0 and before == "Zs")
        if letter in JOINING:
            is_misplaced = not {before, after} <= JOINED
        elif SELECTING.match(letter):
            is_misplaced = before in {"Zs", "Lu", "Ll", "Cf"} or bool(SELECTING.match(text[place - 2]))
        if is_misplaced:
            return f"U+{ord(letter):04X}"
    return ""


def drop_hidden(text: str) -> str:
    """Return the text without the characters that nobody sees."""
    return HIDDEN.sub("", text)


@lru_cache(maxsize=4_096)
def simplify_name(text: str) -> str:
    """Return a name without accents, capitals and hyphens: "Élise Saint-Jean" gives "elise saint jean"."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return bare.casefold().translate(SPELT).replace("-", " ").replace("’", "'")


def words_of(text: str) -> list[str]:
    """Return the words of a name in the form in which they are compared.

    For example, "D’Artagnan, Élise" gives ["d", "artagnan", "elise"].
    """
    return BETWEEN.sub(" ", simplify_name(text)).split()


def licence_key(licence: str) -> str:
    """Return a licence in the form in which licences are compared: in capitals, without blanks and leading zeros.

    "0012345" and "12 345" give the same key. Spreadsheet programs drop such zeros.
    """
    text = "".join(licence.split()).upper()
    return text.lstrip("0") or text


def initials_of(first_name: str, last_name: str) -> str:
    """Return the initials of a name: "Jean-Pierre", "de La Tour" gives "J.-P. L. T.".

    Words without a capital, such as "de", are left out. If no word has a capital, all words are used.
    """
    return " ".join(filter(None, map(letters_of, (first_name, last_name))))


def letters_of(name: str) -> str:
    parts = re.split(r"([\s-]+)", unicodedata.normalize("NFC", name))
    words = [
        (between, match[0])
        for between, word in zip(["", *parts[1::2]], parts[::2], strict=True)
        if (match := re.search(r"[^\W\d_]", word))
    ]
    capitals = [each for each in words if each[1].isupper()] or words
    letters = [("-" if "-" in between else " ") + f"{letter.upper()[0]}." for between, letter in capitals]
    return "".join(letters)[1:]


def is_in_capitals(name: str) -> bool:
    """Return whether a name is in capitals and could be in small letters: True for “DUPONT”, not for an initial."""
    return len(name) > 1 and name.isupper() and write_small(name).upper() == name != write_small(name)


def write_small(name: str) -> str:
    """Return a name in small letters with capitals at the start of words: “DE LA TOUR” gives “De La Tour”."""
    parts = re.split(r"([\s'’.-]+)", name.lower())
    words = [word if place and word in SMALL_WORDS else word.capitalize() for place, word in enumerate(parts)]
    return "".join(words)
