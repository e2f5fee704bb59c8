"""The sentences about the director's desk: what the session's log says of them. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

DESK_LOG: Mapping[str, str | Promise] = {
    "etui_annulled": _("Étui %(etui)s: annulled for everybody"),
    "etui_split": _("Étui %(etui)s: altered from position %(position)s on, compared apart before and after"),
    "etui_split_within": ngettext_lazy(
        "Étui %(etui)s: altered in position %(position)s after table %(tables)s, compared apart before and after",
        "Étui %(etui)s: altered in position %(position)s after tables %(tables)s, compared apart before and after",
        "n",
    ),
    "etui_restored": _("Étui %(etui)s: counts as a whole again"),
    "penalty": _("%(name)s: penalty, −%(points)s on the percentage"),
    "penalty_taken_back": _("%(name)s: penalty taken back (−%(points)s on the percentage)"),
    "director_confirmed": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: version %(version)s confirmed by the director"
    ),
    "call_answered": _("Table %(table)s: the call is answered"),
    "published": _("Version %(version)s published (results missing: %(missing)s)"),
    "director_plays": _("The director plays as %(name)s: results of étuis still to play are hidden"),
    "session_put_away": _("The session is put away: no list names it"),
    "session_listed_again": _("The session is listed again"),
    "tournament_put_away": _("The tournament is put away: no list names it"),
    "tournament_listed_again": _("The tournament is listed again"),
    "hiding_lifted": _("The director who plays as %(name)s sees every result from now on"),
}

# The states of `tournaments.plays.desk_state`.
DESK_STATES: Mapping[str, str | Promise] = {
    "missing": pgettext_lazy("state of a play", "missing"),
    "started": pgettext_lazy("state of a play", "being played"),
    "later": pgettext_lazy("state of a play", "to be played later"),
    "unconfirmed": pgettext_lazy("state of a play", "not confirmed"),
    "disputed": pgettext_lazy("state of a play", "disputed"),
    "check_etui": pgettext_lazy("state of a play", "check the étui"),
    "odd": pgettext_lazy("state of a play", "odd"),
    "done": pgettext_lazy("state of a play", "done"),
    "not_played": pgettext_lazy("state of a play", "not played"),
    "annulled": pgettext_lazy("state of a play", "annulled"),
}

# Why a result is to be looked at that no card forbids: never a card, and never another table's figure.
DOUBTS: Mapping[str, str | Promise] = {
    "contested": _("Another device sent another result. Ask the table, then decide which one counts."),
    "other_side": _("The other side says that this result is wrong. Ask the table, then confirm or correct it."),
    "no_result": _(
        "No result gives this figure. Ask the table and look at its fiche: the points, the bouts, the bonuses."
    ),
    "far": _("Far from the results of the other tables. The table is told nothing: look at its fiche."),
    "unlikely": _("With the étui’s cards these bouts are rare. The table is told nothing: ask which bouts it had."),
}

# What the étui's cards forbid of a result, by the codes of `tournaments.rules.clash`: never a card.
CLASHES: Mapping[str, str | Promise] = {
    "clash_bouts": _("The étui’s cards do not allow this number of bouts."),
    "clash_petit_au_bout": _("The étui’s cards do not allow a petit au bout."),
    "clash_poignee": _("By the étui’s cards nobody can show this poignée."),
    "clash_chelem": _("The étui’s cards do not allow this chelem."),
    "clash_points": _("The étui’s cards do not allow these points."),
}
