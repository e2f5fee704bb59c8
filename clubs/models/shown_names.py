"""The check that every shown name has to pass."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.names import hidden_in


def validate_name(text: str) -> None:
    """Raise ValidationError if a text has a hidden character. It is for names and for reasons that are stored."""
    if code := hidden_in(text):
        raise ValidationError(
            _("The text contains an invisible character or a pile of accents (%(code)s): type it again by hand."),
            code="hidden_character",
            params={"code": code},
        )
