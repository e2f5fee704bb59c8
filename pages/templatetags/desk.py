"""The template tags of the desk and the pages for entering results: addresses, and the states of plays."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from evenings.plans.free.laying import find_stride
from evenings.plays.free import find_shown_number
from pages.desk.pieces import Pieces, id_of
from pages.desk.progress import SessionDesk, StopCell
from pages.desk.running import make_head_context
from pages.doors import session_url
from scoring.formats import INDIVIDUAL, find_format
from tournaments.codes import group_code
from tournaments.models import Penalty, Play, Ruling, Session, UsualPenalty
from tournaments.words.desk_sentences import DESK_STATES
from tournaments.words.messages import say_reason
from tournaments.words.rulings import say_adjusted, say_play_place, say_weight

register = template.Library()

register.simple_tag(session_url, name="session_url")
register.filter("reason", say_reason)
register.filter("group_digits", group_code)


@register.filter
def deal_number(play: Play, session: Session | None = None) -> int:
    """Return the number of the play's étui or, where the tables deal, of its deal in the game.

    With `session`, this takes no query.
    """
    return find_shown_number(play, find_stride(session) if session is not None else 0)


@register.simple_tag
def play_place(play: Play, session: Session) -> str:
    """Return where and when a result was played, as the title of a list's line."""
    return say_play_place(find_shown_number(play), play, session.tournament.format)


@register.filter
def state_word(state: str) -> str:
    """Return the word for a state of a play. `evenings.plays.desk_state` has the states."""
    return str(DESK_STATES[state])


@register.filter
def weight(word: Penalty | UsualPenalty, session: Session | None = None) -> str:
    """Return how a penalty counts in the session. Without one, as where percentages are ranked."""
    return say_weight(word, find_format(session.tournament.format) if session else INDIVIDUAL)


@register.filter
def describe_adjustment(ruling: Ruling, play: Play) -> list[str]:
    """Return the arbiter's decision on a play as a list of short texts."""
    names = {line: entrant.name for line, entrant in play.seats.items()}
    return say_adjusted(ruling, names, find_format(play.session.tournament.format))


@register.inclusion_tag("desk/_running_head.html")
def running_head(desk: SessionDesk) -> dict[str, Any]:
    """Show the head of a session's desk."""
    return make_head_context(desk)


EMPTY = mark_safe('<td class="grid-cell"></td>')


@register.filter
def in_grid(cell: StopCell | None, pieces: Pieces) -> SafeString:
    """Return the cell of one table in one position, for the desk's grid, as HTML.

    `pieces` has the contents of the cells by their ids.
    """
    if cell is None:
        return EMPTY
    name, faint = id_of(cell.position, cell.table), " all-faint" if cell.faint else ""
    return format_html('<td id="{}" class="grid-cell{}">{}</td>', name, faint, pieces[name])


@register.filter
def of_table(label: str) -> str:
    """Return a device's name without its table: "iPhone 2" for "Table 3 · iPhone 2".

    The page already names the table.
    """
    return label.partition(" · ")[2] or label
