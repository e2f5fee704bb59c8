"""The writing of amounts of money for people."""

from fractions import Fraction

from django.utils.translation import gettext as _

from tournaments.words.figures import decimal


def write_amount(cents: int) -> str:
    """Return the amount with two decimals in the reader's language, such as "€12.50"."""
    amount = _("€%(amount)s") % {"amount": decimal(Fraction(abs(cents), 100), 2)}
    return f"−{amount}" if cents < 0 else amount


def write_plain_amount(cents: int) -> str:
    """Return the amount as people type it in a form, without the sign of the euro."""
    return decimal(Fraction(cents, 100), 2)
