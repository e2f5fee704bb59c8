"""The refusals of writes that only free deals have. Each has a code for programs and a text for people."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


class GamesRefused(ActionRefused):
    """An error: a write about games was refused and wrote nothing. `field` is as in `ActionRefused`."""

    messages: ClassVar[Texts] = {
        "games_impossible": _("The players cannot be seated: %(problem)s"),
        "tables_not_whole": _(
            "Each player who is there has one place, and a table has three to five: correct the tables."
        ),
        "game_not_next": _("Game %(game)s is not the next one, which is %(next)s: load the page again."),
        "game_not_last": _("Game %(game)s is not the last one that was seated: only that one can be undone."),
        "all_games_seated": _("All games are seated: nobody can come or leave between two games any more."),
        "no_people_to_undo": _("Nobody came or left since the last game was seated: there is nothing to undo."),
        "plan_of_games": _("The tables deal here: see the page of the games for who leaves, comes and sits where."),
        "deal_begun": _(
            "Deal %(deal)s of game %(game)s at table %(table)s has begun or has a result: choose a later deal, or "
            "withdraw the result first."
        ),
        "moment_unknown": _("Choose a game from 1 to %(last)s."),
        "number_not_there": _("Number %(number)s does not play from this game on: load the page again."),
        "replaced_already": _("Somebody replaces number %(number)s already: undo that first."),
        "plays_for_other_team": _(
            "This player’s team plays here, and its members never meet. Choose somebody of no team, or of the team of "
            "number %(number)s."
        ),
        "plays_already": _("This player plays in the session already: choose somebody else."),
        "game_not_seated": _("Game %(game)s is not seated yet: seat it first."),
        "game_begun": _("Game %(game)s has begun: its tables can no longer be undone."),
        "no_free_deals": _("Only an evening of donnes libres has these settings: change the tournament."),
        "etuis_of_other_size": _(
            "These étuis are for %(players)s players, and every table has %(size)s here: prepare étuis for %(size)s."
        ),
        "tables_alike": _(
            "Every table has %(size)s players here, so nobody can come or leave alone: let somebody be replaced."
        ),
        "weight_out_of_range": _("A weight is between %(least)s and %(most)s: correct it."),
    }
