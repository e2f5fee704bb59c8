"""The imprint: who runs the site, and where its source code is.

It is read from environment variables and shown at /imprint/. Every part may be missing, because a club first tries the
site on a laptop, where no imprint is required.
"""

import re
from dataclasses import dataclass

from environs import Env, ValidationError

MAIL_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
WEB_ADDRESS = re.compile(r"https?://[^\s]+")


@dataclass(frozen=True, slots=True)
class Imprint:
    """The facts that the law of a country may require on a public site, one line each. A missing fact is "".

    `contact`: a mail address or the address of a page. `source`: the address of a page.
    """

    publisher: str
    director: str
    host: str
    contact: str
    source: str

    @property
    def contact_link(self) -> str:
        """The address that a link to the contact needs, or "" if there is no contact."""
        return f"mailto:{self.contact}" if self.contact and not WEB_ADDRESS.fullmatch(self.contact) else self.contact


def check_contact(text: str) -> None:
    """Raise ValidationError unless the text is empty, a mail address or the address of a page."""
    if text and not (MAIL_ADDRESS.fullmatch(text) or WEB_ADDRESS.fullmatch(text)):
        raise ValidationError("Give a mail address, or the address of a page that begins with https://.")


def check_source(text: str) -> None:
    """Raise ValidationError unless the text is empty or the address of a page. Every page links to it."""
    if text and not WEB_ADDRESS.fullmatch(text):
        raise ValidationError("Give the address of a page that begins with https://.")


def read_imprint(env: Env) -> Imprint:
    """Return the imprint that the environment variables give."""
    return Imprint(
        publisher=env.str("IMPRINT_PUBLISHER", "") or "",
        director=env.str("IMPRINT_DIRECTOR", "") or "",
        host=env.str("IMPRINT_HOST", "") or "",
        contact=env.str("CONTACT", "", validate=check_contact) or "",
        source=env.str("SOURCE_URL", "", validate=check_source) or "",
    )
