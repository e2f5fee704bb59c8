"""What the desk says of plays: their states, what is doubtful in a result, why a change touched one. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from tournaments.words.family import Family

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

# What is looked at before a publication, by the codes of `tournaments.publication.open_points`.
OPEN_POINTS = Family(
    {
        "missing": ngettext_lazy("%(count)s result is missing", "%(count)s results are missing", "count"),
        "disputed": ngettext_lazy("%(count)s result is disputed", "%(count)s results are disputed", "count"),
        "check_etui": ngettext_lazy(
            "%(count)s result is not one of the étui’s cards",
            "%(count)s results are not those of the étuis’ cards",
            "count",
        ),
        "odd": ngettext_lazy("%(count)s result is odd", "%(count)s results are odd", "count"),
        "requests": ngettext_lazy(
            "%(count)s request for a correction waits for an answer",
            "%(count)s requests for a correction wait for an answer",
            "count",
        ),
        "annulled": ngettext_lazy("%(count)s play is annulled", "%(count)s plays are annulled", "count"),
        "etuis_annulled": ngettext_lazy(
            "%(count)s étui is annulled for everybody", "%(count)s étuis are annulled for everybody", "count"
        ),
        "adjusted": ngettext_lazy("%(count)s play is adjusted", "%(count)s plays are adjusted", "count"),
        "penalties": ngettext_lazy(
            "%(count)s penalty or bonus is given",
            "%(count)s penalties or bonuses are given",
            "count",
        ),
    }
)

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

# Why a change did something to a result, by the codes that are stored for it.
CHANGE_REASONS: Mapping[str, str | Promise] = {
    "@etuis_mended": _("Étui played in place of another"),
    "@change_undone": _("Change taken back"),
}

# What a word on a player weighs, by its kind: once, and for one position.
WEIGHTS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "penalty": (_("−%(points)s on the percentage"), _("−%(points)s on the percentage of position %(position)s")),
    "bonus": (_("+%(points)s on the percentage"), _("+%(points)s on the percentage of position %(position)s")),
    "warning": (_("without points"), _("without points, in position %(position)s")),
}

# What the sign and the figure of a fiche say.
MADE: Mapping[str, str | Promise] = {
    "made_by": _("made by %(difference)s"),
    "failed_by": _("failed by %(difference)s"),
    "made_petit": _("made by %(difference)s, petit au bout for the defence"),
    "failed_petit": _("failed by %(difference)s, petit au bout for the taker"),
    "made": pgettext_lazy("a contract", "made"),
    "failed": pgettext_lazy("a contract", "failed"),
}
