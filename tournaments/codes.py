"""The codes that people type from paper: drawing them at random, and reading what was typed."""

import secrets
import unicodedata
from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

# The letters and digits of codes. O, 0, I, L, 1, B, 8, S, 5, Z and 2 are left out: they are easily confused.
UNMISTAKABLE = "ACDEFGHJKMNPQRTUVWXY34679"
SIGNS = 12  # the length of a table's number and of a personal code; SECURITY.md says how safe that is
GROUP = 4
# Cyrillic and Greek letters, and the Latin letters that look the same.
LOOK_ALIKE = str.maketrans("АСЕНКМРТУХΑΕΗΚΜΝΡΤΥΧ", "ACEHKMPTYXAEHKMNPTYX")


def draw_codes(
    count: int, signs: str = UNMISTAKABLE, length: int = SIGNS, *, taken: Callable[[set[str]], Iterable[str]]
) -> list[str]:
    """Return `count` different new codes.

    The function `taken` gets a set of drawn codes. It returns those that were given out before, which are drawn again.
    """
    codes: set[str] = set()
    while len(codes) < count:
        drawn = {draw_random_code(signs, length) for _code in range(count - len(codes))}
        codes |= drawn - set(taken(drawn))
    return list(codes)


def draw_random_code(signs: str = UNMISTAKABLE, length: int = SIGNS) -> str:
    return "".join(secrets.choice(signs) for _sign in range(length))


def read_code(typed: str) -> str:
    """Return the letters and digits of the typed text, in capitals and without accents, spaces or other signs."""
    plain = unicodedata.normalize("NFKD", typed).upper().translate(LOOK_ALIKE)
    return "".join(sign for sign in plain if sign.isascii() and sign.isalnum())


def is_code(code: str, length: int = SIGNS) -> bool:
    """Return whether the text could be a code: it has `length` signs, and each of them is in `UNMISTAKABLE`."""
    return len(code) == length and set(code) <= set(UNMISTAKABLE)


def group_code(code: str) -> str:
    """Return the code in groups of four signs with no-break spaces between them, such as "ACDE FGHJ KMNP"."""
    return "\N{NO-BREAK SPACE}".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def say_misread(code: str) -> str:
    """Return the sentence that tells the user why the typed text, as `read_code` returns it, cannot be a code."""
    wrong = sorted(set(code) - set(UNMISTAKABLE))
    if wrong and len(code) == SIGNS:
        return _("No code contains %(signs)s: look at the paper again, it is another letter or digit.") % {
            "signs": ", ".join(wrong)
        }
    sentence = ngettext(
        "A code has twelve letters and digits, and %(count)s was typed: look at the paper again.",
        "A code has twelve letters and digits, and %(count)s were typed: look at the paper again.",
        len(code),
    )
    return sentence % {"count": len(code)}
