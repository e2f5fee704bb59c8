"""How the director's and the entry pages are addressed from templates, and how a play's state is named there."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override

from tournaments.models import Session
from tournaments.web.desk.progress import ShownCell, StopCell
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
def in_grid(cell: StopCell | None, session: Session) -> SafeString:
    """One table in one position of the grid."""
    sample = session_url("play", session, 0) if cell else ""
    return render_cell(cell and cell.shown, sample, get_language() or "")


# Of a large hall's cells few differ from one question of the desk to the next.
@lru_cache(maxsize=4_096)
def render_cell(shown: ShownCell | None, sample: str, language: str) -> SafeString:
    """`sample` is the address of play 0."""
    with override(language):
        return render_to_string("desk/_cell.html", {"cell": shown, "address": sample.removesuffix("0/")})


@register.filter
def grouped(digits: str) -> str:
    """A number to be typed, in groups of four that stay on one line."""
    return "\N{NO-BREAK SPACE}".join(digits[start : start + 4] for start in range(0, len(digits), 4))


@register.filter
def of_table(label: str) -> str:
    """A device's name where its table stands above it already: "iPhone 2"."""
    return label.partition(" · ")[2] or label
