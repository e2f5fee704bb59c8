"""The places of a player in the games that are seated, for the player's own page. This module only reads."""

from dataclasses import dataclass

from tournaments.models import Entrant, Session
from tournaments.models.seats import sits_at_play


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """The table and the seat of a player in a game or a position.

    `table` is a text if a team sits at several tables at once: "1–3".
    """

    position: int
    table: int | str
    seat: str


def find_own_seats(entrant: Entrant, session: Session) -> list[OwnSeat]:
    """Return the player's places from the present game on, in one query. A game that is not seated yet is left out.

    If the player changes tables within a game, the later table is the one that is returned.
    """
    plays = session.plays.filter(sits_at_play(entrant), position__gte=session.position or 1, is_replay=False)
    found = {
        play.position: OwnSeat(play.position, play.table.number, seat)
        for play in plays.select_related("table").order_by("position", "etui__number")
        for seat, sitting in play.seat_ids.items()
        if sitting == entrant.pk
    }
    return list(found.values())
