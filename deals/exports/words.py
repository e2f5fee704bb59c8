"""The words on printed documents, in the language that is active when they are asked for.

The layouts contain no words, so all translations are in the catalogue.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from deals.domain.cards import CHIEN, HAND
from deals.models import SEAT_CHOICES

LETTERS = {
    "N": pgettext_lazy("letter of North", "N"),
    "E": pgettext_lazy("letter of East", "E"),
    "S": pgettext_lazy("letter of South", "S"),
    "W": pgettext_lazy("letter of West", "W"),
    "F": pgettext_lazy("letter of the fifth player", "F"),
}


def list_place_words() -> dict[str, dict[str, str]]:
    """Return the letter and the name of every hand and of the chien. The keys are "N" … "chien"."""
    seats = {seat: {"letter": str(LETTERS[seat]), "name": str(name)} for seat, name in SEAT_CHOICES}
    return seats | {"chien": {"letter": "", "name": pgettext("printed heading", "Chien")}}


def list_document_words(players: int) -> dict[str, object]:
    """Return every text that a layout may need, by a key that the layouts use."""
    return {
        "places": list_place_words(),
        "etui": pgettext("printed heading", "Étui"),
        "taker": pgettext("printed heading", "Taker"),
        "dealer": pgettext("printed heading", "Dealer"),
        "leads": pgettext("printed heading", "Leads"),
        "chien": pgettext("printed heading", "Chien"),
        "trumps": pgettext("printed heading", "Trumps"),
        "king": _("King"),
        "queen": _("Queen"),
        "knight": _("Knight"),
        "jack": _("Jack"),
        "excuse": _("Excuse"),
        "hand_cards": _cards(HAND[players]),
        "chien_cards": _cards(CHIEN[players]),
        "colour": pgettext("printed heading", "Colour"),
        "position": pgettext("column of a fiche", "Position"),
        "table": pgettext("column of a fiche", "Table"),
        "topage": pgettext("column of a fiche", "Topage"),
        "attack": pgettext("column of a fiche", "Attack"),
        "defence": pgettext("column of a fiche", "Defence"),
        "contract": pgettext("column of a fiche", "Contract"),
        "fiche": _("Fiche ambulante"),
        "fold": _("Fold up to here"),
        "fiche_chien": _("Chien, written before the first card"),
        "fiche_rule": _(
            "North writes the base score, one defender’s amount; the others check it. Mistake? Call the arbiter."
        ),
        "building": _("Hand-building list"),
        "records": _("Hand records"),
        "no_cards": _("The cards of this étui were dealt at the table and are not known."),
        "no_play": _("This étui was not played."),
        "fixed": _("note fixed by the arbiter"),
    }


def _cards(count: int) -> str:
    return ngettext("%(count)s card", "%(count)s cards", count) % {"count": count}
