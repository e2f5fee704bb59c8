"""The template filters of the cash box."""

from django import template

from registration.cash.payers import keeps_cash_box, write_amount
from tournaments.models import Session

register = template.Library()
register.filter("euros", write_amount)


@register.filter
def keeps_cash(session: Session) -> bool:
    """Return whether the session's club keeps a cash box."""
    return keeps_cash_box(session.tournament.club)
