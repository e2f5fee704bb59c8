"""An evening that fills every part of an archive: the eventful one, with changes of players between two versions."""

from decimal import Decimal

from evenings.plays.penalties import Sanction, give_penalty
from tests.outgoing.paper.eventful import Eventful


class WholeEvening(Eventful):
    """An eventful evening whose last version changes a player's penalty and ranks."""

    def publish(self):
        super().publish()
        fined = self.seat("S", 4)
        sanction = Sanction(points=Decimal(9))
        give_penalty(sanction=sanction, entrant_id=fined.pk, session_id=self.session.pk, reason="portable", **self.said)
        self.published("pénalité oubliée")
