"""The letters about simultaneous: each account that wants feuilles gets its place in the ranking over all clubs.

They are about the versions in which all clubs have finished, and not about those that are published meanwhile.
"""

import datetime as dt
from collections.abc import Collection
from operator import attrgetter

from outgoing.mailing.places import LetterKind, find_places_to_tell, say_rank, send_place_letters
from rankings.listing.kinds import FIELDS
from rankings.simultaneous.field.report import FieldPlayer, FieldReport
from tournaments.models import FieldPublication, SentFieldLetter
from tournaments.queue import FIELD_LETTERS
from tournaments.words.figures import percent


def say_places_in_field(version: FieldPublication, players: Collection[int]) -> dict[int, str]:
    report = FieldReport(version.data)
    shown = report.show(row for row in version.data["players"] if row["player"] in players)
    rank = attrgetter(report.reference.rank)
    return {player.player: say_place_in_field(player, rank(player)) for player in shown}


def say_place_in_field(player: FieldPlayer, rank: int | None) -> str:
    """Return a player's place as a line of text: name, rank, percentage and the club in which they played."""
    return " · ".join([player.name, say_rank(rank), percent(player.overall, 2), player.club])


FIELD_KIND = LetterKind(
    FIELDS, SentFieldLetter, lambda version: bool(version.data["complete"]), say_places_in_field, FIELD_LETTERS
)


def send_field_letters(simultaneous_id: int, *, now: dt.datetime) -> int:
    """Send the letters of the newest version of a field that are not sent yet. Return how many were sent."""
    return send_place_letters(FIELD_KIND, simultaneous_id, now=now)


def find_fields_to_tell(now: dt.datetime) -> list[int]:
    """Return the ids of the simultaneous with a version of the last day, if anybody wants letters."""
    return find_places_to_tell(FIELD_KIND, now)
