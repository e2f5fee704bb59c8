"""The checks of single settings from the environment, and the imprint: who runs the site, where its source code is."""

import re
from dataclasses import dataclass

from environs import Env, ValidationError

GARDE = ":garde"  # after the minute of a departure


def check_backup_key(key: str) -> None:
    """Raise `ValidationError` unless the text is empty, or a public key of age."""
    if key and not re.fullmatch("age1[02-9ac-hj-np-z]{58}", key):
        raise ValidationError("It is no public key, age1 and 58 letters. The command `backup_key` makes a pair.")


def check_card_keys(keys: list[str]) -> None:
    """Raise `ValidationError` unless each key is a Fernet key: 32 bytes in the letters of base64."""
    if any(not re.fullmatch(r"[\w-]{43}=", key, re.ASCII) for key in keys):
        raise ValidationError("A key is 43 letters and a =. The command `rekey --new` prints a new one.")


def check_metrics_token(token: str) -> None:
    """Raise `ValidationError` if the token is short enough to be guessed."""
    if token and len(token) < 16:
        raise ValidationError("Give at least 16 random characters.")


def check_departures(departures: list[str]) -> None:
    """Raise `ValidationError` unless each text is a minute of an hour, in rising order, perhaps with `:garde`."""
    minutes = [departure.removesuffix(GARDE) for departure in departures]
    are_minutes = all(re.fullmatch("[0-5]?[0-9]", minute, re.ASCII) for minute in minutes)
    if not are_minutes or (numbers := list(map(int, minutes))) != sorted(set(numbers)):
        raise ValidationError("Give minutes of an hour, 0 to 59, in rising order: 0,30 or 0,30:garde.")


def read_departures(departures: list[str]) -> dict[int, bool]:
    """Return the minutes of the departures, and whether the étuis of each have an imposed garde."""
    return {int(departure.removesuffix(GARDE)): departure.endswith(GARDE) for departure in departures}


MAIL_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
WEB_ADDRESS = re.compile(r"https?://[^\s]+")


@dataclass(frozen=True, slots=True)
class Imprint:
    """The facts that the law of a country may require on a public site, one line each. A missing fact is "".

    They are shown at /imprint/. Every part may be missing, because a club first tries the site on a laptop, where no
    imprint is required. `contact`: a mail address or the address of a page. `source`: the address of a page.
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
