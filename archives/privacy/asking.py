"""The requests of players to be erased, made by their personal link.

Somebody else may have found the link. Therefore a director has to do the erasing, or declines it.
"""

import datetime as dt

from django.db import transaction

from clubs.log import log_club_action
from clubs.models import Player, User


def ask_erasure(player: Player, *, now: dt.datetime) -> None:
    """Store the request to erase a player. If there is a request already, its time stays."""
    Player.objects.real().filter(pk=player.pk, erasure_asked_at=None).update(erasure_asked_at=now)


def ask_no_more(player: Player) -> None:
    """Withdraw the request to erase a player."""
    Player.objects.filter(pk=player.pk).update(erasure_asked_at=None)


@transaction.atomic
def decline_erasure(player: Player, *, by: User, now: dt.datetime) -> None:
    """Decline the request to erase a player and log it, for a director. If there is no request, do nothing."""
    if Player.objects.filter(pk=player.pk).exclude(erasure_asked_at=None).update(erasure_asked_at=None):
        log_club_action(player.club, "erasure_declined", now=now, by=by, whom=player.name)
