"""Codes that people type from paper: drawn by chance, and read back however they were typed."""

import secrets
import unicodedata
from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

# Without those that a hurried eye takes for one another: O and 0, I, L and 1, B and 8, S and 5, Z and 2.
UNMISTAKABLE = "ACDEFGHJKMNPQRTUVWXY34679"
SIGNS = 12  # of a table's number and of a personal code: SECURITY.md has what they come to
GROUP = 4
# Keyboards of other languages have letters that look the same.
LOOK_ALIKE = str.maketrans("АСЕНКМРТУХΑΕΗΚΜΝΡΤΥΧ", "ACEHKMPTYXAEHKMNPTYX")


def draw_codes(
    count: int, signs: str = UNMISTAKABLE, length: int = SIGNS, *, taken: Callable[[set[str]], Iterable[str]]
) -> list[str]:
    """Codes that differ, and that nobody has had: `taken` says which of those it is shown somebody has."""
    found: set[str] = set()
    while len(found) < count:
        drawn = {draw_code(signs, length) for _code in range(count - len(found))}
        found |= drawn - set(taken(drawn))
    return list(found)


def draw_code(signs: str = UNMISTAKABLE, length: int = SIGNS) -> str:
    return "".join(secrets.choice(signs) for _sign in range(length))


def read_code(typed: str) -> str:
    """Return the letters and figures that were typed, in capitals and without accents, whatever stands between them."""
    plain = unicodedata.normalize("NFKD", typed).upper().translate(LOOK_ALIKE)
    return "".join(sign for sign in plain if sign.isascii() and sign.isalnum())


def is_code(code: str, length: int = SIGNS) -> bool:
    """Return whether a code could read so: as long, and of these signs alone."""
    return len(code) == length and set(code) <= set(UNMISTAKABLE)


def group_code(code: str) -> str:
    """Return the code in groups of four that stay on one line."""
    return "\N{NO-BREAK SPACE}".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def say_misread(code: str) -> str:
    """Return the sentence that says why no code reads so."""
    wrong = sorted(set(code) - set(UNMISTAKABLE))
    if wrong and len(code) == SIGNS:
        return _("No code has %(signs)s in it: look at the paper again, it is another letter or figure.") % {
            "signs": ", ".join(wrong)
        }
    told = ngettext(
        "A code has twelve letters and figures, and %(count)s was typed: look at the paper again.",
        "A code has twelve letters and figures, and %(count)s were typed: look at the paper again.",
        len(code),
    )
    return told % {"count": len(code)}
