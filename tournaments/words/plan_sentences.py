"""The sentences about plans: faults, proposals, figures, announcements. The module has data only.

The texts of faults are parts of sentences, because other sentences contain them. `COUNTED` has the plural forms for a
second number in the same sentence.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from movements.plan.plan import CYCLIC, Shifts

Texts = Mapping[str, str | Promise]


# Several faults with the same code can be one mistake. For each code: the params in which such faults may differ. The
# sentence of the mistake lists the values of these params.
ALIKE: Mapping[str, tuple[str, ...]] = {
    "replayed": ("line", "number", "etui"),
    "seated_twice": ("line", "number"),
    "etui_twice": ("etui",),
    "barometer": ("table",),
    "stranger": ("position", "table"),
    "announced": ("seat",),
}
FAULTS_ALIKE: Texts = {
    "replayed": ngettext_lazy(
        "étui %(etuis)s in positions %(first)s and %(position)s, played twice by %(who)s",
        "étuis %(etuis)s in positions %(first)s and %(position)s, played twice by %(who)s",
        "count",
    ),
    "seated_twice": _("position %(position)s: %(who)s sit at tables %(first)s and %(table)s"),
    "etui_twice": _("position %(position)s: étuis %(etuis)s are at tables %(first)s and %(table)s"),
    "barometer": _("position %(position)s: tables %(tables)s have other étuis than table 1"),
    "stranger": ngettext_lazy(
        "position %(position)s, table %(table)s, and %(count)s time more: %(who)s is not there",
        "position %(position)s, table %(table)s, and %(count)s times more: %(who)s is not there",
        "count",
    ),
    "announced": _("position %(position)s, table %(table)s: %(who)s should not be there, as announced"),
}
ETUIS = _("the étuis %(numbers)s")
PROPOSALS: Texts = {
    "tables": _("%(players)s players: %(tables)s, nobody rests."),
    "barometer": _("%(players)s players: %(tables)s, all with the same étuis in each position."),
    "filler": ngettext_lazy(
        "%(players)s players: %(tables)s with %(fillers)s more who plays unranked; nobody rests.",
        "%(players)s players: %(tables)s with %(fillers)s more who play unranked; nobody rests.",
        "fillers",
    ),
    "rovers": ngettext_lazy(
        "%(players)s players: %(tables)s with a floating player, who sits in for another player in each position.",
        "%(players)s players: %(tables)s with %(rovers)s floating players, who sit in for other players in each"
        " position.",
        "rovers",
    ),
    "any_line": ngettext_lazy(
        "%(players)s players: %(tables)s; all rest in turn, one in each position. A floating player takes that"
        " seat on any line,"
        " ranked on the floating player’s own.",
        "%(players)s players: %(tables)s; all rest in turn, %(rovers)s in each position. Floating players take"
        " those seats on any"
        " line, ranked on their own.",
        "rovers",
    ),
    "phantom": _(
        "%(players)s players: %(tables)s with an empty seat, which moves; the three players at that table rest."
    ),
    "resting": _(
        "%(players)s players: %(tables)s, fewer in some positions; everybody rests %(least)s to %(most)s times."
    ),
    "fewer_positions": _("%(players)s players: %(tables)s, but only %(positions)s."),
    "kept": _("All others keep their seats."),
    "relieved": _("Whoever comes takes the seat of somebody who completed a table. All others keep their seats."),
    "unmoved": _("Everybody keeps their seat."),
    "replanned": _("The coming positions are planned again."),
    "fresh": _("The coming positions are planned again, each with its own étuis, which all tables play."),
    "roving": _(
        "The coming positions are planned again so that all players rest equally often. Floating players play"
        " on any line and"
        " are ranked on their own."
    ),
    "fresh_roving": _(
        "The coming positions are planned again so that all players rest equally often. Each has its own étuis, "
        "which all tables play. Floating players play on any line and are ranked on their own."
    ),
    "imported": _("The plan comes from a file."),
    "free_games": _("%(players)s players, seated game by game."),
    "all_meet": _("Every team meets the others in turn; all tables play the same étuis."),
    "all_meet_moving": _("Every team meets the others in turn; the étuis move from table to table."),
    "two_lines": _("Two lines: North-South stay, East-West go up one table, the étuis go down one."),
    "two_lines_barometer": _("Two lines: North-South stay, East-West go up one table; all play the same étuis."),
    "emmanuel16": _(
        "Emmanuel 16: four teams attack three others each, with a player at each table. Our reading: the regulation "
        "only names it."
    ),
    "at_once": _(
        "Every attacker meets every other team at its table; both tables of a match play the same étuis at once."
    ),
    "halves": _(
        "Every attacker meets every other team at its table; the two tables of a match exchange their étuis half-way."
    ),
    "there_and_back": _(
        "Every attacker meets every other team at its table; the two halves of a match are played in two positions, "
        "one after the other, without a break between them. Nobody rests."
    ),
    "match_at_once": _(
        "Two rooms for each match, in four quarters; all matches play the same étuis, and both rooms at once."
    ),
    "match_halves": _(
        "Two rooms for each match, in four quarters; the two rooms begin with different étuis and exchange them "
        "half-way."
    ),
    "match_apart": _(
        "Two rooms for each match, in four quarters; each match plays étuis of its own, and its rooms exchange them "
        "half-way."
    ),
    "apart": _("Every attacker meets every other team at its table; each match plays étuis of its own."),
}
CHOSEN = _("The positions are chosen so that all players are compared fairly: everybody needs a guide card.")

COUNTED: Texts = {
    "tables": ngettext_lazy("%(count)s table", "%(count)s tables", "count"),
    "positions": ngettext_lazy("%(count)s position", "%(count)s positions", "count"),
}

# The things that are needed to play a plan, such as copies of étuis.
TAKES: Texts = {
    "moving": _("the étuis go from table to table, each at one table at a time"),
    "barometer": _("all tables play the same étuis in each position"),
    "barometer_from": _("from position %(first)s on, all tables play the same étuis"),
    "goes_round": _("one copy of each étui is enough: it goes round within the position"),
    "copies": _("%(copies)s copies of each étui, or tables wait for them"),
    "fill": ngettext_lazy("%(etuis)s étui to prepare", "%(etuis)s étuis to prepare", "etuis"),
    "fill_copies": _("%(etuis)s étuis to prepare, %(all)s with their copies"),
    "guide_cards": _("irregular changes of table: follow the guide cards"),
}
FIGURES: Texts = {
    "no_meeting_repeated": _("nobody meets anybody twice"),
    "repeated_once": ngettext_lazy(
        "%(repeated)s meeting is repeated, none more than twice",
        "%(repeated)s meetings are repeated, none more than twice",
        "repeated",
    ),
    "repeated": ngettext_lazy(
        "%(repeated)s meeting is repeated, none more than %(most_meetings)s times",
        "%(repeated)s meetings are repeated, none more than %(most_meetings)s times",
        "repeated",
    ),
    "bound": ngettext_lazy(
        "at least %(bound)s meeting has to be repeated, whatever the plan",
        "at least %(bound)s meetings have to be repeated, whatever the plan",
        "bound",
    ),
    "no_bound": _("in theory, no meeting would have to be repeated"),
    "replays": ngettext_lazy(
        "%(replays)s étui is played again by somebody", "%(replays)s étuis are played again by somebody", "replays"
    ),
    "no_rest": _("nobody rests"),
    "rest_in_each": ngettext_lazy(
        "%(most)s player rests in each position", "%(most)s players rest in each position", "most"
    ),
    "rest_in_some": _("from %(least)s to %(most)s players rest in each position"),
    "no_rest_twice": _("nobody rests twice"),
    "rests": _("everybody rests from %(least_exempt)s to %(most_exempt)s times"),
    "rests_alike": _("everybody rests %(most_exempt)s times"),
    "balance": pgettext_lazy("balance of a plan", "fairness of comparisons: %(balance)s%%"),
    "every_etui": _("everybody plays every étui"),
    "played_alike": _("everybody plays %(least_played)s of the %(etuis)s étuis"),
    "played": _("everybody plays from %(least_played)s to %(most_played)s of the %(etuis)s étuis"),
    "attacks_alike": ngettext_lazy(
        "everybody attacks %(least_attacks)s time", "everybody attacks %(least_attacks)s times", "least_attacks"
    ),
    "attacks": _("everybody attacks from %(least_attacks)s to %(most_attacks)s times"),
    "attacks_never": ngettext_lazy(
        "somebody never attacks, nobody more than %(most_attacks)s time",
        "somebody never attacks, nobody more than %(most_attacks)s times",
        "most_attacks",
    ),
    "attacks_apart": ngettext_lazy(
        "attacks are not equal: some attack %(apart)s time more than others",
        "attacks are not equal: some attack %(apart)s times more than others",
        "apart",
    ),
    "attacks_four": _("with four étuis per position, or eight, attacks would be equal, apart from rests"),
}
# The sentences of FIGURES for a plan in which a player comes late or leaves early.
ALL_THROUGH: Texts = {
    "every_etui": _("every player who is there from start to end plays every étui"),
    "played_alike": _("every player who is there from start to end plays %(least_played)s of the %(etuis)s étuis"),
    "played": _(
        "every player who is there from start to end plays from %(least_played)s to %(most_played)s of the "
        "%(etuis)s étuis"
    ),
    "attacks_alike": ngettext_lazy(
        "every player who is there from start to end attacks %(least_attacks)s time",
        "every player who is there from start to end attacks %(least_attacks)s times",
        "least_attacks",
    ),
    "attacks": _(
        "every player who is there from start to end attacks from %(least_attacks)s to %(most_attacks)s times"
    ),
    "attacks_never": ngettext_lazy(
        "a player who is there from start to end never attacks, nobody more than %(most_attacks)s time",
        "a player who is there from start to end never attacks, nobody more than %(most_attacks)s times",
        "most_attacks",
    ),
}

ANNOUNCEMENTS: Mapping[Shifts, str | Promise] = {
    CYCLIC: _("North stays, East moves up one table, South two, West three; the étuis move down one"),
    CYCLIC._replace(etuis=0): _(
        "North stays, East moves up one table, South two, West three; all tables play the same étuis"
    ),
}
ANNOUNCEMENT = _("tables to move up: North %(north)s, East %(east)s, South %(south)s, West %(west)s, étuis %(etuis)s")

AT_REST = _("Empty table, position by position: %(tables)s")
