"""The stamps: short texts that identify the contents of a screen before any of it is built.

A stamp is made of revisions (`tournaments.locks` raises them) and of the moments at which something changes without a
write, never of the contents. The same stamp means the same screen; another one means that building is worth while.
Every stamp changes with the reader's language and with the site itself.
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
    """Return a digest of code, templates, catalogues, static files and imprint: no cached page outlives a change of it.

    It is the same in every process of a deployment.
    """
    told = hashlib.sha256(repr((getattr(staticfiles_storage, "manifest_hash", ""), settings.IMPRINT)).encode())
    written = [path for kind in WRITTEN for path in settings.BASE_DIR.glob(f"[a-z]*/**/{kind}")]
    catalogues = [path for folder in settings.LOCALE_PATHS for path in folder.rglob("*.mo")]
    for path in (*sorted(written), *sorted(catalogues)):
        told.update(path.read_bytes())
    return told.hexdigest()[:12]
