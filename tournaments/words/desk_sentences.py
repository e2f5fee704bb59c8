"""The sentences of the director's desk about plays: states, doubts about a result, reasons of changes.

The module has data only.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from tournaments.words.sentences import Family

# The states of `evenings.plays.desk_state`.
DESK_STATES: Mapping[str, str | Promise] = {
    "missing": pgettext_lazy("state of a play", "missing"),
    "started": pgettext_lazy("state of a play", "being played"),
    "later": pgettext_lazy("state of a play", "to be played later"),
    "unconfirmed": pgettext_lazy("state of a play", "not confirmed"),
    "disputed": pgettext_lazy("state of a play", "disputed"),
    "check_etui": pgettext_lazy("state of a play", "check the étui"),
    "odd": pgettext_lazy("state of a play", "to check"),
    "done": pgettext_lazy("state of a play", "done"),
    "not_played": pgettext_lazy("state of a play", "not played"),
    "annulled": pgettext_lazy("state of a play", "annulled"),
}

# The points that a director should look at before a publication, by their codes in `publication.publishing`.
OPEN_POINTS = Family(
    {
        "missing": ngettext_lazy("%(count)s result is missing", "%(count)s results are missing", "count"),
        "unseated": ngettext_lazy(
            "%(count)s result belongs to games that are not seated yet",
            "%(count)s results belong to games that are not seated yet",
            "count",
        ),
        "disputed": ngettext_lazy("%(count)s result is disputed", "%(count)s results are disputed", "count"),
        "check_etui": ngettext_lazy(
            "%(count)s result contradicts the étui’s cards",
            "%(count)s results contradict their étuis’ cards",
            "count",
        ),
        "odd": ngettext_lazy("%(count)s result to check", "%(count)s results to check", "count"),
        "requests": ngettext_lazy(
            "%(count)s request for a correction awaits an answer",
            "%(count)s requests for a correction await an answer",
            "count",
        ),
        "annulled": ngettext_lazy("%(count)s play is annulled", "%(count)s plays are annulled", "count"),
        "etuis_annulled": ngettext_lazy(
            "%(count)s étui is annulled for everybody", "%(count)s étuis are annulled for everybody", "count"
        ),
        "adjusted": ngettext_lazy(
            "%(count)s play has a ruling by the arbiter", "%(count)s plays have a ruling by the arbiter", "count"
        ),
        "penalties": ngettext_lazy(
            "%(count)s penalty or bonus is given",
            "%(count)s penalties or bonuses are given",
            "count",
        ),
    }
)

# Reasons to check a result that is possible with the cards. They never name a card or another table's figure.
DOUBTS: Mapping[str, str | Promise] = {
    "contested": _("Another device sent another result. Ask the table, then decide which one counts."),
    "other_side": _("The other side says that this result is wrong. Ask the table, then confirm or correct it."),
    "no_result": _(
        "No result gives this amount. Ask the table and look at its fiche: the points, the bouts, the bonuses."
    ),
    "far": _("Far from the other tables’ results. The table is not told: look at its fiche."),
    "records": _("Two records of the cards differ. Choose the one that counts."),
    "faults": _("In the record, somebody breaks a rule of the play, for example by a revoke."),
    "unlikely": _("With the étui’s cards these bouts are rare. The table is not told: ask which bouts it had."),
}

# The same doubts in figures, for a line of the desk, by their codes and units in `tournaments.rules.etuis.ResultDoubt`.
DOUBTS_IN_FIGURES: Mapping[tuple[str, str], str | Promise] = {
    ("contested", "points"): _("%(first)s or %(second)s points"),
    ("contested", "scores"): _("%(first)s or %(second)s"),
    ("contested", ""): _("two entries that differ"),
    ("other_side", "scores"): _("the other side disputes %(first)s"),
    ("no_result", "scores"): _("no result gives %(first)s"),
    ("far", "points"): _("%(first)s points; the others from %(second)s to %(third)s"),
    ("far", "equal_points"): _("%(first)s points; the others from %(second)s to %(third)s, for equal bouts"),
    ("far", "scores"): _("%(first)s; the others from %(second)s to %(third)s"),
    ("unlikely", "bouts"): _("bouts: %(first)s, rare with these cards"),
    ("clash_bouts", "bouts"): _("bouts: %(first)s, impossible with these cards"),
    ("clash_points", "points"): _("%(first)s points: impossible with these cards"),
}

# Reported values that are impossible with the étui's cards, by the codes of `tournaments.rules.clash`. They never name
# a card.
CLASHES: Mapping[str, str | Promise] = {
    "clash_bouts": _("The étui’s cards do not allow this number of bouts."),
    "clash_petit_au_bout": _("The étui’s cards do not allow a petit au bout."),
    "clash_poignee": _("With the étui’s cards, nobody can show this poignée."),
    "clash_chelem": _("The étui’s cards do not allow this chelem."),
    "clash_points": _("The étui’s cards do not allow these points."),
    "clash_partner": _("The étui’s cards do not allow this partner."),
    "clash_record_dealer": _("The record of the cards has another dealer than the étui."),
    "clash_record_taker": _("The record of the cards has another taker, partner or contract than the result."),
    "clash_record_cards": _("In the record, a player plays a card that another hand of the étui has."),
    "clash_record_score": _("The record of all cards gives another score than the result."),
    "clash_record_result": _("The recorded cards do not allow this result."),
}

# The reasons that the site itself stores when a change of the plan moves a result, by their stored codes.
CHANGE_REASONS: Mapping[str, str | Promise] = {
    "@etuis_mended": _("Étui played instead of another"),
    "@seats_mended": _("Two teams exchanged seats"),
    "@change_undone": _("Change undone"),
}

# How a penalty, bonus or warning counts: for the whole session, and for one position.
WEIGHTS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "penalty": (_("−%(points)s on the percentage"), _("−%(points)s on the percentage of position %(position)s")),
    "bonus": (_("+%(points)s on the percentage"), _("+%(points)s on the percentage of position %(position)s")),
    "warning": (_("without points"), _("without points, in position %(position)s")),
}

# The same where match points are added up.
MATCH_POINT_WEIGHTS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    **WEIGHTS,
    "penalty": (_("−%(points)s match points"), _("−%(points)s match points, as their share for position %(position)s")),
    "bonus": (_("+%(points)s match points"), _("+%(points)s match points, as their share for position %(position)s")),
}

# The same where the tables deal and marks are added up.
MARK_WEIGHTS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "penalty": (_("−%(points)s marks"), _("−%(points)s marks, game %(position)s")),
    "bonus": (_("+%(points)s marks"), _("+%(points)s marks, game %(position)s")),
    "warning": (_("without points"), _("without points, in game %(position)s")),
}

# The meaning of a fiche's score in words, such as "made by 6".
MADE: Mapping[str, str | Promise] = {
    "made_by": _("made by %(difference)s"),
    "failed_by": _("failed by %(difference)s"),
    "made_petit": _("made by %(difference)s, petit au bout to the defence"),
    "failed_petit": _("failed by %(difference)s, petit au bout to the taker"),
    "made": pgettext_lazy("a contract", "made"),
    "failed": pgettext_lazy("a contract", "failed"),
}

# The lines of teams, and the badges of a triplette by the place in the team.
TEAM_LINES: dict[str, str | Promise] = {
    "NS": _("North-South"),
    "EW": _("East-West"),
    "attack": pgettext_lazy("part of a team at a table", "Attack"),
    "defence": pgettext_lazy("part of a team at a table", "Defence"),
}
TEAM_LETTERS: dict[str, str | Promise] = {
    "NS": pgettext_lazy("line of teams", "NS"),
    "EW": pgettext_lazy("line of teams", "EW"),
    "attack": pgettext_lazy("part of a team at a table", "A"),
    "defence": pgettext_lazy("part of a team at a table", "D"),
}
