"""How the director's and the entry pages are addressed from templates, and how a play's state is named there."""

from django import template

from tournaments.web.doors import session_url
from tournaments.words.desk_sentences import DESK_STATES
from tournaments.words.messages import say_reason

register = template.Library()

register.simple_tag(session_url, name="session_url")
register.filter("reason", say_reason)


@register.filter
def state_word(state: str) -> str:
    """A state of `tournaments.plays.desk_state` as people read it."""
    return str(DESK_STATES[state])


@register.filter
def of_table(label: str) -> str:
    """A device's name where its table stands above it already: "iPhone 2"."""
    return label.partition(" · ")[2] or label
