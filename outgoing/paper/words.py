"""The texts on the printed plan, in the active language. The layouts contain no texts of their own.

Texts that deal sets use too come from `deals.exports.documents`.
"""

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from deals.exports.documents import list_document_words as etui_words
from evenings.plans.evening_plan import SessionHeading


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
        "poster": _("Plan of the movement"),
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
