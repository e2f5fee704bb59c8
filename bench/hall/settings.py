"""The settings of the site, with static files in the folder of the run, and with a page that answers two bytes."""

from config.settings import *  # noqa: F403
from config.settings import SERVER, STORAGES, VAR_DIR

ROOT_URLCONF = "bench.hall.urls"
if SERVER:
    STATIC_ROOT = VAR_DIR / "static"
    STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}}
