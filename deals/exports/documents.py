"""The values from which documents are printed, which are frozen, and the words on them.

Callers fill in the values and decide who may see them. The words are in the language that is active when they are asked
for. The layouts contain no words, so all translations are in the catalogue.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from deals.domain.cards import CHIEN, HAND, Seat, seats
from deals.domain.deal import Deal
from deals.domain.etui import leader
from deals.models import SEAT_CHOICES


@dataclass(frozen=True, slots=True)
class SetHeading:
    """The heading on every sheet of a set.

    `colour`: the name of the tournament's colour ("blue", "bleu"). `ink`: the same colour as `#rrggbb`. Both may be
    empty. `players`: 3, 4 or 5.
    """

    name: str
    tournament: str = ""
    players: int = 4
    colour: str = ""
    ink: str = ""

    def __post_init__(self) -> None:
        if self.players not in HAND:
            raise ValueError(f"{self.players} players: a deal is for 3, 4 or 5")
        if self.ink and not re.fullmatch("#[0-9a-fA-F]{6}", self.ink):
            raise ValueError(f"{self.ink!r} is no colour: write it as #rrggbb")


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """One étui at one table in one position. Before the event only position and table are known.

    - `names`: one name for each seat.
    - `score`: the base score with its sign; None if there is none yet or the play is annulled.
    - `notes`: percentages from 0 to 100. Two notes are those of the attack and of the defence. Otherwise there is one
      note for each seat: in a free auction, or if the arbiter fixed the note of a seat.
    - `taker`: the seat that took, if the étui does not name the taker.
    - `fixed`: the seats whose note the arbiter fixed.
    """

    position: int
    table: int
    names: tuple[str, ...] = ()
    score: int | None = None
    notes: tuple[Fraction | None, ...] = ()
    taker: Seat | None = None
    fixed: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class PrintedEtui:
    """One étui as it is printed.

    On a spare sheet `number`, `taker` and `dealer` are None, and people write them by hand. `deal` is None if the cards
    are dealt at the table, or if nobody may know them yet.
    """

    number: int | None = None
    taker: Seat | None = None
    dealer: Seat | None = None
    deal: Deal | None = None
    plays: tuple[RecordedPlay, ...] = ()

    def leader(self, players: int) -> Seat | None:
        """Return the seat that leads: the seat at the dealer's right. None if the dealer is unknown."""
        return None if self.dealer is None else leader(self.dealer, players)


def check_printed_etuis(heading: SetHeading, etuis: Sequence[PrintedEtui]) -> None:
    """Raise ValueError if there is no étui, or if an étui does not fit the heading's number of players."""
    if not etuis:
        raise ValueError("no étui to print")
    table = seats(heading.players)
    for etui in etuis:
        if etui.deal is not None and etui.deal.players != heading.players:
            raise ValueError(f"étui {etui.number}: a deal for {etui.deal.players} in a set for {heading.players}")
        if not {etui.taker, etui.dealer, *(play.taker for play in etui.plays)} <= {None, *table}:
            raise ValueError(f"étui {etui.number}: no such seat at a table of {heading.players}")
        for play in etui.plays:
            if len(play.names) not in (0, len(table)) or len(play.notes) not in (0, 2, len(table)):
                raise ValueError(f"étui {etui.number}: names and notes are one a seat, or two notes, or none")


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
