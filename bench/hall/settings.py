"""The site's own settings, but for static files, collected for this run alone, and the bare view's address."""

from config.settings import *  # noqa: F403
from config.settings import SERVER, STORAGES, VAR_DIR

ROOT_URLCONF = "bench.hall.urls"
if SERVER:
    STATIC_ROOT = VAR_DIR / "static"
    STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}}
