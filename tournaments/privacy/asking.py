"""To be erased, asked for by a player's own link: whoever holds a paper may have found it, so a director does it."""

import datetime as dt

from django.db import transaction

from clubs.accounts.log import log
from clubs.models import Player, User


def ask_erasure(player: Player, *, now: dt.datetime) -> None:
    """Twice is once: what counts is since when."""
    Player.objects.real().filter(pk=player.pk, erasure_asked_at=None).update(erasure_asked_at=now)


def ask_no_more(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(erasure_asked_at=None)


@transaction.atomic
def decline_erasure(player: Player, *, by: User, now: dt.datetime) -> None:
    """A director's word that it was not the player who asked. Twice is once."""
    if Player.objects.filter(pk=player.pk).exclude(erasure_asked_at=None).update(erasure_asked_at=None):
        log(player.club, "erasure_declined", now=now, by=by, whom=player.name)
