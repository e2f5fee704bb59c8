"""The refusals of writes that only team matches have. Each has a code for programs and a text for people."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


class MatchRefused(ActionRefused):
    """An error: a write about matches was refused and wrote nothing. `field` is as in `ActionRefused`."""

    messages: ClassVar[Texts] = {
        "no_decision": _("In this tournament each match stands alone: there is nothing to decide between two teams."),
        "decision_of_two": _("A match has two teams: choose one that goes on and another one that does not."),
        "draw_above_win": _("A draw is worth no more than a win: lower the one, or raise the other."),
        "ties_in_match_points": _("With match points, only lots separate equal teams: take out the other tie-breaks."),
        "counting_in_match_points": _("Match points are added up: choose the sum."),
        "best_of_in_match_points": _("Every match counts: leave the number of best sessions empty."),
        "carry_over_in_match_points": _("Every match counts: leave the share that is carried into the final empty."),
        "match_positions": _("A match has %(least)s quarters, so the session has %(least)s positions."),
        "match_etuis_per_position": _("A quarter of a match has %(least)s to %(most)s étuis: choose one of these."),
        "match_weight": _("Each match counts alike: leave the coefficient at 1 and the stage empty."),
        "half_missing": _(
            "Étui %(etui)s has a result in one room of a match alone: wait for the other, or say that it is not played."
        ),
        "quarters_not_played": _("In this format there are no matches of four quarters."),
        "quarter_unknown": _("A match has the quarters 1 to %(most)s: choose one of them."),
        "quarter_begun": _("Quarter %(quarter)s has begun at this match: the line-up stays."),
        "quarter_left": _("This team plays until quarter %(last)s: it has no line-up after it."),
        "line_up_open": _("The other team may know this line-up: ask a director to change it."),
        "line_up_seen": _("The other team may know this line-up: say why it changes."),
        "line_up_attacks_again": _("This player attacks in quarter %(quarter)s: in each quarter another one attacks."),
    }
