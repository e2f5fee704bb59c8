"""The lock on the row of a simultaneous, and the lines in the logs of its clubs.

Everything about a simultaneous is written under the lock of its row. It is taken after the rows of sessions and before
those of deal sets.
"""

import datetime as dt

from django.db.models import F

from clubs.log import log_in_clubs
from clubs.models import Club, User
from rankings.simultaneous.refusals import SimultaneousRefused
from tournaments.locks import lock_apart
from tournaments.models import SealedEtuis, Simultaneous
from tournaments.queue import queue_field


def lock_simultaneous(simultaneous_id: int) -> Simultaneous:
    """Lock and return the simultaneous."""
    (found,) = lock_apart(Simultaneous, [simultaneous_id])
    return found


def lock_secret_simultaneous(simultaneous_id: int, now: dt.datetime) -> Simultaneous:
    """Lock and return a simultaneous whose étuis are still secret. Raise `SimultaneousRefused` if they are public."""
    found = lock_simultaneous(simultaneous_id)
    if found.public_at <= now:
        raise SimultaneousRefused("simultaneous_is_public")
    return found


def refuse_received(simultaneous: Simultaneous) -> None:
    """Raise `SimultaneousRefused` if the simultaneous came from another site: its organiser decides there."""
    if SealedEtuis.objects.filter(simultaneous=simultaneous, secret="").exists():
        raise SimultaneousRefused("simultaneous_elsewhere")


def touch_simultaneous(simultaneous: Simultaneous) -> None:
    """Raise the revision of a locked simultaneous, and queue the ranking of its field."""
    Simultaneous.objects.filter(pk=simultaneous.pk).update(revision=F("revision") + 1)
    simultaneous.refresh_from_db(fields=["revision"])
    queue_field(simultaneous.pk)


def tell_clubs(
    simultaneous: Simultaneous, own: str, theirs: str, *, by: User, now: dt.datetime, **told: str
) -> list[Club]:
    """Log an action in the organiser's club as `own`, and as `theirs` in the other clubs that take part.

    Return these clubs.
    """
    taking_part = Club.every.filter(
        simultaneous_elsewhere__simultaneous=simultaneous,
        simultaneous_elsewhere__left_at=None,
        simultaneous_elsewhere__agreed_at__isnull=False,
    )
    clubs = list(taking_part.exclude(pk=simultaneous.club_id).order_by("pk"))
    params = {"simultaneous": simultaneous.title, **told}
    log_in_clubs((simultaneous.club, own, by, params), *((club, theirs, None, params) for club in clubs), now=now)
    return clubs
