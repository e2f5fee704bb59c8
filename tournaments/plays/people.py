"""The players of a list of plays, by seat."""

from collections.abc import Iterable, Mapping

from tournaments.models import Entrant, Play
from tournaments.models.seats import seat_entrants


def seat_people(plays: Iterable[Play]) -> list[Play]:
    """Return the plays with their four players, in one more query.

    Each entrant is read once, for however many plays. A join would read the entrant again with each play.
    """
    found = list(plays)
    wanted = {pk for play in found for pk in play.seat_ids.values()}
    return seat(found, Entrant.objects.select_related("player", "stand_in").in_bulk(wanted))


def seat(plays: list[Play], entrants: Mapping[int, Entrant]) -> list[Play]:
    """Return the plays with their four players, taken from `entrants` by id."""
    seat_entrants(plays, entrants)
    return plays
