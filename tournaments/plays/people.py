"""Who sits where: the players of a list of plays."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from django.db.models import ForeignKey

from tournaments.models import Entrant, Play
from tournaments.models.evening import SEAT_FIELDS

SEATS = [(cast("ForeignKey[Any, Any]", Play._meta.get_field(seat)), f"{seat}_id") for seat in SEAT_FIELDS]


def seat_people(plays: Iterable[Play]) -> list[Play]:
    """The plays with their four players, in one query more.

    Each entrant is read once, however many plays seat him: joined to the plays he would come with every one of them.
    """
    found = list(plays)
    wanted = {getattr(play, column) for play in found for _, column in SEATS}
    return seat(found, Entrant.objects.select_related("player", "stand_in").in_bulk(wanted))


def seat(plays: list[Play], entrants: Mapping[int, Entrant]) -> list[Play]:
    """The plays with their four players, who are among these by their ids."""
    for play in plays:
        for field, column in SEATS:
            field.set_cached_value(play, entrants[getattr(play, column)])
    return plays
