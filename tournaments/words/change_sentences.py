"""The sentences about changes of a session under way: what is refused, and what the log says. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

CHANGE_REFUSALS: Mapping[str, str | Promise] = {
    "positions_played": _("Position %(held)s has begun: keep at least as many positions, and at most 60."),
    "player_seated": _("%(name)s plays in this session already: name somebody else."),
    "nobody_named": _("Nobody is named: choose at least one player."),
    "position_unknown": _("Choose a position from 1 to %(most)s."),
    "position_begun": _("What has begun stays as it is: choose a position from %(settled)s to %(last)s."),
    "entrant_gone": _("%(name)s has gone home or has a substitute already."),
    "entrant_there": _("%(name)s has not gone by then: choose somebody who has gone home, or a later position."),
    "swap_of_one": _("%(name)s is named twice: name the two who sat in each other’s seats."),
    "etui_twice_at_table": _("Table %(table)s would have played an étui twice: check what it played."),
    "table_unknown": _("Table %(table)s has played nothing in that position: choose another table or position."),
    "etuis_unchanged": _("Every étui is the one planned: name the one that was played instead."),
    "etuis_lacking": ngettext_lazy(
        "This way takes %(count)s étui more than the set has: add it to the set, or choose another way.",
        "This way takes %(count)s étuis more than the set has: add them to the set, or choose another way.",
        "count",
    ),
    "etui_met": _(
        "Somebody at this table has played étui %(number)s before: it is not played here, and has no result."
    ),
    "no_way_on": _("This cannot be done with the plan as it is: look at it again, or choose another position."),
    "nothing_to_undo": _("No change of the plan is left to undo."),
    "results_depend_on_change": _("Results depend on this change: it can no longer be undone."),
}

# Why a change did something to a result, by the codes that are stored for it.
CHANGE_REASONS: Mapping[str, str | Promise] = {
    "@etuis_mended": _("Étui played in place of another"),
    "@change_undone": _("Change taken back"),
}

CHANGE_LOG: Mapping[str, str | Promise] = {
    "plan_choice": _("Plan chosen"),
    "plan_arrive": _("Late arrival: the plan is changed"),
    "plan_leave": _("Drop-out: the plan is changed"),
    "plan_return": _("Somebody is back: the plan is changed"),
    "plan_substitute": _("Substitute: the plan is changed"),
    "plan_swap": _("Exchanged seats are put right in the plan"),
    "plan_wrong_etuis": _("Étuis played in place of others are put right in the plan"),
    "plan_resize": _("The number of positions is changed"),
    "undo_arrive": _("Late arrival undone"),
    "undo_leave": _("Drop-out undone"),
    "undo_return": _("Return undone"),
    "undo_substitute": _("Substitute undone"),
    "undo_swap": _("Exchange of seats undone"),
    "undo_wrong_etuis": _("Exchange of étuis undone"),
    "undo_resize": _("Change of the number of positions undone"),
    "redirected": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: the result goes with those who played it and the étui"
        " they played"
    ),
    "counts_no_longer": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: the result no longer counts, somebody had played it"
        " before"
    ),
}
