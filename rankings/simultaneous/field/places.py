"""The place of a player in the ranking over all clubs, for the pages of the session that the player played."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from evenings.reference import find_field_reference
from tournaments.models import FieldPublication, Simultaneous
from tournaments.versions.steps import WITHDRAWN


class PlaceInField(NamedTuple):
    """The place of an entrant in a version of the ranking over all clubs.

    `rank` is the rank of the reference. `rank` and `overall` are None if the version does not rank the player, or does
    not have them. `ranked` is the number of players with a rank.
    """

    simultaneous: Simultaneous
    entrant: int
    is_listed: bool
    rank: int | None
    overall: Fraction | None
    ranked: int


class StoredPlaces(NamedTuple):
    """The stored rows of a version by entrant, and the number of players with a rank."""

    rows: Mapping[int, Mapping[str, Any]]
    ranked: int


def find_field_version(session_id: int) -> FieldPublication | None:
    """Return the newest version of the ranking in which a session counts, or None if readers see none.

    Its figures are not loaded. It takes one query.
    """
    taking_part = {"clubs__session": session_id, "clubs__left_at": None, "put_away_at": None}
    simultaneous = Simultaneous.objects.filter(**taking_part).order_by().values("pk")
    versions = FieldPublication.objects.filter(simultaneous__in=simultaneous).order_by("-version")
    newest = versions.select_related("simultaneous__club").defer("data", "frozen", "changes").first()
    return None if newest is None or newest.status == WITHDRAWN else newest


def find_place_in_field(version: FieldPublication, entrant: int) -> PlaceInField:
    """Return the place of an entrant. The figures of a version are read once in a process."""
    stored = read_stored_places(version.pk)
    row = stored.rows.get(entrant)
    overall = None if row is None or row["overall"] is None else Fraction(row["overall"])
    return PlaceInField(
        version.simultaneous, entrant, row is not None, row["rank"] if row else None, overall, stored.ranked
    )


@lru_cache(maxsize=2)  # at the public hour, thousands of players look at one version, which never changes
def read_stored_places(publication: int) -> StoredPlaces:
    stored = FieldPublication.objects.values_list("data__players", "data__alterne")
    players, has_alterne = stored.get(pk=publication)
    rank = find_field_reference(has_alterne=has_alterne).rank
    return StoredPlaces(
        {row["id"]: {"rank": row[rank], "overall": row["overall"]} for row in players},
        sum(row[rank] is not None for row in players),
    )
