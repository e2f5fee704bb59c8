"""Stamps: what a screen shows, named by a short text, before anything of it is built.

A stamp is made of revisions (`tournaments.locks` raises them) and of the moments by which something changes without a
write, never of what is shown: the same stamp means the same screen, another one that it is worth building. Every stamp
changes with the reader's language and with the site itself.
"""

import hashlib
from functools import cache

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.translation import get_language

WRITTEN = ("*.py", "*.html", "*.json")


def make_stamp(*parts: object) -> str:
    told = repr((site_version(), get_language(), parts))
    return hashlib.sha256(told.encode()).hexdigest()[:24]


@cache
def site_version() -> str:
    """Changes with the code, templates, catalogues, static files and what is said of who runs the site, so that no page
    kept anywhere outlives them; the same in every process of one deployment."""
    told = hashlib.sha256(repr((getattr(staticfiles_storage, "manifest_hash", ""), settings.IMPRINT)).encode())
    written = [path for kind in WRITTEN for path in settings.BASE_DIR.glob(f"[a-z]*/**/{kind}")]
    catalogues = [path for folder in settings.LOCALE_PATHS for path in folder.rglob("*.mo")]
    for path in (*sorted(written), *sorted(catalogues)):
        told.update(path.read_bytes())
    return told.hexdigest()[:12]
