"""What every name is asked for."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.names import hidden_in


def validate_name(text: str) -> None:
    """What every name is asked for, a player's, a club's, a tournament's, a set's; and every reason that is kept."""
    if code := hidden_in(text):
        raise ValidationError(
            _("There is a character in it that nobody sees (%(code)s): type it again by hand."),
            code="hidden_character",
            params={"code": code},
        )
