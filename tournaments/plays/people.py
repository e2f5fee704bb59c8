"""The reading of the four players of plays."""

from collections.abc import Iterable, Mapping

from tournaments.models import Entrant, Play
from tournaments.models.seats import seat_entrants


def seat_people(plays: Iterable[Play]) -> list[Play]:
    """Return the plays as a list, with their four players set. This takes one query after that of the plays.

    Each entrant is read only once; a join would read the same entrant again for each play.
    """
    found = list(plays)
    wanted = {pk for play in found for pk in play.seat_ids.values()}
    return seat(found, Entrant.objects.select_related("player", "stand_in", "team").in_bulk(wanted))


def seat(plays: list[Play], entrants: Mapping[int, Entrant]) -> list[Play]:
    """Set the four players of each play from `entrants`, which has them by id. Return the plays."""
    seat_entrants(plays, entrants)
    return plays
