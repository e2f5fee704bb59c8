"""The labels and help texts of the fields of forms that differ from one format to another."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.formats import (
    FREE_AUCTION,
    FREE_AUCTION_3,
    FREE_AUCTION_5,
    FREE_DEALS,
    QUADRETTES,
    TEAM_MATCH,
    TRIPLETTES,
    Format,
)

# By the name of a field: what it says other than usual. A key is an attribute of the field.
FieldWords = dict[str, dict[str, str | Promise]]

SEATS: FieldWords = {"etuis_per_position": {"help_text": ""}}  # the étui does not decide who takes
TEAMS: FieldWords = {"entrant": {"label": _("Team")}}
GAMES: FieldWords = {
    "cards": {"help_text": _("All hands and the chien of each étui. Once shown, they are known for good.")},
    "game": {"label": _("From position")},
    "positions": {"help_text": _("In each position, all tables play the same étuis: this needs copies of them.")},
    "etuis_per_position": {"help_text": _("%(size)s, or a multiple of %(size)s, lets each seat deal equally often.")},
}
POINTS: FieldWords = {
    "ranking": {"help_text": _("The ranks and the match points.")},
    "points": {
        "label": pgettext_lazy("of a penalty", "Match points"),
        "help_text": _("Taken off the sum, or added to it; none for a warning."),
    },
    "position": {"help_text": _("Even for one position, the match points count in full.")},
    "least_share": {
        "help_text": _(
            "Teams that have played less than this share of what the others have played are shown with their match "
            "points, unranked. 50 is usual; 0 ranks everybody."
        )
    },
}
LINE_UPS: FieldWords = {
    "positions": {
        "help_text": _(
            "With one position fewer than teams, every attacker meets all other teams: five for six teams. An odd "
            "number of teams needs an even number of positions."
        )
    },
    "coefficient": {"help_text": _("The match points of this session are multiplied by it in the tournament ranking.")},
}
QUARTERS: FieldWords = {
    "position": {"help_text": _("Even for one quarter, the match points count in full.")},
    "positions": {
        "label": _("Quarters"),
        "help_text": _("A match has four quarters, each with another attacker."),
    },
    "etuis_per_position": {
        "label": _("Étuis in a quarter"),
        "help_text": _("From 4 to 6: a match has 16 to 24 étuis."),
    },
}
DEALS: FieldWords = {
    "ranking": {"help_text": _("The ranks and the marks.")},
    "feuilles": {"help_text": _("What each player played, deal by deal, on a page of their own.")},
    "position": {"help_text": _("Even for one game, the marks count in full.")},
    "positions": {"label": _("Games"), "help_text": _("How many games the evening has.")},
    "etuis_per_position": {
        "label": _("Deals in a game"),
        "help_text": _("How many deals each player plays in a game."),
    },
    "minutes_per_etui": {"label": _("Minutes for a deal"), "help_text": _("Including the time to deal.")},
    "coefficient": {"help_text": _("The marks of this session are multiplied by it in the tournament ranking.")},
    "least_share": {
        "label": _("Smallest share of the deals, in per cent"),
        "help_text": _(
            "Players who have played less than this share of what the others have played are shown with their marks, "
            "unranked. 50 is usual; 0 ranks everybody."
        ),
    },
    "substitutes_ranked": {
        "help_text": _("Players who took somebody’s seat for marks of their own. Otherwise they are shown unranked.")
    },
    "counting": {"help_text": _("The marks of all sessions are added up: a missed session brings 0.")},
}
FIELDS: Mapping[str, FieldWords] = {
    FREE_AUCTION.name: SEATS,
    FREE_AUCTION_3.name: GAMES,
    FREE_AUCTION_5.name: GAMES,
    TRIPLETTES.name: TEAMS,
    QUADRETTES.name: TEAMS | SEATS | POINTS | LINE_UPS,
    TEAM_MATCH.name: TEAMS | POINTS | QUARTERS,
    FREE_DEALS.name: DEALS,
}


def speak_as_format(format: Format, fields: Mapping[str, Any]) -> None:
    """Give these fields of a form, by name, the labels and the help texts that they have in the format."""
    for name in FIELDS.get(format.name, {}).keys() & fields.keys():
        for attribute, text in FIELDS[format.name][name].items():
            setattr(fields[name], attribute, str(text) % {"size": format.size})
