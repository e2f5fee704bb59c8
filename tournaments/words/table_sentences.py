"""The sentences about the tables' own devices: what is refused there, and what the session's log says. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TABLE_REFUSALS: Mapping[str, str | Promise] = {
    "command_unknown": _("This device asks for something that the site does not know: reload the screen."),
    "command_malformed": _("%(field)s is not as the site expects it: reload the screen and try again."),
    "key_used": _("This number was used for another étui: enter the result again."),
    "play_unknown": _("This étui is not, or no longer, played at this table: look at the plan, or call the arbiter."),
    "play_has_result": _("This étui has a result: it has been played."),
    "nothing_to_withdraw": _("This play has no result: there is none to withdraw."),
    "play_annulled": _("The arbiter has annulled this étui here."),
    "position_closed": _("This position is over: only the director can change it now. Call the arbiter."),
    "last_call": _("No new étui is begun in this position."),
    "not_writing": _("Another device writes for this table: take over to enter results here."),
    "nothing_to_check": _("This étui has no result yet: enter it first."),
    "check_blind": _("Here the other side enters the result itself, without seeing the first entry."),
    "check_other_side": _("The other side checks the result: the taker what a defender entered, or the reverse."),
    "check_other_device": _("Here the result is checked on another device than the one it was entered on."),
}

TABLE_CONFLICTS: Mapping[str, str | Promise] = {
    "kept_contested": _("This étui has another result already: both are kept, and the director decides."),
}

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
