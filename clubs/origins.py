"""The origins of other web sites, such as `https://club.example`, read from text that somebody typed."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MOST_ORIGINS = 5
EXAMPLE = "https://club.example"
MOST_LETTERS = 253  # the most letters of the name of a host
# A host name has two or more parts of letters, digits and hyphens. A wildcard, an IP address, or a character with a
# meaning in the header Content-Security-Policy does not match.
HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])")


def read_origins(text: str) -> list[str]:
    """Return the origins of the addresses in the text, each once, in their order.

    Lines, spaces or commas separate addresses. The address of a page gives the origin of its site. Raise
    ValidationError if one is not an https address, or if there are more than MOST_ORIGINS.
    """
    read = [read_origin(one) for one in re.split(r"[\s,]+", text) if one]
    origins = list(dict.fromkeys(read))
    if len(origins) > MOST_ORIGINS:
        raise ValidationError(_("Five sites at most: remove one."))
    return origins


def read_origin(typed: str) -> str:
    wrong = ValidationError(
        _("“%(typed)s” is not the https address of a website: write it like %(example)s."),
        params={"typed": typed[:80], "example": EXAMPLE},
    )
    try:
        parts = urlsplit(typed if "://" in typed else f"https://{typed}")
        host = (parts.hostname or "").encode("idna").decode("ascii").lower()
        port = parts.port
    except ValueError as error:  # a wrong port, wrong brackets, or an impossible host name
        raise wrong from error
    if parts.scheme.lower() != "https" or parts.username is not None or parts.password is not None:
        raise wrong
    if len(host) > MOST_LETTERS or not HOST.fullmatch(host) or port == 0:
        raise wrong
    return f"https://{host}" + (f":{port}" if port not in (None, 443) else "")


def write_origins(origins: Iterable[str]) -> str:
    """Return the origins as a text to edit, one on each line."""
    return "\n".join(origins)
