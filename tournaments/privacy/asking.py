"""The requests of players, by their own link, to be erased. Somebody else may have the link, so a director erases."""

import datetime as dt

from django.db import transaction

from clubs.accounts.log import log_club_action
from clubs.models import Player, User


def ask_erasure(player: Player, *, now: dt.datetime) -> None:
    """Record the request to erase a player. Idempotent: the time of the first request stays."""
    Player.objects.real().filter(pk=player.pk, erasure_asked_at=None).update(erasure_asked_at=now)


def ask_no_more(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(erasure_asked_at=None)


@transaction.atomic
def decline_erasure(player: Player, *, by: User, now: dt.datetime) -> None:
    """Decline the request to erase a player, for a director: it was not the player who asked. Idempotent."""
    if Player.objects.filter(pk=player.pk).exclude(erasure_asked_at=None).update(erasure_asked_at=None):
        log_club_action(player.club, "erasure_declined", now=now, by=by, whom=player.name)
