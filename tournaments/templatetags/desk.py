"""How the director's and the entry pages are addressed from templates, and how a play's state is named there."""

from django import template

from tournaments.desk_sentences import DESK_STATES
from tournaments.messages import say_reason
from tournaments.views.access import session_url

register = template.Library()

register.simple_tag(session_url, name="session_url")
register.filter("reason", say_reason)


@register.filter
def state_word(state: str) -> str:
    """A state of `tournaments.desk_state` as people read it."""
    return str(DESK_STATES[state])


@register.filter
def of_table(label: str) -> str:
    """A device's name where its table stands above it already: "iPhone 2"."""
    return label.partition(" · ")[2] or label
