"""Codes that people type from paper: drawn by chance, and read back however they were typed."""

import secrets
from collections.abc import Callable, Iterable

DIGITS = "0123456789"
# Without those that a hurried eye takes for one another: O and 0, I, L and 1, B and 8, S and 5, Z and 2.
UNMISTAKABLE = "ACDEFGHJKMNPQRTUVWXY34679"


def draw_codes(count: int, signs: str, length: int, *, taken: Callable[[set[str]], Iterable[str]]) -> list[str]:
    """Codes that differ, and that nobody has had: `taken` says which of those it is shown somebody has."""
    found: set[str] = set()
    while len(found) < count:
        drawn = {"".join(secrets.choice(signs) for _sign in range(length)) for _code in range(count - len(found))}
        found |= drawn - set(taken(drawn))
    return list(found)


def read_code(typed: str, signs: str) -> str:
    """What was typed as a code of these signs, whatever stands between them, in whichever case."""
    return "".join(sign for sign in typed.upper() if sign in signs)
