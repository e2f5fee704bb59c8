"""The offered formats as choices of a form: the word of each, and its label."""

from scoring.formats import OFFERED
from tournaments.models import Tournament


def list_format_choices() -> list[tuple[str, str]]:
    return [(each.word, str(Tournament.FormatName(each.name).label)) for each in OFFERED.values()]
