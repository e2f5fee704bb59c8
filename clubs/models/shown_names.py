"""What every name is asked for."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

# Controls, line ends, and what turns the direction of writing: nobody sees them, and they disguise what he does see.
HIDDEN = re.compile(r"[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def hidden_in(text: str) -> str:
    """The first character that no name may hold, as "U+202E"; "" where there is none."""
    found = HIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


def validate_name(text: str) -> None:
    """What every name is asked for, a player's, a club's, a tournament's, a set's; and every reason that is kept."""
    if code := hidden_in(text):
        raise ValidationError(
            _("There is a character in it that nobody sees (%(code)s): type it again by hand."),
            code="hidden_character",
            params={"code": code},
        )
