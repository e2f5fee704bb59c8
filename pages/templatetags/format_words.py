"""The tag for sentences that differ from one format to another."""

from typing import Any

from django import template

from rankings.events.report import TournamentReport
from rankings.publication.report import Report
from tournaments.models import Tournament
from tournaments.words.formats import say_word

register = template.Library()


@register.simple_tag
def word(shown: Tournament | Report | TournamentReport, key: str, **told: Any) -> str:
    """Return the sentence with this key in the words of the format of a tournament or of a ranking."""
    return say_word(shown.format if isinstance(shown, Tournament) else shown.data.format.name, key, **told)
