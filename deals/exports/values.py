"""The values from which the documents are printed: frozen, and filled in by callers that know the rows and the rights.

This module knows no database, no language and no layout. Nothing here asks whether a value may be shown.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from deals.domain.cards import HAND, Seat, seats
from deals.domain.deal import Deal
from deals.domain.etui import leader


@dataclass(frozen=True, slots=True)
class SetHeading:
    """The heading on every sheet of a set.

    `colour` is the name of the tournament's colour as people say it ("blue", "bleu"), `ink` the same colour as
    `#rrggbb` for the printer; both may be empty. `players` is 3, 4 or 5.
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
    """One étui at one table in one position. Before the event only position and table are set, after it the result too.

    `names` has one name for each seat, in seat order. `score` is the signed base score, or None if there is none yet or
    the play was annulled. `notes` are percentages from 0 to 100. With an imposed taker there are two notes: attack and
    defence. There is one note for each seat, in seat order, if each seat is compared by itself (free auction) or if the
    arbiter fixed the note of a seat; `fixed` has the seats with such a note. `taker` is set if the étui names no taker.
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
    """One étui to be printed.

    `number`, `taker` and `dealer` are None on a spare sheet, where people write them by hand. `deal` is None if the
    table deals, or if nobody may know the cards yet.
    """

    number: int | None = None
    taker: Seat | None = None
    dealer: Seat | None = None
    deal: Deal | None = None
    plays: tuple[RecordedPlay, ...] = ()

    def leader(self, players: int) -> Seat | None:
        """Return the seat that leads: the one at the dealer's right."""
        return None if self.dealer is None else leader(self.dealer, players)


def check_printed_etuis(heading: SetHeading, etuis: Sequence[PrintedEtui]) -> None:
    """Raise `ValueError` if there is no étui, or if an étui is not for the heading's number of players."""
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
