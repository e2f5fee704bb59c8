"""What a session in preparation still needs before its start, in words; and which numbers of players can be played.

Reads only, and asks the very functions that the start will ask.
"""

from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.domain.movements import MovementError, cyclic, playable_counts
from tournaments.errors import Refused
from tournaments.messages import say
from tournaments.models import Session
from tournaments.services.setup import etuis_for, seated_entrants

SEATS = 4


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a number of players can be played, and a sentence that says so, or which numbers can."""

    ready: bool
    text: str


def fit(players: int, session: Session) -> Fit:
    """How so many players suit the positions and étuis of the session."""
    if players % SEATS == 0 and players > 0:
        tables = players // SEATS
        try:
            cyclic(tables, session.positions, session.etuis_per_position)
        except MovementError as error:
            return Fit(False, f"{count_of_players(players)}. {say(error)}")
        told = {"players": count_of_players(players), "tables": tables}
        return Fit(True, ngettext("%(players)s: %(tables)s table", "%(players)s: %(tables)s tables", tables) % told)
    counts = playable_counts(players, session.positions)
    told = {
        "players": count_of_players(players),
        "counts": _(" or ").join(map(str, counts)),
        "positions": session.positions,
    }
    text = ngettext(
        "%(players)s: %(counts)s can play one position.",
        "%(players)s: %(counts)s can play %(positions)s positions.",
        session.positions,
    )
    return Fit(False, text % told)


def count_of_players(players: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", players) % {"count": players}


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the checklist: what it is about, whether it is done, how it stands in words."""

    name: str
    ready: bool
    text: str


class Preparation:
    """The state of a session in preparation: players, étuis, movement, start."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @cached_property
    def players(self) -> int:
        return self.session.entrants.count()

    @property
    def tables(self) -> int:
        return -(-self.players // SEATS)

    @property
    def needed(self) -> int:
        """How many étuis the movement takes, with the players there are."""
        return self.tables * self.session.etuis_per_position

    @property
    def needed_text(self) -> str:
        told = {"needed": self.needed, "tables": self.tables, "each": self.session.etuis_per_position}
        return (
            ngettext(
                "%(needed)s étui is needed = %(tables)s × %(each)s",
                "%(needed)s étuis are needed = %(tables)s tables × %(each)s",
                self.needed,
            )
            % told
        )

    @cached_property
    def steps(self) -> list[Step]:
        steps = [self.step_players(), self.step_etuis(), self.step_movement()]
        ready = all(step.ready for step in steps)
        text = _("Everything is ready.") if ready else _("Waits for the steps above.")
        return [*steps, Step("start", ready, text)]

    @property
    def ready(self) -> bool:
        return self.steps[-1].ready

    def step_players(self) -> Step:
        if not self.players:
            return Step("players", False, _("Nobody is seated yet."))
        told = fit(self.players, self.session)
        if not told.ready:
            return Step("players", False, told.text)
        try:
            seated_entrants(self.session)
        except Refused as error:
            return Step("players", False, say(error))
        return Step("players", True, told.text)

    def step_etuis(self) -> Step:
        if not self.players:
            return Step("etuis", False, _("How many are needed follows from the players."))
        try:
            etuis_for(self.session, needed=self.needed)
        except Refused as error:
            return Step("etuis", False, self.needed_text if self.session.deal_set is None else say(error))
        return Step("etuis", True, self.needed_text)

    def step_movement(self) -> Step:
        told = {"positions": self.session.positions, "etuis": self.session.etuis_per_position}
        shape = _("positions: %(positions)s, étuis a position: %(etuis)s") % told
        if not self.players:
            return Step("movement", False, shape)
        ready = fit(self.players, self.session).ready
        text = _("%(shape)s; nobody meets anybody twice") % {"shape": shape} if ready else shape
        return Step("movement", ready, text)
