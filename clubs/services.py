"""Writes to a club: its players."""

from collections.abc import Sequence

from django.db import transaction

from clubs.models import Club, Player
from clubs.roster import RosterLine


@transaction.atomic
def add_players(*, club: Club, lines: Sequence[RosterLine]) -> list[Player]:
    """The club's players of these lines, in their order; those already on the list are found, not doubled.

    A licence number decides; without one, family and first name do. A known name gains the licence it had not.
    """
    Club.objects.select_for_update().get(pk=club.pk)
    return [find_or_add(club, line) for line in lines]


def find_or_add(club: Club, line: RosterLine) -> Player:
    names = {"last_name__iexact": line.last_name, "first_name__iexact": line.first_name}
    if line.licence:
        player = club.players.filter(licence=line.licence).first()
        if player is None and (player := club.players.filter(**names, licence="").first()):
            player.licence = line.licence
            player.save(update_fields=["licence"])
    else:
        player = club.players.filter(**names).order_by("licence", "id").first()
    return player or club.players.create(last_name=line.last_name, first_name=line.first_name, licence=line.licence)
