"""The refusals of writes that only team matches have. Each has a code for programs and a text for people."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


class MatchRefused(ActionRefused):
    """An error: a write about matches was refused and wrote nothing. `field` is as in `ActionRefused`."""

    messages: ClassVar[Texts] = {
        "no_knock_out": _("This tournament is no knock-out: the table of its league needs no decision."),
        "decision_of_two": _("A match has two teams: choose one that goes on and another one that does not."),
        "draw_above_win": _("A draw is worth no more than a win: lower the one, or raise the other."),
        "half_missing": _(
            "Étui %(etui)s has a result in one room of a match alone: wait for the other, or say that it is not played."
        ),
        "quarters_not_played": _("In this format there are no matches of four quarters."),
        "quarter_unknown": _("A match has the quarters 1 to %(most)s: choose one of them."),
        "quarter_begun": _("Quarter %(quarter)s has begun at this match: the line-up stays."),
        "line_up_open": _("The other team may know this line-up: ask a director to change it."),
        "line_up_seen": _("The other team may know this line-up: say why it changes."),
        "line_up_attacks_again": _("This player attacks in quarter %(quarter)s: in each quarter another one attacks."),
    }
