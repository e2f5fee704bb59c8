"""The rule that every name must keep."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.names import hidden_in


def validate_name(text: str) -> None:
    """Refuse hidden characters in a name of a player, club, tournament or set, and in a reason that is stored."""
    if code := hidden_in(text):
        raise ValidationError(
            _("The text contains an invisible character (%(code)s): type it again by hand."),
            code="hidden_character",
            params={"code": code},
        )
