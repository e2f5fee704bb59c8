"""The release of Topage that is installed. `pyproject.toml` names it, and nothing else does."""

import tomllib

from django.conf import settings


def read_release_name() -> str:
    """Return the release's version, for example "0.1.0"."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
