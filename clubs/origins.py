"""Origins of other web sites, as a browser is told of them: read from what somebody types."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MOST_ORIGINS = 5
EXAMPLE = "https://club.example"
MOST_LETTERS = 253  # of a host
# Labels of letters, digits and hyphens, two at least: no wildcard, no machine's number, nothing that a policy parts.
HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])")


def read_origins(text: str) -> list[str]:
    """Return the origins of the addresses that stand there, one a line or parted by commas, each once, in their order.

    A page's address gives that of its site. Raise `ValidationError` for what is no address by https, and for too many.
    """
    found = [read_origin(one) for one in re.split(r"[\s,]+", text) if one]
    origins = list(dict.fromkeys(found))
    if len(origins) > MOST_ORIGINS:
        raise ValidationError(_("Five sites at most: take one away."))
    return origins


def read_origin(typed: str) -> str:
    wrong = ValidationError(
        _("“%(typed)s” is no address of a web site by https: write it as %(example)s."),
        params={"typed": typed[:80], "example": EXAMPLE},
    )
    try:
        parts = urlsplit(typed if "://" in typed else f"https://{typed}")
        host = (parts.hostname or "").encode("idna").decode("ascii").lower()
        port = parts.port
    except ValueError as error:  # of a port that is none, of brackets, of a name that no host may have
        raise wrong from error
    if parts.scheme.lower() != "https" or parts.username is not None or parts.password is not None:
        raise wrong
    if len(host) > MOST_LETTERS or not HOST.fullmatch(host) or port == 0:
        raise wrong
    return f"https://{host}" + (f":{port}" if port not in (None, 443) else "")


def write_origins(origins: Iterable[str]) -> str:
    """Return the origins as they are typed, one a line."""
    return "\n".join(origins)
