"""The texts on printed plans and on the papers of teams, in the active language. The layouts contain no texts.

Texts that deal sets use too come from `deals.exports.documents`.
"""

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from deals.exports.documents import list_document_words as etui_words
from evenings.plans.evening_plan import SessionHeading
from scoring.plays import EAST_WEST, NORTH_SOUTH
from tournaments.words.messages import label


def words() -> dict[str, object]:
    """Return all texts that a layout may need, by key."""
    return etui_words(4) | {
        "etuis": pgettext("column of a printed plan", "Étuis"),
        "others": pgettext("column of a printed plan", "With"),
        "rests": pgettext("a player in one position", "rests"),
        "rest": pgettext("column of a printed plan", "Resting"),
        "no_play": pgettext("a table in one position", "Nobody plays at this table."),
        "guide": _("Guide card"),
        "link": _("Your results, once they are published"),
        "scan": _("Scan to open this table’s screen"),
        "hall": _("Where do I sit? All names, on your phone"),
        "poster": _("Plan of tables and positions"),
        "players": _("Who starts where"),
        "name": pgettext("column of a printed plan", "Name"),
        "start": pgettext("column of a printed plan", "Start"),
        "sheet": _("Score sheet"),
        "sheet_rule": _(
            "For every étui North writes the taker’s bouts (21, P, E) and points, then the base score under + or −."
            " The other three check it and sign."
        ),
        "contract": pgettext("column of a score sheet", "Contract"),
        "bouts": pgettext("column of a score sheet", "Bouts"),
        "petit_letter": pgettext("letter of the Petit", "P"),
        "excuse_letter": pgettext("letter of the Excuse", "E"),
        "points": pgettext("column of a score sheet", "Points"),
        "petit": pgettext("column of a score sheet", "Petit au bout"),
        "poignee": pgettext("column of a score sheet", "Poignée"),
        "chelem": pgettext("column of a score sheet", "Chelem"),
        "sign": pgettext("column of a score sheet", "Signature"),
        "at_table": pgettext("a player in one position", "Table"),
    }


def occasion(heading: SessionHeading) -> str:
    """Return the number and the date of the session, for the heading of a sheet."""
    return _("Session %(number)s, %(date)s") % {
        "number": heading.session,
        "date": date_format(heading.date, "DATE_FORMAT").replace(" ", "\N{NO-BREAK SPACE}"),
    }


def position_name(number: int) -> str:
    return _("Position %(number)s") % {"number": number}


def table_name(number: int) -> str:
    return _("Table %(number)s") % {"number": number}


def comes_later(position: int) -> str:
    """Return the text for a player who comes later than position 1."""
    return _("from position %(number)s") % {"number": position}


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
