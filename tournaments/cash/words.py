"""The writing of amounts of money for people."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def write_amount(cents: int) -> str:
    """Return the amount with two decimals in the reader's language, such as "€12.50"."""
    amount = _("€%(amount)s") % {"amount": number_format(Decimal(abs(cents)) / 100, 2)}
    return f"−{amount}" if cents < 0 else amount


def write_plain_amount(cents: int) -> str:
    """Return the amount as people type it in a form, without the sign of the euro."""
    return number_format(Decimal(cents) / 100, 2)
