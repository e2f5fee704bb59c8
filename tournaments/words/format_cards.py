"""The cards from which a director chooses a form of play: a name, a line and a drawing of the table each."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.formats import OFFERED
from tournaments.models import Tournament

FormatName = Tournament.FormatName
TOLD_ALONE, TEAMS_TOLD = _("individual, %(form)s"), "%(form)s"  # the label of a form of teams tells of them itself


class DrawnPlayer(NamedTuple):
    """A player in the drawing of a table. `takes`: the player attacks, so the dot is filled."""

    x: int
    y: int
    takes: bool


@dataclass(frozen=True, slots=True)
class FormatCard:
    """The card of a form of play.

    - `name`, `line`: what it is called, and one line of at most 60 letters about it.
    - `told`: what readers of a tournament are told, with `form`, the label of the form of play.
    - `players`: the number of players in the drawing. `takers`: those who attack, 0 is the player at the top.
    - `dealt`: the table deals, so it has no étui. `rare`: the page folds the card away with the other rare ones.
    """

    name: Promise
    line: Promise
    told: str | Promise = TOLD_ALONE
    takers: tuple[int, ...] = ()
    players: int = 4
    dealt: bool = False
    rare: bool = False

    def __str__(self) -> str:
        return str(self.name)

    @property
    def dots(self) -> list[DrawnPlayer]:
        """The players around the table in the drawing, which is 60 wide and 60 high."""
        turns = [math.tau * player / self.players for player in range(self.players)]
        places = [(round(30 + 25 * math.sin(turn)), round(30 - 25 * math.cos(turn))) for turn in turns]
        return [DrawnPlayer(*place, player in self.takers) for player, place in enumerate(places)]


CARDS: dict[str, FormatCard] = {
    FormatName.INDIVIDUAL: FormatCard(
        _("Imposed Garde"), _("The étui names the taker. The federation’s own form."), takers=(2,)
    ),
    FormatName.FREE_AUCTION: FormatCard(_("Free auction"), _("The table bids, and each seat is compared.")),
    FormatName.TRIPLETTES: FormatCard(
        _("Triplettes"), _("Teams of three players: two teams meet at each table."), told=TEAMS_TOLD, takers=(0, 2)
    ),
    FormatName.QUADRETTES: FormatCard(
        _("Quadrettes"), _("Teams of four players: one of them attacks all session."), told=TEAMS_TOLD, takers=(2,)
    ),
    FormatName.FREE_DEALS: FormatCard(
        _("Donnes libres"), _("The tables deal the cards, and marks are added up."), dealt=True
    ),
    FormatName.DOUBLETTES: FormatCard(
        _("Doublettes"), _("Everybody plays alone, teams of two add up."), told=TEAMS_TOLD, takers=(2,), rare=True
    ),
    FormatName.TEAM_MATCH: FormatCard(
        _("Team matches"), _("Two teams, two rooms, the same étuis."), told=TEAMS_TOLD, takers=(0,), rare=True
    ),
    FormatName.FREE_AUCTION_3: FormatCard(
        _("Three at a table"), _("Étuis for three. Not a form of the federation."), players=3, rare=True
    ),
    FormatName.FREE_AUCTION_5: FormatCard(
        _("Five at a table"), _("Étuis for five. Not a form of the federation."), players=5, rare=True
    ),
}


def list_format_choices() -> list[tuple[str, FormatCard]]:
    """Return the word and the card of each offered form of play, in the order in which a page shows them."""
    return [(OFFERED[name].word, card) for name, card in CARDS.items() if name in OFFERED]
