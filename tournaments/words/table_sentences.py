"""The sentences about the tables' own devices: what the session's log says of them. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LOG: Mapping[str, str | Promise] = {
    "token_revoked": _("Table %(table)s: its code is revoked"),
    "token_renewed": _("Table %(table)s: a new code, the old one is revoked"),
    "device_writes": _("Table %(table)s: this device writes"),
    "device_follows": _("Table %(table)s: this device follows"),
    "device_left": _("Table %(table)s: this device has left"),
    "arbiter_called": _("Table %(table)s calls the arbiter"),
    "arbiter_not_needed": _("Table %(table)s no longer needs the arbiter"),
    "entered": _("Table %(table)s, position %(position)s, étui %(etui)s: result entered"),
    "corrected": _("Table %(table)s, position %(position)s, étui %(etui)s: result corrected (version %(version)s)"),
    "contested": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: another result came and is kept (version %(version)s)"
    ),
    "withdrawn": _("Table %(table)s, position %(position)s, étui %(etui)s: result withdrawn (version %(version)s)"),
    "confirmed": _("Table %(table)s, position %(position)s, étui %(etui)s: result confirmed"),
    "disputed": _("Table %(table)s, position %(position)s, étui %(etui)s: result disputed"),
    "annulled": _("Table %(table)s, position %(position)s, étui %(etui)s: annulled"),
    "restored": _("Table %(table)s, position %(position)s, étui %(etui)s: counts and is waited for again"),
    "not_played": _("Table %(table)s, position %(position)s, étui %(etui)s: not played"),
    "later": _("Table %(table)s, position %(position)s, étui %(etui)s: to be played later"),
}
