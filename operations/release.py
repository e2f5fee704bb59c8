"""The installed release of Topage. Only `pyproject.toml` has its version."""

import tomllib

from django.conf import settings


def read_release_name() -> str:
    """Return the release's version, for example "0.1.0"."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
