"""Who runs the site and where its source is: read from environment variables, shown on the page /imprint/.

All of it may be missing: a club tries the site on a laptop before anybody has to answer for it.
"""

import re
from dataclasses import dataclass

from environs import Env, ValidationError

MAIL_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
WEB_ADDRESS = re.compile(r"https?://[^\s]+")


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a country's law asks a public site to say, as one line each; "" where it is not given. `contact` is a mail
    address or a page's address, `source` a page's."""

    publisher: str
    director: str
    host: str
    contact: str
    source: str

    @property
    def contact_link(self) -> str:
        """Return where the contact leads to; "" where there is none."""
        return f"mailto:{self.contact}" if self.contact and not WEB_ADDRESS.fullmatch(self.contact) else self.contact


def check_contact(text: str) -> None:
    """Raise `ValidationError` unless it is empty, a mail address or a page's address."""
    if text and not (MAIL_ADDRESS.fullmatch(text) or WEB_ADDRESS.fullmatch(text)):
        raise ValidationError("Give a mail address, or the address of a page that begins with https://.")


def check_source(text: str) -> None:
    """Raise `ValidationError` unless it is empty or a page's address: it becomes a link on every page."""
    if text and not WEB_ADDRESS.fullmatch(text):
        raise ValidationError("Give the address of a page that begins with https://.")


def read_imprint(env: Env) -> Imprint:
    """Return what these variables say of who runs the site."""
    return Imprint(
        publisher=env.str("IMPRINT_PUBLISHER", "") or "",
        director=env.str("IMPRINT_DIRECTOR", "") or "",
        host=env.str("IMPRINT_HOST", "") or "",
        contact=env.str("CONTACT", "", validate=check_contact) or "",
        source=env.str("SOURCE_URL", "", validate=check_source) or "",
    )
