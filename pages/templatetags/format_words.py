"""The tag for sentences that differ from one format to another."""

from typing import Any

from django import template
from django.template import Context

from rankings.events.report import TournamentReport
from rankings.publication.report import Report
from tournaments.models import Tournament
from tournaments.words.formats import say_word

register = template.Library()


class PageNames(dict[str, Any]):
    """The names in a sentence. A name that the tag does not tell is a variable of the page."""

    def __init__(self, context: Context, told: dict[str, Any]) -> None:
        super().__init__(told)
        self.context = context

    def __missing__(self, name: str) -> Any:
        return self.context[name]


@register.simple_tag(takes_context=True)
def word(context: Context, shown: Tournament | Report | TournamentReport, key: str, **told: Any) -> str:
    """Return the sentence with this key in the words of the format of a tournament or of a ranking."""
    format = shown.format if isinstance(shown, Tournament) else shown.data.format.name
    return say_word(format, key, PageNames(context, told))
