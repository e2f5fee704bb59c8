"""The sentences about changes of a session under way: what the log says. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
