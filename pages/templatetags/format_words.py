"""The tags for what differs from one format to another: sentences, and templates in named places of a page."""

from typing import Any

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe

from pages.format_places import PLACES
from rankings.publication.report import PlayedEvening
from rankings.ranking import Ranking
from rankings.series.choosing import ChosenEvent
from tournaments.models import Session, Tournament
from tournaments.words.formats import say_word

register = template.Library()
Shown = Tournament | Session | PlayedEvening | Ranking[Any] | ChosenEvent


class PageNames(dict[str, Any]):
    """The names in a sentence. A name that the tag does not tell is a variable of the page."""

    def __init__(self, context: Context, told: dict[str, Any]) -> None:
        super().__init__(told)
        self.context = context

    def __missing__(self, name: str) -> Any:
        return self.context[name]


@register.simple_tag(takes_context=True)
def word(context: Context, shown: Shown, key: str, **told: Any) -> str:
    """Return the sentence with this key in the words of the format of what the page shows."""
    return say_word(name_format(shown), key, PageNames(context, told))


@register.simple_tag(takes_context=True)
def parts(context: Context, shown: Shown, place: str) -> SafeString:
    """Return what the format puts into this place of the page, with the page's variables. It may be nothing."""
    name = PLACES[name_format(shown)].parts.get(place)
    return mark_safe(get_template(name).template.render(context)) if name else SafeString()  # type: ignore[attr-defined]


def name_format(shown: Shown) -> str:
    """Return the name of the format of a tournament, of a session, of a ranking or of an event."""
    if isinstance(shown, Session):
        shown = shown.tournament
    if isinstance(shown, Tournament | ChosenEvent):
        return shown.format
    format = shown.format if isinstance(shown, Ranking) else shown.data.format
    return format.name if format else ""
