"""The sentences about an evening as it goes: what is refused, and what the session's log says. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

EVENING_REFUSALS: Mapping[str, str | Promise] = {
    "no_position_called": _("No position is called yet: call the first one."),
    "no_position_left": ngettext_lazy(
        "There is no position after the only one.",
        "There is no position after the last one, position %(count)s.",
        "count",
    ),
    "position_not_next": _("Position %(position)s is not the next one: that is position %(next)s."),
    "position_not_last_called": _(
        "Position %(position)s is not the one called last: that is %(called)s. Look at the desk again."
    ),
    "position_begun_already": _(
        "Position %(position)s has been begun: its call can no longer be taken back. Pause the clock instead."
    ),
    "clock_minutes": _("The clock is moved by 1 to %(most)s minutes at a time."),
    "last_call_unknown": _("Choose what becomes of étuis not begun: not played, played later, or left as they are."),
    "table_rests": _("Table %(table)s does not play in this position: choose another."),
}

EVENING_LOG: Mapping[str, str | Promise] = {
    "position_called": _("Position %(position)s is called"),
    "call_taken_back": _("The call of position %(position)s is taken back"),
    "clock_moved": _("The clock is moved by %(minutes)s min"),
    "clock_stopped": _("The clock is paused"),
    "clock_resumed": _("The clock goes on"),
    "last_call": _("Last call of position %(position)s at every table"),
    "last_call_table": _("Last call of position %(position)s at table %(table)s"),
    "last_call_taken_back": _("The last call of position %(position)s is taken back at every table"),
    "last_call_table_taken_back": _("The last call of position %(position)s is taken back at table %(table)s"),
}
