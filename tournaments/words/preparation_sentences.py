"""The sentences about an evening in preparation: what the log says. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

PREPARATION_LOG: Mapping[str, str | Promise] = {
    "etuis_added": ngettext_lazy(
        "%(count)s étui added to the set: number %(first)s",
        "%(count)s étuis added to the set: numbers %(first)s to %(last)s",
        "count",
    ),
    "edited": _("Changed in the session: %(setting)s, from “%(before)s” to “%(after)s”"),
    "public_etuis": _(
        "Étuis of %(name)s are played although the cards are public, from étui %(number)s on; reason: %(reason)s"
    ),
    "started": _("The session is started"),
    "start_taken_back": _("The start of the session is taken back"),
    "draw": ngettext_lazy(
        "Seats drawn for %(count)s player, number of the draw: %(seed)s",
        "Seats drawn for %(count)s players, number of the draw: %(seed)s",
        "count",
    ),
    "draw_by_strength": ngettext_lazy(
        "Seats drawn by the last ranking for %(count)s player, number of the draw: %(seed)s",
        "Seats drawn by the last ranking for %(count)s players, number of the draw: %(seed)s",
        "count",
    ),
}
