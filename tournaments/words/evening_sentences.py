"""The sentences about an evening as it goes: what the log says. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
