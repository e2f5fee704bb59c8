"""The sentences that differ from one format to another. A page names a sentence by its key and asks for no format.

Sentences are whole, so that translators see what they translate. `ETUIS` are the sentences of formats with étuis. A
format with others has a table in `OTHERS`: a key that is missing there has the sentence of ETUIS.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.formats import DOUBLETTES, FREE_DEALS

Sentence = str | Promise

ETUIS: Mapping[str, Sentence] = {}
DOUBLETTE: Mapping[str, Sentence] = {
    "about_teams": _(
        "Everybody plays alone, and a team of two adds up the percentages of its players. Make the teams before the "
        "players take their seats: then the seats keep the two players of a team apart."
    ),
    "all_count": _("Both percentages count."),
    "worst_dropped": _("Both percentages count."),
    "result_of_player": _("Percentage of the player"),
    "team_result": _("Percentage"),
    "teams_by_sum": _("Teams by the sum of their players’ percentages."),
    "sums_explained": _(
        "A missing player counts 0. *: players who played too few étuis, which do not count. Equal sums share a rank."
    ),
}
DEALS: Mapping[str, Sentence] = {
    "about_teams": _(
        "Everybody plays alone, and a team of 2 or 4 adds up the marks of its players. Make the teams before the "
        "start: then the players of a team never sit at one table."
    ),
    "all_count": _("All marks count."),
    "worst_dropped": _("The lowest marks of each team do not count."),
    "result_of_player": _("Marks of the player"),
    "team_result": _("Marks"),
    "teams_by_sum": _("Teams by the sum of their players’ marks."),
    "sums_explained": _(
        "A missing player counts 0. *: the lowest marks of a team, which do not count. Equal sums share a rank."
    ),
}
OTHERS: Mapping[str, Mapping[str, Sentence]] = {DOUBLETTES.name: DOUBLETTE, FREE_DEALS.name: DEALS}


def say_word(format: str, key: str, **told: Any) -> str:
    """Return the sentence with this key in the words of the format with this name, with the names filled in.

    Raise KeyError if the format has no such sentence, or if a name is missing.
    """
    own = OTHERS.get(format, ETUIS)
    text = str(own[key] if key in own else ETUIS[key])
    return text % told if told else text
