"""The texts on the papers of teams, in the active language. The layouts contain no texts of their own."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.plays import EAST_WEST, NORTH_SOUTH
from tournaments.words.messages import label


def list_team_words() -> dict[str, object]:
    """Return the words about teams that the layouts need, by key, in the active language."""
    return {
        "team": _("Team"),
        "teams": _("Teams"),
        "badges": _("Badges"),
        "against": pgettext("column of a printed plan", "Against"),
        "attacks": pgettext("what a team member does with an étui", "Attacks"),
        "waits": pgettext("what a team member does with an étui", "Waits"),
        "defends": pgettext("what a team member does with an étui", "Defends"),
        "attacker": pgettext("column of a printed plan", "Who attacks"),
        "badge_rest": pgettext("a team in one position", "The team rests"),
        "seats_free": _("In defence the captain seats the three players for each étui."),
        "defender_side": _("Defence"),
        "attacker_side": _("Attack, South"),
        "attacker_word": _("Attack"),
        "match_sheet": _("Score sheet of a match"),
        "other_table": pgettext("column of a score sheet", "Other table"),
        "match_points": pgettext("column of a score sheet", "Match points"),
        "total": pgettext("column of a score sheet", "Total"),
        "line_ups": _("Line-ups"),
        "line_up": _("Line-up"),
        "players_of_team": _("Players"),
        "line_up_rule": _(
            "Write a name, or its number, for each seat. The captain signs and hands the sheet folded to the director"
            " before the start. Until then no other team sees it."
        ),
        "captain": _("Captain"),
        "sides": [label("letter", NORTH_SOUTH), label("letter", EAST_WEST)],
        "sheet_rule": _(
            "For every étui North writes the attacker’s bouts (21, P, E) and points, then the base score under + or −."
            " If another player attacked, write the name. The other team checks and signs."
        ),
    }
