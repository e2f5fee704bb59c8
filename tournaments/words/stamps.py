"""The stamps of screens: as long as a screen's stamp is the same, the content of the screen is the same.

A stamp is a short digest of version numbers (the revisions that `tournaments.locks` raises) and of moments at which
something changes without a write. It is known before any content is built. If the stamp has changed, the content is
built again. Every stamp also depends on the reader's language and on the version of the site.
"""

import hashlib
from functools import cache

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.translation import get_language

WRITTEN = ("*.py", "*.html", "*.json")


def make_stamp(*parts: object) -> str:
    """Return a stamp of 24 letters that depends on these parts, on the active language and on the site's version."""
    content = repr((site_version(), get_language(), parts))
    return hashlib.sha256(content.encode()).hexdigest()[:24]


@cache
def site_version() -> str:
    """Return a digest of the site's code, templates, catalogues, static files and imprint.

    It is part of every stamp, so that no cached page is used after a change of these files. All processes of a
    deployment return the same digest.
    """
    digest = hashlib.sha256(repr((getattr(staticfiles_storage, "manifest_hash", ""), settings.IMPRINT)).encode())
    written = [path for kind in WRITTEN for path in settings.BASE_DIR.glob(f"[a-z]*/**/{kind}")]
    catalogues = [path for folder in settings.LOCALE_PATHS for path in folder.rglob("*.mo")]
    for path in (*sorted(written), *sorted(catalogues)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
