"""The refusals of writes to games whose cards the tables deal."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


class FreeDealsRefused(ActionRefused):
    """A refused write to a game whose cards the tables deal."""

    messages: ClassVar[Texts] = {
        "deal_on_sheet": _("Deal %(number)s is on the sheet of its game: withdraw that sheet first."),
        "sheet_and_deals": _("A sheet has the marks of a whole game: withdraw what is entered here first."),
        "sheet_over_results": _("A later deal of this game has a result: withdraw it, or enter the game deal by deal."),
        "sheet_not_first": _("An earlier deal of this game has no result: put the sheet on the first one without."),
        "notes_not_fixed": _("Marks are added up here: assign a base score, or the marks of each player."),
        "marks_and_score": _("Assign a base score or the marks of each player, not both."),
        "score_on_sheet": _(
            "The sheet here has the marks of a whole game: assign the marks of each player for it, or withdraw the "
            "sheet and assign the deal."
        ),
        "sheet_and_ruling": _("The arbiter has decided this deal: withdraw that ruling first, or use the next deal."),
        "etui_is_a_number": _("The tables deal here, and a deal’s number is no étui: rule on the deals of each table."),
    }
