"""Stamps: what a screen shows, named by a short text, before anything of it is built.

A stamp is made of revisions (`tournaments.locks` raises them) and of the moments by which something changes without a
write, never of what is shown: the same stamp means the same screen, another one that it is worth building. Every stamp
changes with the reader's language and with the site's own code.
"""

import hashlib
from functools import cache

from django.conf import settings
from django.utils.translation import get_language

KINDS = frozenset({".py", ".html", ".mo", ".json"})
ROOMS = ("clubs", "config", "deals", "movements", "scoring", "templates", "texts", "tournaments", "wording")


def make_stamp(*parts: object) -> str:
    told = repr((code_version(), get_language(), parts))
    return hashlib.sha256(told.encode()).hexdigest()[:24]


@cache
def code_version() -> str:
    """A digest of all that decides what a screen is told: the same in every process of one deployment."""
    told = hashlib.sha256()
    for room in ROOMS:
        for path in sorted((settings.BASE_DIR / room).rglob("*")):
            if path.suffix in KINDS:
                told.update(path.read_bytes())
    return told.hexdigest()[:16]
